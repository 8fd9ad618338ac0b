import type { Schema } from '../api/shapes.ts';
import { Card } from '../components/card.tsx';
import { StatusIcon } from '../components/status-icon.tsx';
import { reasonText } from './format-status.ts';
import { messages } from './messages.ts';
import { Fix, type Verb } from './verbs.tsx';

type Domain = Schema<'DomainDetail'>;
type Timeline = Schema<'Timeline'>;
type Block = Timeline['blocks'][number];

/** Actions that do not apply are left out, such as the end of a suspension for a domain that is not suspended. */
function applies({ action }: Block, { locked, suspended }: Domain, { state }: Timeline): boolean {
  switch (action) {
    case 'restore':
      return state === 'redemption';
    case 'answer_transfer':
      return state === 'pending_transfer';
    case 'lock':
      return !locked;
    case 'unlock':
      return locked;
    case 'suspend':
      return !suspended;
    case 'resume':
      return suspended;
    default:
      return true;
  }
}

interface Group {
  readonly actions: string;
  readonly reasons: Block['reasons'];
}

/** Actions with the same reasons together; the available ones first. */
function groupsOf(blocks: readonly Block[], verbs: Readonly<Record<Block['action'], string>>): readonly Group[] {
  const groups = new Map<string, Group>();
  for (const { action, reasons } of blocks) {
    const key = JSON.stringify(reasons);
    const before = groups.get(key)?.actions;
    groups.set(key, { actions: before ? `${before}, ${verbs[action]}` : verbs[action], reasons });
  }
  return [...groups.values()].sort((a, b) => Math.min(a.reasons.length, 1) - Math.min(b.reasons.length, 1));
}

/** Allowed actions; for the others, the reasons and what removes them. */
export function AllowedActions({
  domain,
  timeline,
  onVerb,
}: {
  readonly domain: Domain;
  readonly timeline: Timeline;
  readonly onVerb: ((verb: Verb) => void) | undefined;
}) {
  const t = messages();
  const blocks = timeline.blocks.filter((each) => applies(each, domain, timeline));
  return (
    <Card title={t.actions}>
      <ul class="blocks">
        {groupsOf(blocks, t.verbs).map(({ actions, reasons }) => (
          <li key={actions}>
            <StatusIcon kind={reasons.length === 0 ? 'good' : 'none'}>
              {reasons.length === 0 ? t.possible : t.notNow}
            </StatusIcon>
            <p>{actions}</p>
            {reasons.map(({ because, fix }) => (
              <p key={because} class="faint">
                <span>{reasonText(because)}</span>
                {fix && <Fix fix={fix} onVerb={onVerb} />}
              </p>
            ))}
          </li>
        ))}
      </ul>
    </Card>
  );
}

import { useRoute } from 'preact-iso';
import type { Shape } from '../api/shapes.ts';
import { useAddress } from '../data/address.ts';
import { useResource } from '../data/resource.ts';
import { StepLine } from '../operations/step-line.tsx';
import { Button } from '../parts/button.tsx';
import { Card } from '../parts/card.tsx';
import { CopyCurl } from '../parts/copy-curl.tsx';
import { Waiting } from '../parts/empty.tsx';
import { Facts } from '../parts/facts.tsx';
import { Light } from '../parts/light.tsx';
import { Moment, momentText, readMoment } from '../parts/moment.tsx';
import { TroubleNote } from '../parts/trouble-note.tsx';
import { isCustomer, may } from '../session/who.ts';
import './domains.css';
import { NameHead } from './name-head.tsx';
import { reasonText } from './said.ts';
import { Status } from './status.tsx';
import { Track } from './track.tsx';
import { Fix, isOffered, Opened, type Verb, verbIn } from './verbs.tsx';
import { words } from './words.ts';

type Domain = Shape<'DomainDetail'>;
type Timeline = Shape<'Timeline'>;
type OnVerb = ((verb: Verb) => void) | undefined;

/** Under which word the turn of a domain is described. */
function turnOf({ state, milestones, must_act, renewal_mode }: Timeline): string {
  if (state !== 'live') return state;
  const renewal = milestones.find(({ what }) => what === 'renewal' || what === 'renewal_fails')?.what;
  const isOver = !milestones.some(({ what }) => what === 'expires');
  if (renewal === 'renewal') return renewal;
  if (isOver && must_act.who === 'reseller') return 'over';
  if (renewal) return renewal;
  return renewal_mode === 'delete' ? 'let_expire' : state;
}

function Turn({ timeline }: { readonly timeline: Timeline }) {
  const w = words();
  const { who: turn, by, sentence } = timeline.must_act;
  const isUnconfirmed = timeline.milestones.some(({ what, at }) => what === 'verify_by' && at === by);
  // What an operation waits for only the service can say.
  const said = timeline.operation_id ? undefined : w.turns[isUnconfirmed ? 'unconfirmed' : turnOf(timeline)];
  return (
    <div class={`note ${turn === 'reseller' ? 'warn' : ''}`}>
      <div>
        <strong>
          {isUnconfirmed ? w.holdersTurn : isCustomer() ? w.turnForCustomer[turn] : w.turn[turn]}
          {by && `, ${turn === 'nobody' ? w.until : w.by} ${momentText(readMoment(by))}`}
        </strong>
        <p>{said ?? sentence}</p>
        {timeline.operation_id && <StepLine id={timeline.operation_id} />}
      </div>
    </div>
  );
}

function Dates({ domain }: { readonly domain: Domain }) {
  const w = words();
  return (
    <Card title={w.facts}>
      <Facts
        rows={[
          [w.created, <Moment key="c" at={domain.creation_date ?? ''} isBusiness />],
          [w.expires, <Moment key="e" at={domain.expiry_date ?? ''} isBusiness />],
          [w.synced, <Moment key="s" at={domain.synced_at ?? ''} withTime />],
          ...(isCustomer() ? [] : [[w.customer, domain.customer_name ?? '–'] as const]),
          [w.nameservers, domain.nameservers.join(', ') || '–'],
          ...(isCustomer() ? [] : [[w.registryStatus, domain.registry_status.join(', ') || '–'] as const]),
        ]}
      />
    </Card>
  );
}

interface Setting {
  readonly title: string;
  readonly isOn?: boolean;
  readonly text?: string;
  readonly verb: Verb;
}

/** What is set on the name, each with the one verb that changes it. */
function Settings({ domain, onVerb }: { readonly domain: Domain; readonly onVerb: OnVerb }) {
  const w = words();
  const isHidden = domain.privacy_protection_enabled === 'true';
  const isBought = domain.privacy_ends_at !== null;
  const isProtected = domain.theft_protection === 'true';
  const settings: readonly Setting[] = [
    { title: w.mode, text: w.modes[domain.renewal_mode], verb: 'mode' },
    { title: w.locked, isOn: domain.locked, verb: domain.locked ? 'unlock' : 'lock' },
    { title: w.theft, isOn: isProtected, verb: isProtected ? 'unprotect' : 'protect' },
    { title: w.privacy, isOn: isHidden, verb: isHidden ? 'reveal' : isBought ? 'hide' : 'privacy' },
    { title: w.suspended, isOn: domain.suspended, verb: domain.suspended ? 'resume' : 'suspend' },
  ];
  return (
    <Card title={w.settings}>
      <Facts
        rows={settings.map(({ title, isOn, text, verb }) => [
          title,
          <span key={verb} class="setting">
            {isOn === undefined ? text : <Light kind={isOn ? 'good' : 'none'}>{isOn ? w.yes : w.no}</Light>}
            {onVerb && isOffered(verb) && (
              <Button small aria-label={`${w.setVerbs[verb]}: ${title}`} onClick={() => onVerb(verb)}>
                {w.setVerbs[verb]}
              </Button>
            )}
          </span>,
        ])}
      />
    </Card>
  );
}

/** What is possible now, and of the rest: why not, who set it, what helps. */
function Blocks({ timeline, onVerb }: { readonly timeline: Timeline; readonly onVerb: OnVerb }) {
  const w = words();
  return (
    <Card title={w.actions}>
      <ul class="blocks">
        {timeline.blocks.map(({ action, allowed, reasons }) => (
          <li key={action}>
            <Light kind={allowed ? 'good' : 'none'}>{`${w.verbs[action]}: ${allowed ? w.possible : w.notNow}`}</Light>
            {!allowed &&
              reasons.map(({ because, set_by, fix }) => (
                <p key={because} class="faint">
                  {reasonText(because)}
                  {fix && `, ${w.setBy[set_by]}. `}
                  {fix && <Fix fix={fix} onVerb={onVerb} />}
                </p>
              ))}
          </li>
        ))}
      </ul>
    </Card>
  );
}

const isAllowed = (timeline: Timeline | undefined, action: string) =>
  timeline?.blocks.some((block) => block.action === action && block.allowed) ?? false;

/** The verbs that begin or end something; what cannot be done now is disabled, and its reason stands below. */
function Actions({
  domain,
  timeline,
  onVerb,
}: {
  readonly domain: Domain;
  readonly timeline: Timeline;
  readonly onVerb: (verb: Verb) => void;
}) {
  const w = words();
  const can = (action: string) => isAllowed(timeline, action);
  const isTransferIn = domain.transfer !== null && domain.state === 'pending';
  const button = (verb: Verb, label: string, isPossible: boolean, kind: 'primary' | 'plain' | 'danger' = 'plain') =>
    isOffered(verb) && (
      <Button key={verb} kind={kind} disabled={!isPossible} onClick={() => onVerb(verb)}>
        {label}
      </Button>
    );
  return (
    <>
      {can('restore')
        ? button('restore', w.verbs.restore, true, 'primary')
        : button('renew', w.verbs.renew, can('renew'), 'primary')}
      {can('answer_transfer') && button('approve', w.letGo, true, 'danger')}
      {can('answer_transfer') && button('reject', w.keep, true)}
      {isTransferIn && domain.transfer?.status === 'code_refused' && button('other_code', w.otherCode, true)}
      {isTransferIn && button('give_up', w.giveUp, true, 'danger')}
      {button('code', w.authCode, can('update'))}
      {button('move', w.verbs.move, can('update'))}
      {button('delete', w.verbs.delete, can('delete'), 'danger')}
    </>
  );
}

export default function DomainPage() {
  const w = words();
  const name = useRoute().params.name ?? '';
  const path = { domain_id: name };
  const domain = useResource('/domains/{domain_id}', { path });
  const timeline = useResource('/domains/{domain_id}/timeline', { path });
  const { query, go } = useAddress();
  const trouble = domain.trouble ?? timeline.trouble;
  const known = domain.data as Domain | undefined;
  const onVerb: OnVerb = may('domains:write') ? (verb) => go({ do: verb }) : undefined;
  return (
    <>
      <NameHead
        name={name}
        at="overview"
        lead={known && <Status status={known.order_status} />}
        actions={
          <>
            {known && timeline.data && onVerb && <Actions domain={known} timeline={timeline.data} onVerb={onVerb} />}
            <CopyCurl method="get" address={`/v1/domains/${name}/timeline`} />
          </>
        }
      />
      {trouble && (
        <TroubleNote
          trouble={trouble}
          onAgain={() => {
            domain.again();
            timeline.again();
          }}
        />
      )}
      {timeline.isLoading && <Waiting />}
      {timeline.data && (
        <>
          <Turn timeline={timeline.data} />
          <Card title={w.ahead}>
            <p class="faint">{w.aheadText[timeline.data.renewal_mode]}</p>
            <Track timeline={timeline.data} />
          </Card>
        </>
      )}
      <div class="columns">
        <div class="stack">
          {known && <Settings domain={known} onVerb={onVerb} />}
          {known && <Dates domain={known} />}
        </div>
        {timeline.data && !isCustomer() && <Blocks timeline={timeline.data} onVerb={onVerb} />}
      </div>
      {known && onVerb && (
        <Opened
          verb={verbIn(query.do)}
          domain={known}
          canLeave={isAllowed(timeline.data, 'move')}
          onClose={() => go({ do: '' })}
        />
      )}
    </>
  );
}

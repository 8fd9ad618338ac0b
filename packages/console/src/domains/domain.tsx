import { useRoute } from 'preact-iso';
import type { Shape } from '../api/shapes.ts';
import { Button } from '../components/button.tsx';
import { Card } from '../components/card.tsx';
import { CopyCurl } from '../components/copy-curl.tsx';
import { Skeleton } from '../components/empty.tsx';
import { ErrorBanner } from '../components/error-banner.tsx';
import { Facts } from '../components/facts.tsx';
import { Light } from '../components/light.tsx';
import { Moment, momentText, readMoment } from '../components/moment.tsx';
import { useAddress } from '../data/address.ts';
import { useResource } from '../data/resource.ts';
import { StepLine } from '../operations/step-line.tsx';
import { isCustomer, may } from '../session/current-session.ts';
import './domains.css';
import { DomainHead } from './domain-head.tsx';
import { reasonText } from './format-status.ts';
import { messages } from './messages.ts';
import { Status } from './status.tsx';
import { TimelineChart } from './timeline.tsx';
import { Fix, isOffered, type Verb, VerbDialogs, verbIn } from './verbs.tsx';

type Domain = Shape<'DomainDetail'>;
type Timeline = Shape<'Timeline'>;
type OnVerb = ((verb: Verb) => void) | undefined;

/** The key of the message that describes the status. */
function statusKey({ state, milestones, must_act, renewal_mode }: Timeline): string {
  if (state !== 'live') return state;
  const renewal = milestones.find(({ what }) => what === 'renewal' || what === 'renewal_fails')?.what;
  const isOver = !milestones.some(({ what }) => what === 'expires');
  if (renewal === 'renewal') return renewal;
  if (isOver && must_act.who === 'reseller') return 'over';
  if (renewal) return renewal;
  return renewal_mode === 'delete' ? 'let_expire' : state;
}

function StatusBanner({ timeline }: { readonly timeline: Timeline }) {
  const t = messages();
  const { who: actor, by, sentence } = timeline.must_act;
  const isUnconfirmed = timeline.milestones.some(({ what, at }) => what === 'verify_by' && at === by);
  // Only the service can describe the state of an operation.
  const text = timeline.operation_id ? undefined : t.statusTexts[isUnconfirmed ? 'unconfirmed' : statusKey(timeline)];
  return (
    <div class={`note ${actor === 'reseller' ? 'warn' : ''}`}>
      <div>
        <strong>
          {isUnconfirmed ? t.waitingForRegistrant : isCustomer() ? t.waitingForAsCustomer[actor] : t.waitingFor[actor]}
          {by && `, ${actor === 'nobody' ? t.until : t.by} ${momentText(readMoment(by))}`}
        </strong>
        <p>{text ?? sentence}</p>
        {timeline.operation_id && <StepLine id={timeline.operation_id} />}
      </div>
    </div>
  );
}

function Details({ domain }: { readonly domain: Domain }) {
  const t = messages();
  return (
    <Card title={t.facts}>
      <Facts
        rows={[
          [t.created, <Moment key="c" at={domain.creation_date ?? ''} isBusiness />],
          [t.expires, <Moment key="e" at={domain.expiry_date ?? ''} isBusiness />],
          [t.synced, <Moment key="s" at={domain.synced_at ?? ''} withTime />],
          ...(isCustomer() ? [] : [[t.customer, domain.customer_name ?? '–'] as const]),
          [t.nameservers, domain.nameservers.join(', ') || '–'],
          ...(isCustomer() ? [] : [[t.registryStatus, domain.registry_status.join(', ') || '–'] as const]),
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

/** Settings of the domain, each with the action that changes it. */
function Settings({ domain, onVerb }: { readonly domain: Domain; readonly onVerb: OnVerb }) {
  const t = messages();
  const isHidden = domain.privacy_protection_enabled === 'true';
  const isBought = domain.privacy_ends_at !== null;
  const isProtected = domain.theft_protection === 'true';
  const settings: readonly Setting[] = [
    { title: t.mode, text: t.modes[domain.renewal_mode], verb: 'mode' },
    { title: t.locked, isOn: domain.locked, verb: domain.locked ? 'unlock' : 'lock' },
    { title: t.theftProtection, isOn: isProtected, verb: isProtected ? 'unprotect' : 'protect' },
    { title: t.privacy, isOn: isHidden, verb: isHidden ? 'reveal' : isBought ? 'hide' : 'privacy' },
    { title: t.suspended, isOn: domain.suspended, verb: domain.suspended ? 'resume' : 'suspend' },
  ];
  return (
    <Card title={t.settings}>
      <Facts
        rows={settings.map(({ title, isOn, text, verb }) => [
          title,
          <span key={verb} class="setting">
            {isOn === undefined ? text : <Light kind={isOn ? 'good' : 'none'}>{isOn ? t.yes : t.no}</Light>}
            {onVerb && isOffered(verb) && (
              <Button small aria-label={`${t.settingVerbs[verb]}: ${title}`} onClick={() => onVerb(verb)}>
                {t.settingVerbs[verb]}
              </Button>
            )}
          </span>,
        ])}
      />
    </Card>
  );
}

/** Allowed actions; for the others, the reason, who set it, and how to fix it. */
function AllowedActions({ timeline, onVerb }: { readonly timeline: Timeline; readonly onVerb: OnVerb }) {
  const t = messages();
  return (
    <Card title={t.actions}>
      <ul class="blocks">
        {timeline.blocks.map(({ action, allowed, reasons }) => (
          <li key={action}>
            <Light kind={allowed ? 'good' : 'none'}>{`${t.verbs[action]}: ${allowed ? t.possible : t.notNow}`}</Light>
            {!allowed &&
              reasons.map(({ because, set_by, fix }) => (
                <p key={because} class="faint">
                  {reasonText(because)}
                  {fix && `, ${t.setBy[set_by]}. `}
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

/** Main actions. Unavailable ones are disabled; the reason is in the list below. */
function Actions({
  domain,
  timeline,
  onVerb,
}: {
  readonly domain: Domain;
  readonly timeline: Timeline;
  readonly onVerb: (verb: Verb) => void;
}) {
  const t = messages();
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
        ? button('restore', t.verbs.restore, true, 'primary')
        : button('renew', t.verbs.renew, can('renew'), 'primary')}
      {can('answer_transfer') && button('approve', t.approveTransfer, true, 'danger')}
      {can('answer_transfer') && button('reject', t.rejectTransfer, true)}
      {isTransferIn && domain.transfer?.status === 'code_refused' && button('other_code', t.enterNewCode, true)}
      {isTransferIn && button('give_up', t.cancelTransfer, true, 'danger')}
      {button('code', t.authCode, can('update'))}
      {button('move', t.verbs.move, can('update'))}
      {button('delete', t.verbs.delete, can('delete'), 'danger')}
    </>
  );
}

export default function DomainPage() {
  const t = messages();
  const name = useRoute().params.name ?? '';
  const path = { domain_id: name };
  const domain = useResource('/domains/{domain_id}', { path });
  const timeline = useResource('/domains/{domain_id}/timeline', { path });
  const { query, go } = useAddress();
  const error = domain.error ?? timeline.error;
  const detail = domain.data as Domain | undefined;
  const onVerb: OnVerb = may('domains:write') ? (verb) => go({ do: verb }) : undefined;
  return (
    <>
      <DomainHead
        name={name}
        at="overview"
        lead={detail && <Status of={detail} />}
        actions={
          <>
            {detail && timeline.data && onVerb && <Actions domain={detail} timeline={timeline.data} onVerb={onVerb} />}
            <CopyCurl method="get" address={`/v1/domains/${name}/timeline`} />
          </>
        }
      />
      {error && (
        <ErrorBanner
          error={error}
          onRetry={() => {
            domain.again();
            timeline.again();
          }}
        />
      )}
      {timeline.isLoading && <Skeleton />}
      {timeline.data && (
        <>
          <StatusBanner timeline={timeline.data} />
          <Card title={t.timeline}>
            <p class="faint">{t.timelineText[timeline.data.renewal_mode]}</p>
            <TimelineChart timeline={timeline.data} />
          </Card>
        </>
      )}
      <div class="columns">
        <div class="stack">
          {detail && <Settings domain={detail} onVerb={onVerb} />}
          {detail && <Details domain={detail} />}
        </div>
        {timeline.data && !isCustomer() && <AllowedActions timeline={timeline.data} onVerb={onVerb} />}
      </div>
      {detail && onVerb && (
        <VerbDialogs
          verb={verbIn(query.do)}
          domain={detail}
          canLeave={isAllowed(timeline.data, 'move')}
          onClose={() => go({ do: '' })}
        />
      )}
    </>
  );
}

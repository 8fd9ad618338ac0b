import { useRoute } from 'preact-iso';
import type { Schema } from '../api/shapes.ts';
import { Button, ButtonLink } from '../components/button.tsx';
import { Card } from '../components/card.tsx';
import { CopyCurl } from '../components/copy-curl.tsx';
import { Empty, Skeleton } from '../components/empty.tsx';
import { ErrorBanner } from '../components/error-banner.tsx';
import { Facts } from '../components/facts.tsx';
import { Moment, momentText, readMoment } from '../components/moment.tsx';
import { StatusIcon } from '../components/status-icon.tsx';
import { usePageUrl } from '../data/page-url.ts';
import { useResource } from '../data/resource.ts';
import { WaitingChanges } from '../operations/approval.tsx';
import { StepLine } from '../operations/step-line.tsx';
import { isCustomer, may, mayOrder } from '../session/current-session.ts';
import './domains.css';
import { AllowedActions } from './allowed-actions.tsx';
import { DomainHead } from './domain-head.tsx';
import { reasonText, registryStatusText } from './format-status.ts';
import { label } from './label.ts';
import { messages } from './messages.ts';
import { ResendVerification } from './resend-verification.tsx';
import { Status } from './status.tsx';
import { TimelineChart } from './timeline.tsx';
import { messages as timelineMessages } from './timeline-messages.ts';
import { isOffered, type Verb, VerbDialogs, verbIn } from './verbs.tsx';

type Domain = Schema<'DomainDetail'>;
type Timeline = Schema<'Timeline'>;
type OnVerb = ((verb: Verb) => void) | undefined;

/** The key of the message that describes the status. */
function statusKey({ state, milestones, must_act, renewal_mode }: Timeline): string {
  if (state !== 'live') return state;
  const renewal = milestones.find(({ what }) => what === 'renewal' || what === 'renewal_fails')?.what;
  const isOver = !milestones.some(({ what }) => what === 'expires');
  if (renewal === 'renewal') return renewal;
  if (isOver && must_act.who === 'reseller')
    return milestones.some(({ what }) => what === 'interrupted') ? 'over_resolving' : 'over';
  if (renewal) return renewal;
  return renewal_mode === 'delete' ? 'let_expire' : state;
}

function SuspendedBanner({ timeline, onVerb }: { readonly timeline: Timeline; readonly onVerb: OnVerb }) {
  const t = messages();
  const reasons = timeline.blocks.flatMap((block) => block.reasons);
  const because = reasons.find((each) => each.because.startsWith('suspended'))?.because;
  return (
    <div class="note warn">
      <div>
        <strong>{t.suspended}</strong>
        <p>
          {because && reasonText(because)} {t.suspendedText}
        </p>
        {onVerb && isOffered('resume') && (
          <Button small onClick={() => onVerb('resume')}>
            {t.verbs.resume}
          </Button>
        )}
      </div>
    </div>
  );
}

/** Why and when the domain left the account. */
function RemovedBanner({ domain }: { readonly domain: Domain }) {
  const t = timelineMessages();
  const text = t.removedTexts[domain.removed_reason ?? ''] ?? t.removedTexts.deleted;
  return (
    <div class="note">
      <strong>{text?.(momentText(readMoment(domain.removed_at ?? '')))}</strong>
    </div>
  );
}

function StatusBanner({ timeline }: { readonly timeline: Timeline }) {
  const t = timelineMessages();
  const { who: actor, by, sentence } = timeline.must_act;
  const isUnconfirmed = timeline.milestones.some(({ what, at }) => what === 'verify_by' && at === by);
  // Only the service can describe the state of an operation.
  const key = isUnconfirmed ? 'unconfirmed' : statusKey(timeline);
  const text = timeline.operation_id
    ? undefined
    : ((isCustomer() ? t.statusTextsForCustomer : t.statusTextsForReseller)[key] ?? t.statusTexts[key]);
  const titles = isCustomer() && !(mayOrder() && key.startsWith('over')) ? t.waitingForAsCustomer : t.waitingFor;
  const title = isUnconfirmed
    ? isCustomer()
      ? t.confirmEmail
      : t.registrantMustConfirm
    : key === 'unpaid'
      ? t.waitingForPayment
      : titles[actor];
  const titleAt = actor === 'nobody' && !timeline.operation_id ? t.titlesAt[key] : undefined;
  const day = by && momentText(readMoment(by));
  return (
    <div class={`note ${actor === 'reseller' ? 'warn' : ''}`}>
      <div>
        <strong>{day ? (titleAt?.(day) ?? `${title} ${actor === 'nobody' ? t.until : t.by} ${day}`) : title}</strong>
        <p>{text ?? sentence}</p>
        {isUnconfirmed && <ResendVerification domainId={timeline.domain_id} />}
        {timeline.operation_id && <StepLine id={timeline.operation_id} />}
      </div>
    </div>
  );
}

/** Which dates the timeline shows. The renewal mode applies only to active domains. */
function timelineText({ state, renewal_mode }: Timeline): string {
  const t = timelineMessages();
  const ofCustomer = isCustomer() ? t.timelineTextOfCustomer[renewal_mode] : undefined;
  if (state === 'live') return ofCustomer ?? t.timelineText[renewal_mode];
  return state === 'redemption' ? t.timelineOfDeleted : '';
}

function TimelineCard({
  timeline,
  paidUntil,
}: {
  readonly timeline: Timeline;
  readonly paidUntil: string | null | undefined;
}) {
  const t = timelineMessages();
  if (timeline.milestones.length === 0) return null;
  return (
    <Card title={t.timeline}>
      <p class="faint">
        {timelineText(timeline)}
        {timeline.milestones.some(({ price }) => price) && ` ${t.ownPrices}`}
      </p>
      <TimelineChart timeline={timeline} paidUntil={paidUntil} />
    </Card>
  );
}

/** A transfer in that is not completed: the domain still has the nameservers of its current registrar. */
const isTransferIn = ({ transfer, state }: Domain): boolean => transfer !== null && state === 'pending';

function Details({ domain }: { readonly domain: Domain }) {
  const t = messages();
  return (
    <Card title={t.facts}>
      <Facts
        rows={[
          [t.created, <Moment key="c" at={domain.creation_date ?? ''} isBusiness />],
          // The registry's date of a deleted domain is not the end of a paid term.
          ...(/^(redemption|pending_delete|removed)$/.test(domain.state)
            ? []
            : [[t.expires, <Moment key="e" at={domain.expiry_date ?? ''} isBusiness />] as const]),
          [t.synced, <Moment key="s" at={domain.synced_at ?? ''} withTime />],
          ...(isCustomer() ? [] : [[t.customer, domain.customer_name ?? '–'] as const]),
          [t.nameservers, isTransferIn(domain) ? t.unknownBeforeTransfer : domain.nameservers.join(', ') || '–'],
          ...(isCustomer() || domain.state === 'removed'
            ? []
            : [[t.registryStatus, domain.registry_status.map(registryStatusText).join(', ') || '–'] as const]),
        ]}
      />
    </Card>
  );
}

interface Setting {
  readonly title: string;
  readonly hint?: string;
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
    { title: t.locked, hint: t.lockedText, isOn: domain.locked, verb: domain.locked ? 'unlock' : 'lock' },
    {
      title: t.theftProtection,
      hint: t.theftProtectionText,
      isOn: isProtected,
      verb: isProtected ? 'unprotect' : 'protect',
    },
    {
      title: t.privacy,
      hint: t.privacyText,
      isOn: isHidden,
      verb: isHidden ? 'reveal' : isBought ? 'hide' : 'privacy',
    },
    {
      title: t.suspension,
      hint: t.suspendedHint,
      isOn: domain.suspended,
      verb: domain.suspended ? 'resume' : 'suspend',
    },
  ];
  return (
    <Card title={t.settings}>
      <Facts
        rows={settings.map(({ title, hint, isOn, text, verb }) => [
          title,
          <span key={verb} class="setting">
            {isOn === undefined ? text : <StatusIcon kind={isOn ? 'good' : 'none'}>{isOn ? t.yes : t.no}</StatusIcon>}
            {onVerb && isOffered(verb) && (
              <Button small aria-label={`${t.settingVerbs[verb]}: ${title}`} onClick={() => onVerb(verb)}>
                {t.settingVerbs[verb]}
              </Button>
            )}
          </span>,
          hint,
        ])}
      />
    </Card>
  );
}

const isAllowed = (timeline: Timeline | undefined, action: string) =>
  timeline?.blocks.some((block) => block.action === action && block.allowed) ?? false;

const actionOf: Partial<Record<Verb, string>> = { code: 'update', move: 'update' };

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
  /** Why an action is not possible, for the tooltip of its button. */
  const reasonOf = (action: string) =>
    timeline.blocks.find((block) => block.action === action)?.reasons.map(({ because }) => reasonText(because))[0];
  const button = (verb: Verb, label: string, isPossible: boolean, kind: 'primary' | 'plain' | 'danger' = 'plain') =>
    isOffered(verb) && (
      <Button
        key={verb}
        kind={kind}
        disabled={!isPossible}
        title={isPossible ? undefined : reasonOf(actionOf[verb] ?? verb)}
        onClick={() => onVerb(verb)}
      >
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
      {isTransferIn(domain) &&
        domain.transfer?.status === 'code_refused' &&
        button('new_auth_code', t.enterNewCode, true)}
      {isTransferIn(domain) && button('cancel_transfer', t.cancelTransfer, true, 'danger')}
      {button('code', t.authCode, can('update'))}
      {button('move', t.moveDomain, can('update'))}
      {button('delete', t.verbs.delete, can('delete'), 'danger')}
    </>
  );
}

/** The status and the timeline of a domain in this account. */
function Present({
  timeline,
  domain,
  onVerb,
}: {
  readonly timeline: Timeline;
  readonly domain: Domain | undefined;
  readonly onVerb: OnVerb;
}) {
  const isSuspended = domain?.suspended && timeline.state === 'live';
  return (
    <>
      {isSuspended && <SuspendedBanner timeline={timeline} onVerb={onVerb} />}
      {!(isSuspended && timeline.must_act.who === 'nobody') && <StatusBanner timeline={timeline} />}
      <TimelineCard timeline={timeline} paidUntil={domain?.expiry_date} />
    </>
  );
}

export default function DomainPage() {
  const t = messages();
  const name = useRoute().params.name ?? '';
  const path = { domain_id: name };
  const domain = useResource('/domains/{domain_id}', { path });
  const timeline = useResource('/domains/{domain_id}/timeline', { path });
  const { query, go } = usePageUrl();
  const error = domain.error ?? timeline.error;
  const isRegistered = !/^(unpaid|removed)$/.test(timeline.data?.state ?? '');
  const isRemoved = timeline.data?.state === 'removed';
  const detail = domain.data as Domain | undefined;
  const onVerb: OnVerb = may('domains:write') ? (verb) => go({ do: verb }) : undefined;
  return (
    <>
      <DomainHead
        name={detail?.domain_name ?? name}
        at="overview"
        lead={detail && <Status of={detail} />}
        actions={
          <>
            {detail && timeline.data && onVerb && isRegistered && (
              <Actions domain={detail} timeline={timeline.data} onVerb={onVerb} />
            )}
            <CopyCurl method="get" address={`/v1/domains/${name}/timeline`} />
          </>
        }
      />
      {error?.status === 404 ? (
        <Empty title={t.notFound} action={<ButtonLink href="/app/domains">{label().domains}</ButtonLink>}>
          {t.notFoundText}
        </Empty>
      ) : (
        error && (
          <ErrorBanner
            error={error}
            onRetry={() => {
              domain.refetch();
              timeline.refetch();
            }}
          />
        )
      )}
      {timeline.isLoading && <Skeleton />}
      {detail && isRemoved && <RemovedBanner domain={detail} />}
      {timeline.data && detail && isRegistered && (
        <WaitingChanges domainId={detail.domain_id} shownId={timeline.data.operation_id ?? undefined} />
      )}
      {timeline.data && !isRemoved && <Present timeline={timeline.data} domain={detail} onVerb={onVerb} />}
      <div class="columns">
        <div class="stack">
          {detail && !isRemoved && <Settings domain={detail} onVerb={isRegistered ? onVerb : undefined} />}
          {detail && <Details domain={detail} />}
        </div>
        {timeline.data && detail && !isRemoved && !isCustomer() && (
          <AllowedActions domain={detail} timeline={timeline.data} onVerb={onVerb} />
        )}
      </div>
      {detail && onVerb && (
        <VerbDialogs
          verb={verbIn(query.do)}
          domain={detail}
          canMove={isAllowed(timeline.data, 'move')}
          onClose={() => go({ do: '' })}
        />
      )}
    </>
  );
}

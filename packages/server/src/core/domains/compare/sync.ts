import { allTenants, type Tx } from '@namehold/postgres';
import { clearAlarm, raiseAlarm } from '../../alarms/alarm.ts';
import type { AppContext } from '../../app-context.ts';
import { appendEvent, type NewEvent } from '../../events/append.ts';
import { lifeEvent } from '../../events/life-event.ts';
import type { Domain, TransferAway } from '../../model/domain.ts';
import { describe } from '../../model/evidence.ts';
import type { TldRules } from '../../model/tld.ts';
import { findOpenOperation } from '../../operations/operation.sql.ts';
import { linesOf } from '../../operations/registry-statement.ts';
import type { Registry, RegistryDomain, RegistryTransfer, StatementLine } from '../../ports/registry.ts';
import { lockDomain, readDomain } from '../../tables/domain.sql.ts';
import { rulesOf } from '../../tlds/rules-of.ts';
import { markRemoved, recordRegistryView } from '../domain.sql.ts';
import { isExpectedEnd, type Life, lifePolicy, phaseOf, stateFrom } from '../lifecycle.ts';
import { settleRegistryAutoRenewals } from '../renewal/departure.ts';
import { recordRegistryAutoRenewals } from '../renewal/registry-auto-renewals.ts';
import { isWith, leftAtOf, noteTransferAway, settleLeaving } from '../transfer-out/left.ts';
import { noteMissing } from './missing.sql.ts';
import { emitRegistryHold, noteRegistryHold } from './registry-hold.ts';
import { clearReportDue } from './report-due.ts';

type Synced<T = undefined> =
  | { readonly kind: 'synced'; readonly life: Life; readonly more: T }
  /** An operation is open or has just ended, so the answer may be older than its effect. */
  | { readonly kind: 'busy'; readonly why: string }
  | { readonly kind: 'unreachable'; readonly why: string }
  /**
   * The registry reports the domain as deleted or sponsored by another registrar without an expected cause. It is queried again before
   * that is accepted.
   */
  | { readonly kind: 'missing'; readonly why: string; readonly againAt: Date };

/** Further work with the view, in the transaction that records it. */
type WithView<T> = (tx: Tx, domain: Domain, view: RegistryDomain, life: Life, rules: TldRules) => Promise<T>;

export interface SyncOptions {
  /** A poll message reported the end too, so the registry's answer is confirmed by a second source. */
  readonly isEndReported?: boolean;
}

/** Queries the registry about a domain and records the answer. */
export async function syncWith<T>(
  ctx: AppContext,
  { id }: Pick<Domain, 'id'>,
  more: WithView<T>,
  options: SyncOptions = {},
): Promise<Synced<T | undefined>> {
  const before = await readDomain(ctx.db.as(allTenants), id);
  // Doubt about an answer is judged by the time of the query: time passes until the answer, and the business clock may be moved.
  const requestedAt = ctx.clock.now();
  const registry = await ctx.registries.of(before.registry_id);
  const queryReply = await registry.info(before.name, { priority: 'background' });
  if (queryReply.kind !== 'done') {
    return { kind: 'unreachable', why: queryReply.kind === 'refused' ? describe(queryReply.evidence) : queryReply.why };
  }
  // What the answer shows happened before this time, possibly after the query was sent.
  const answeredAt = ctx.clock.now();
  const view = queryReply.data;
  const transfer = await queryTransferState(registry, before, view);
  const isGone = !view?.isOurs && before.state !== 'pending' && !isNowhere(before);
  const lines = isGone ? await linesOf(registry, before.name) : undefined;
  const synced = await ctx.db.transaction(allTenants, async (tx): Promise<Synced<T | undefined>> => {
    const domain = await lockDomain(tx, before.reseller_id, id);
    const open = await findOpenOperation(tx, id);
    if (open) return { kind: 'busy', why: `operation ${open.id} is in progress` };
    if (!domain || domain.updated_at.getTime() !== before.updated_at.getTime()) {
      return { kind: 'busy', why: 'the domain was changed while the registry was queried' };
    }
    const rules = await rulesOf(tx, domain);
    const isReported = options.isEndReported || isTransferredTo(view, transfer);
    const doubt = isReported ? undefined : doubtOf(domain, view, rules, requestedAt);
    if (doubt) {
      await noteMissing(tx, id, requestedAt);
      const since = domain.missing_since ?? requestedAt;
      return { kind: 'missing', why: doubt, againAt: new Date(since.getTime() + lifePolicy.missingAgainMs) };
    }
    const life = await applyView(ctx, tx, domain, view, rules, requestedAt, { transfer, lines, answeredAt });
    return { kind: 'synced', life, more: view ? await more(tx, domain, view, life, rules) : undefined };
  });
  await reportMissing(ctx, before, synced);
  if (synced.kind === 'synced') {
    await clearReportDue(ctx, before, synced.life.state);
    await emitRegistryHold(ctx, before, view);
  }
  return synced;
}

/** The registry's transfer data, if the domain is being or was transferred away. Null if the registry does not answer. */
async function queryTransferState(
  registry: Registry,
  domain: Domain,
  view: RegistryDomain | null,
): Promise<RegistryTransfer | null> {
  if (view === null || domain.state === 'pending' || isNowhere(domain)) return null;
  const isConcerned = !view.isOurs || domain.state === 'pending_transfer' || phaseOf(view) === 'pending_transfer';
  if (!isConcerned) return null;
  const queryReply = await registry.queryTransfer(view.name, { priority: 'background' });
  return queryReply.kind === 'done' ? queryReply.data : null;
}

/** The domain left, or its order is unpaid: what the registry shows under the domain name does not concern it. */
const isNowhere = ({ state }: Domain): boolean => state === 'removed' || state === 'unpaid';

/** The second source: the registry reports not only another sponsor but also the transfer to it. */
const isTransferredTo = (view: RegistryDomain | null, transfer: RegistryTransfer | null): boolean =>
  view !== null &&
  !view.isOurs &&
  transfer !== null &&
  !transfer.isToUs &&
  isWith(transfer.gaining, view.sponsor) &&
  /Approved$/.test(transfer.status);

/** One answer does not end an active domain: a registry can be wrong for a moment, but a tombstone is permanent. */
function doubtOf(domain: Domain, view: RegistryDomain | null, rules: TldRules, now: Date): string | undefined {
  const { removedReason } = stateFrom(view, domain, rules, now);
  if (!removedReason || isExpectedEnd(domain, removedReason, rules, now)) return undefined;
  const since = domain.missing_since;
  if (since && now.getTime() - since.getTime() >= lifePolicy.missingAgainMs) return undefined;
  return view ? `sponsored by ${view.sponsor ?? 'another registrar'}` : 'the registry reports that it does not exist';
}

async function reportMissing(ctx: AppContext, domain: Domain, synced: Synced<unknown>): Promise<void> {
  const key = `missing:${domain.id}`;
  const facts = { domain_id: domain.id, registry_id: domain.registry_id };
  const raise = (sentence: string) => raiseAlarm(ctx, { key, severity: 'critical', sentence, facts });
  if (synced.kind === 'missing')
    return raise(`${domain.name} is active here, but ${synced.why}; the registry will be queried again`);
  if (synced.kind !== 'synced' || !domain.missing_since) return;
  const { removedReason } = synced.life;
  if (removedReason === null) return clearAlarm(ctx, key);
  const how = removedReason === 'dropped' ? 'does not exist at its registry any more' : 'is at another registrar';
  await raise(
    `${domain.name} ${how} without an expected cause; it was marked as removed. It is searched daily for ${lifePolicy.searchMissingDays} days. If the departure is right, acknowledge this alarm`,
  );
}

function lifeEventOf(domain: Domain, life: Life, away: TransferAway | null): NewEvent | undefined {
  const redemption_ends_at = life.redemptionEndsAt;
  if (life.state === 'redemption') return lifeEvent(domain, 'domain.redemption', { redemption_ends_at });
  if (life.state === 'pending_delete') return lifeEvent(domain, 'domain.pending_delete', { redemption_ends_at });
  if (life.state === 'pending_transfer') {
    const { registrar = null, requested_at = null, action_at = null } = away ?? {};
    return lifeEvent(domain, 'domain.transfer_requested', { registrar, requested_at, action_at });
  }
  if (domain.state !== 'pending_transfer') return undefined;
  const status = away && away.status !== 'pending' ? away.status : null;
  return lifeEvent(domain, 'domain.transfer_ended', { status });
}

/** Further data that belongs to a view. */
interface ViewEvidence {
  /** The registry's data about a domain that left. */
  readonly transfer?: RegistryTransfer | null;
  readonly lines?: readonly StatementLine[] | undefined;
  /** When the view arrived; dates that it proves may be as late as this. Default: the recorded time. */
  readonly answeredAt?: Date;
}

/** Records a view, and emits an event if the state changed. The caller holds the lock on the row. */
export async function applyView(
  ctx: AppContext,
  tx: Tx,
  domain: Domain,
  view: RegistryDomain | null,
  rules: TldRules,
  now: Date = ctx.clock.now(),
  { transfer, lines, answeredAt = now }: ViewEvidence = {},
): Promise<Life> {
  const life = stateFrom(view, domain, rules, answeredAt);
  if (isNowhere(domain)) return life;
  if (life.removedReason) {
    const departure = { lines, leftAt: leftAtOf(view, transfer), now };
    const refundedYears = await settleRegistryAutoRenewals(ctx, tx, domain, rules, departure);
    await markRemoved(tx, domain.id, life.removedReason, now);
    const isDropped = view === null || life.removedReason === 'dropped';
    const event = isDropped
      ? lifeEvent(domain, 'domain.dropped', {})
      : await notifyDeparture(ctx, tx, domain, view, {
          transfer,
          rules,
          leftAt: departure.leftAt,
          refundedYears,
        });
    await appendEvent(ctx, tx, event);
    return life;
  }
  if (view) {
    await recordRegistryAutoRenewals(ctx, tx, domain, view, life, rules);
    await recordRegistryView(tx, domain.id, view, life.state, { ...life, now });
    await noteRegistryHold(ctx, tx, domain, view);
  }
  const away = await noteTransferAway(tx, domain, transfer);
  const news = domain.state === life.state ? undefined : lifeEventOf(domain, life, away);
  if (news) await appendEvent(ctx, tx, news);
  return life;
}

async function notifyDeparture(
  ctx: AppContext,
  tx: Tx,
  domain: Domain,
  view: RegistryDomain,
  gone: Omit<Parameters<typeof settleLeaving>[3], 'sponsor'>,
): Promise<NewEvent> {
  const { registrar, action_at: at } = await settleLeaving(ctx, tx, domain, { ...gone, sponsor: view.sponsor });
  return lifeEvent(domain, 'domain.transferred_away', { sponsor: registrar, at });
}

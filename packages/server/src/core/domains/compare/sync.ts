import { allTenants, type Tx } from '@namehold/base';
import { clearAlarm, raiseAlarm } from '../../alarms/alarm.ts';
import type { AppContext } from '../../app-context.ts';
import { appendEvent, type NewEvent } from '../../events/append.ts';
import { findOpenOperation } from '../../operations/operation.sql.ts';
import { rulesOf } from '../../tlds/rules-of.ts';
import type { TldRules } from '../../tlds/tld.ts';
import { lockDomain, markRemoved, readDomain, recordRegistryView } from '../domain.sql.ts';
import type { Domain, TransferAway } from '../domain.ts';
import { lifeEvent } from '../life-event.ts';
import { isExpectedEnd, type Life, lifePolicy, phaseOf, stateFrom } from '../lifecycle.ts';
import { describe } from '../registry/ensure-contacts.ts';
import type { Registry, RegistryDomain, RegistryTransfer, StatementLine } from '../registry/registry.ts';
import { linesOf } from '../registry/statement.ts';
import { settleOwnRenewals } from '../renewal/departure.ts';
import { followOwnRenewals } from '../renewal/own-renewals.ts';
import { isWith, leftAtOf, noteTransferAway, settleLeaving } from '../transfer-out/left.ts';
import { noteMissing } from './missing.sql.ts';
import { emitRegistryHold, noteRegistryHold } from './registry-hold.ts';
import { clearReportDue } from './report-due.ts';

export type Synced<T = undefined> =
  | { readonly kind: 'synced'; readonly life: Life; readonly more: T }
  /** An operation is under way or has just ended: what was asked may be older than what it did. */
  | { readonly kind: 'busy'; readonly why: string }
  | { readonly kind: 'unreachable'; readonly why: string }
  /** The registry says that it is gone, or another's, and nothing led up to that: it is asked again before it is believed. */
  | { readonly kind: 'missing'; readonly why: string };

/** What else is to be done with a view, in the transaction that records it. */
export type WithView<T> = (tx: Tx, domain: Domain, view: RegistryDomain, life: Life, rules: TldRules) => Promise<T>;

export interface SyncOptions {
  /** A message of the registry says so too: its answer is the second witness. */
  readonly isEndReported?: boolean;
}

/** Asks the registry about a name and takes over what it says. */
export async function syncWith<T>(
  ctx: AppContext,
  { id }: Pick<Domain, 'id'>,
  more: WithView<T>,
  options: SyncOptions = {},
): Promise<Synced<T | undefined>> {
  const before = await readDomain(ctx.db.as(allTenants), id);
  // As old as the question, not as the answer's arrival: time, and a moved clock even more, passes in between.
  const requestedAt = ctx.clock.now();
  const registry = await ctx.registries.of(before.registry_id);
  const queryReply = await registry.info(before.name, { lane: 'background' });
  if (queryReply.kind !== 'done') {
    return { kind: 'unreachable', why: queryReply.kind === 'refused' ? describe(queryReply.evidence) : queryReply.why };
  }
  const view = queryReply.data;
  const transfer = await queryTransferState(registry, before, view);
  const isGone = !view?.isOurs && before.state !== 'pending' && !isNowhere(before);
  const lines = isGone ? await linesOf(registry, before.name) : undefined;
  const synced = await ctx.db.transaction(allTenants, async (tx): Promise<Synced<T | undefined>> => {
    const domain = await lockDomain(tx, before.reseller_id, id);
    const open = await findOpenOperation(tx, id);
    if (open) return { kind: 'busy', why: `operation ${open.id} is under way` };
    if (!domain || domain.updated_at.getTime() !== before.updated_at.getTime()) {
      return { kind: 'busy', why: 'the name was changed while the registry was asked' };
    }
    const rules = await rulesOf(tx, domain.tld);
    const isReported = options.isEndReported || isTransferredTo(view, transfer);
    const doubt = isReported ? undefined : doubtOf(domain, view, rules, requestedAt);
    if (doubt) {
      await noteMissing(tx, id, requestedAt);
      return { kind: 'missing', why: doubt };
    }
    const life = await applyView(ctx, tx, domain, view, rules, requestedAt, { transfer, lines });
    return { kind: 'synced', life, more: view ? await more(tx, domain, view, life, rules) : undefined };
  });
  await reportMissing(ctx, before, synced);
  if (synced.kind === 'synced') {
    await clearReportDue(ctx, before, synced.life.state);
    await emitRegistryHold(ctx, before, view);
  }
  return synced;
}

/** Where the name is on its way to another registrar, was, or is there: what the registry tells of that. Silence is no answer. */
async function queryTransferState(
  registry: Registry,
  domain: Domain,
  view: RegistryDomain | null,
): Promise<RegistryTransfer | null> {
  if (view === null || domain.state === 'pending' || isNowhere(domain)) return null;
  const isConcerned = !view.isOurs || domain.state === 'pending_transfer' || phaseOf(view) === 'pending_transfer';
  if (!isConcerned) return null;
  const queryReply = await registry.queryTransfer(view.name, { lane: 'background' });
  return queryReply.kind === 'done' ? queryReply.data : null;
}

/** No longer here, or only on an order that waits: what a registry shows under the name is not about it. */
const isNowhere = ({ state }: Domain): boolean => state === 'removed' || state === 'unpaid';

/** The second witness: the registry says not only that another has it, but how that came. */
const isTransferredTo = (view: RegistryDomain | null, transfer: RegistryTransfer | null): boolean =>
  view !== null &&
  !view.isOurs &&
  transfer !== null &&
  !transfer.isToUs &&
  isWith(transfer.gaining, view.sponsor) &&
  /Approved$/.test(transfer.status);

/** One answer does not bury a name that lives: a registry can be wrong for a moment, a tombstone stays. */
function doubtOf(domain: Domain, view: RegistryDomain | null, rules: TldRules, now: Date): string | undefined {
  const { removedReason } = stateFrom(view, domain, rules, now);
  if (!removedReason || isExpectedEnd(domain, removedReason, rules, now)) return undefined;
  const since = domain.missing_since;
  if (since && now.getTime() - since.getTime() >= lifePolicy.missingAgainMs) return undefined;
  return view ? `sponsored by ${view.sponsor ?? 'another registrar'}` : 'the registry says that it does not exist';
}

async function reportMissing(ctx: AppContext, domain: Domain, synced: Synced<unknown>): Promise<void> {
  const key = `missing:${domain.id}`;
  const facts = { domain_id: domain.id, registry_id: domain.registry_id };
  const raise = (sentence: string) => raiseAlarm(ctx, { key, severity: 'critical', sentence, facts });
  if (synced.kind === 'missing') return raise(`${domain.name} is live here, but ${synced.why}; it will be asked again`);
  if (synced.kind !== 'synced' || !domain.missing_since) return;
  const { removedReason } = synced.life;
  if (removedReason === null) return clearAlarm(ctx, key);
  const how = removedReason === 'dropped' ? 'does not exist at its registry any more' : 'is at another registrar';
  await raise(`${domain.name} ${how}, and nothing led up to it; it was taken out of the books`);
}

function newsOf(domain: Domain, life: Life, away: TransferAway | null): NewEvent | undefined {
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

/** What else the registry tells about a domain that left. */
export interface LeavingEvidence {
  readonly transfer?: RegistryTransfer | null;
  readonly lines?: readonly StatementLine[] | undefined;
}

/** What the view means is written down, and a change of state is told. The caller holds the row's lock. */
export async function applyView(
  ctx: AppContext,
  tx: Tx,
  domain: Domain,
  view: RegistryDomain | null,
  rules: TldRules,
  now: Date = ctx.clock.now(),
  { transfer, lines }: LeavingEvidence = {},
): Promise<Life> {
  const life = stateFrom(view, domain, rules, now);
  if (isNowhere(domain)) return life;
  if (life.removedReason) {
    const departure = { lines, leftAt: leftAtOf(view, transfer), now };
    const givenBack = await settleOwnRenewals(ctx, tx, domain, rules, departure);
    await markRemoved(tx, domain.id, life.removedReason, now);
    const isDropped = view === null || life.removedReason === 'dropped';
    const news = isDropped
      ? lifeEvent(domain, 'domain.dropped', {})
      : await farewell(ctx, tx, domain, view, { transfer, rules, leftAt: departure.leftAt, givenBack });
    await appendEvent(ctx, tx, news);
    return life;
  }
  if (view) {
    await followOwnRenewals(ctx, tx, domain, view, life, rules);
    await recordRegistryView(tx, domain.id, view, life.state, { ...life, now });
    await noteRegistryHold(ctx, tx, domain, view);
  }
  const away = await noteTransferAway(tx, domain, transfer);
  const news = domain.state === life.state ? undefined : newsOf(domain, life, away);
  if (news) await appendEvent(ctx, tx, news);
  return life;
}

async function farewell(
  ctx: AppContext,
  tx: Tx,
  domain: Domain,
  view: RegistryDomain,
  gone: Omit<Parameters<typeof settleLeaving>[3], 'sponsor'>,
): Promise<NewEvent> {
  const { registrar, action_at: at } = await settleLeaving(ctx, tx, domain, { ...gone, sponsor: view.sponsor });
  return lifeEvent(domain, 'domain.transferred_away', { sponsor: registrar, at });
}

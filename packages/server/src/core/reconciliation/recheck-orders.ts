import { allTenants } from '@namehold/postgres';
import { clearAlarm } from '../alarms/alarm.ts';
import type { AppContext } from '../app-context.ts';
import { reconcileDomain } from '../domains/compare/reconcile.ts';
import { forEachParallel } from '../jobs/run-items.ts';
import type { Operation } from '../model/operation.ts';
import { dueRechecks, postponeRecheck, recordRecheck } from '../operations/reopen.sql.ts';
import type { Registry } from '../ports/registry.ts';
import { readDomainWithRules } from '../tables/domain.sql.ts';
import { wasCarriedOutLate } from './carried-out-late.ts';
import { differenceKey } from './difference.ts';
import { operationsBetween } from './operations.ts';
import { isExplained } from './recheck-orders.sql.ts';
import { reconciliationLimits } from './reconcile.ts';
import { raiseDifferenceAlarm } from './report.ts';

const rechecksPerRun = 50;
const hourMs = 3_600_000;
/** After the first check: an hour, and a day. No registry is known to delay a command for longer. */
const waitsMs = [hourMs, 24 * hourMs];
const unansweredMs = 300_000;

/**
 * A command without an answer can arrive after its order ended. The domains of such orders are queried again. An abandoned order that
 * was carried out after all is a difference of reconciliation, with its repair.
 */
export async function recheckOrders(ctx: AppContext): Promise<void> {
  await forEachParallel(ctx, 1, await dueRechecks(ctx.db.as(allTenants), rechecksPerRun), async (operation) => {
    const found = await recheckOrder(ctx, operation);
    if (found === 'silent') await postponeRecheck(ctx.db.autocommit(allTenants), operation.id, unansweredMs);
    else await note(ctx, operation, found === 'arrived');
  });
}

/** `arrived`: the registry has carried out an abandoned order. */
export async function recheckOrder(ctx: AppContext, operation: Operation): Promise<'arrived' | 'quiet' | 'silent'> {
  const db = ctx.db.as(allTenants);
  if (
    !operation.registry_id ||
    operation.kind === 'contact_update' ||
    operation.kind === 'holder_change' ||
    operation.kind === 'account_security'
  )
    return 'quiet';
  if (!ctx.registries.isReachable(operation.registry_id)) return 'silent';
  const { domain, rules } = await readDomainWithRules(db, operation.domain_id);
  const registry = await ctx.registries.of(operation.registry_id);
  const queryReply = await registry.info(domain.name, { priority: 'background' });
  if (queryReply.kind !== 'done') return 'silent';
  const isPendingToUs = operation.kind === 'transfer' && (await isPending(registry, domain.name));
  const recheck = { operation, domain, rules, view: queryReply.data, isPendingToUs, now: ctx.clock.now() };
  if (operation.state !== 'done' && wasCarriedOutLate({ ...recheck, isExplained: await isExplained(db, operation) }))
    return 'arrived';
  // Other effects of a late command are found like every external change.
  if (!['removed', 'pending', 'unpaid'].includes(domain.state)) await reconcileDomain(ctx, domain);
  return 'quiet';
}

/** A registrar that is not part of a transfer gets no answer about it. */
async function isPending(registry: Registry, name: string): Promise<boolean> {
  const query = await registry.queryTransfer(name, { priority: 'background' });
  return query.kind === 'done' && query.data?.isToUs === true && query.data.status === 'pending';
}

async function note(ctx: AppContext, operation: Operation, wasCarriedOut: boolean): Promise<void> {
  await recordRecheck(ctx.db.autocommit(allTenants), operation.id, { wasCarriedOut, waitsMs });
  const key = differenceKey({ source: 'operations', rule: 'arrived_late', subject: `operation ${operation.id}` });
  if (!wasCarriedOut) return clearAlarm(ctx, key);
  const slice = { after: operation.id.slice(0, -1), upTo: operation.id };
  const differences = await operationsBetween(ctx.db, slice, reconciliationLimits.settlingToleranceSeconds);
  for (const each of differences) if (differenceKey(each) === key) await raiseDifferenceAlarm(ctx, each);
}

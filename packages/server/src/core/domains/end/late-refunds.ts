import { dayMs, money } from '@namehold/base';
import { allTenants, type Tx } from '@namehold/postgres';
import { schedulerFor } from '../../actors.ts';
import { clearAlarm, openAlarms } from '../../alarms/alarm.ts';
import type { AppContext } from '../../app-context.ts';
import { audit } from '../../audit/audit.ts';
import { appendEvent } from '../../events/append.ts';
import { lifeEvent } from '../../events/life-event.ts';
import { claimRun } from '../../jobs/job-lease.sql.ts';
import { forEachParallel } from '../../jobs/run-items.ts';
import { refund } from '../../ledger/refund.ts';
import type { Domain } from '../../model/domain.ts';
import type { ReportedRefunds } from '../../ports/registry.ts';
import { lockDomain, readDomain } from '../../tables/domain.sql.ts';
import { unrefundedKey } from './alarm-unrefunded.ts';
import { type GraceRefund, type Refunds, shownRefund } from './grace-refunds.ts';
import { notifyFormerOwner } from './notify-former-owner.ts';
import { noteLateRefund } from './refunds.sql.ts';
import { reportedRefunds } from './reported-refunds.ts';

const lateLimits = {
  perRun: 100,
  /** After this time a missing refund must be settled manually. */
  days: 60,
};

interface Waiting {
  /** Of the operation that deleted the domain. */
  readonly id: string;
  readonly domainId: string;
  readonly deletion: { readonly knownAt: Date; readonly isGone: boolean };
}

/** Interval of the job. */
export const lateRefundsEveryMs = 600_000;
/** Slightly less, because jobs do not start at an exact time. */
const claimMs = lateRefundsEveryMs * 0.9;

/** Only one process queries the registries in each interval. */
export async function recordLateRefunds(ctx: AppContext): Promise<void> {
  if (await claimRun(ctx, 'record-late-refunds', claimMs)) await refundLate(ctx);
}

/** An upstream may refund later than it deletes, so deletes without a refund are queried again. */
export async function refundLate(ctx: AppContext): Promise<void> {
  const since = ctx.wall.now().getTime() - lateLimits.days * dayMs;
  const open = (await openAlarms(ctx)).filter(({ raised_at: at }) => at.getTime() >= since);
  const waiting = open.flatMap(({ key, facts }): Waiting[] => {
    const { operation_id: id, domain_id: domainId, known_at: at, is_gone: isGone } = facts as Record<string, string>;
    if (!id || key !== unrefundedKey(id) || !domainId || !at) return [];
    return [{ id, domainId, deletion: { knownAt: new Date(at), isGone: Boolean(isGone) } }];
  });
  await forEachParallel(ctx, 1, waiting.slice(0, lateLimits.perRun), (each) => findRefund(ctx, each));
}

async function findRefund(ctx: AppContext, waiting: Waiting): Promise<void> {
  const domain = await readDomain(ctx.db.as(allTenants), waiting.domainId);
  if (!ctx.registries.isReachable(domain.registry_id)) return;
  const reported = await (await ctx.registries.of(domain.registry_id)).reportedRefunds?.(domain.name);
  if (reported?.kind !== 'done') return;
  const after = await ctx.db.transaction(allTenants, (tx) => giveBack(ctx, tx, { ...waiting, domain }, reported.data));
  if (after.due.length > 0 && after.doubtful.length + (after.kept?.length ?? 0) === 0)
    await clearAlarm(ctx, unrefundedKey(waiting.id));
}

async function giveBack(
  ctx: AppContext,
  tx: Tx,
  { id, domain, deletion }: Waiting & { readonly domain: Domain },
  reported: ReportedRefunds,
): Promise<Refunds> {
  // Under the lock: includes refunds that another process has booked meanwhile.
  await lockDomain(tx, domain.reseller_id, domain.id);
  const refunds = await reportedRefunds(tx, domain, reported, deletion);
  for (const each of refunds.due) await payBack(ctx, tx, domain, id, each);
  return refunds;
}

async function payBack(ctx: AppContext, tx: Tx, domain: Domain, operationId: string, due: GraceRefund): Promise<void> {
  const { transaction_id } = due;
  const total = money(BigInt(due.total), due.currency);
  const refunded = shownRefund(await refund(ctx, tx, { transactionId: transaction_id, total }));
  if (!refunded) return;
  if (due.reseller_id !== domain.reseller_id) return notifyFormerOwner(ctx, tx, transaction_id, refunded);
  await noteLateRefund(tx, operationId, { transaction_id, ...refunded });
  await audit(ctx, tx, schedulerFor(domain, 'record-late-refunds'), {
    action: 'domain.purchase_refunded',
    objectType: 'domain',
    objectId: domain.id,
    after: { transaction_id, refunded },
  });
  await appendEvent(ctx, tx, lifeEvent(domain, 'domain.purchase_refunded', { transaction_id, refunded }));
}

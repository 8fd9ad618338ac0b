import { addDays } from '@namehold/base';
import { type Operation, type OperationOf, waitDelayMs } from '../../model/operation.ts';

/** The registry refused the auth code of a transfer, which continues with a new one. */
export const isWaitingForCode = (operation: Operation | undefined): operation is OperationOf<'transfer'> =>
  operation?.kind === 'transfer' &&
  operation.state === 'waiting_registry' &&
  operation.outcome?.plan?.code_until !== undefined &&
  !operation.outcome.plan.is_cancelled;

const hourMs = 3_600_000;

export const transferPolicy = {
  /** How long an order whose code was refused waits for a new one. */
  codeDays: 14,
  /** How many days after the registry's decision date a transfer is cancelled. */
  overdueDays: 10,
  /** Transfers take days, so they are queried less often than reviews, but always right after the decision date. */
  waitMaxMs: hourMs,
  soonMs: 5_000,
  isOverdue: (actionAt: Date, now: Date): boolean => addDays(actionAt, transferPolicy.overdueDays) <= now,
};

/** The delay before the next query, because the registry's poll message may be lost. */
export function waitMs(waitedMs: number, actionAt: Date | null, now: Date): number {
  const usual = Math.min(transferPolicy.waitMaxMs, Math.max(waitDelayMs(0), waitedMs / 4));
  const left = actionAt === null ? Number.POSITIVE_INFINITY : actionAt.getTime() - now.getTime();
  return left > 0 ? Math.min(usual, left + transferPolicy.soonMs) : Math.min(usual, waitDelayMs(waitedMs));
}

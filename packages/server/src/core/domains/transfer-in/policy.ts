import { addDays } from '@namehold/base';
import { waitDelayMs } from '../../operations/operation.ts';

const hourMs = 3_600_000;

export const transferPolicy = {
  /** So long an order whose code was refused waits for another. */
  codeDays: 14,
  /** So long after the day on which the registry should have decided a transfer is taken back. */
  overdueDays: 10,
  /** Registries take days: they are asked less often than for a review, but always when the day of decision has come. */
  waitMaxMs: hourMs,
  soonMs: 5_000,
  isOverdue: (actionAt: Date, now: Date): boolean => addDays(actionAt, transferPolicy.overdueDays) <= now,
};

/** When the registry is asked again: its message may be lost. */
export function waitMs(waitedMs: number, actionAt: Date | null, now: Date): number {
  const usual = Math.min(transferPolicy.waitMaxMs, Math.max(waitDelayMs(0), waitedMs / 4));
  const left = actionAt === null ? Number.POSITIVE_INFINITY : actionAt.getTime() - now.getTime();
  return left > 0 ? Math.min(usual, left + transferPolicy.soonMs) : Math.min(usual, waitDelayMs(waitedMs));
}

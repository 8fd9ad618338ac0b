import { dayMs } from '@namehold/base';
import type { AppContext } from '../app-context.ts';
import { purgeSome } from './purge.sql.ts';

/** Data that is purged, and the days for which it is kept (0: forever). Events and quotes use business time, the rest wall-clock time. */
const kinds = [
  { what: 'events', setting: 'keepEventsDays', clock: 'clock' },
  { what: 'audit', setting: 'keepAuditDays', clock: 'wall' },
  { what: 'operations', setting: 'keepOperationsDays', clock: 'wall' },
  { what: 'journal', setting: 'keepJournalDays', clock: 'wall' },
  { what: 'poll_messages', setting: 'keepPollMessagesDays', clock: 'wall' },
  { what: 'quotes', setting: 'keepQuotesDays', clock: 'clock' },
  { what: 'notices', setting: 'keepNoticesDays', clock: 'wall' },
  { what: 'confirmations', setting: 'keepNoticesDays', clock: 'clock' },
  { what: 'idempotency', setting: 'keepIdempotencyDays', clock: 'wall' },
] as const;

const rowsAtOnce = 1_000;
const roundsPerRun = 200;
/**
 * In small steps, so that other transactions do not wait; the rest is purged in the next run. Safe in several processes: each skips rows
 * that another one has locked. Returns how many rows of each were purged.
 */
export async function purgeOld(ctx: AppContext): Promise<Record<string, number>> {
  const counts: Record<string, number> = {};
  for (const { what, setting, clock } of kinds) {
    const days = ctx.config[setting];
    if (days === 0) continue;
    const before = new Date(ctx[clock].now().getTime() - days * dayMs);
    counts[what] = await purgeAll(ctx, what, before);
  }
  if (Object.values(counts).some((rows) => rows > 0)) ctx.log.info({ purged: counts }, 'purged old rows');
  return counts;
}

async function purgeAll(ctx: AppContext, what: string, before: Date): Promise<number> {
  let removed = 0;
  for (let round = 0; round < roundsPerRun; round++) {
    const gone = await purgeSome(ctx.retention, what, before, rowsAtOnce);
    const step = gone.reduce((sum, row) => sum + Number(row.removed), 0);
    // The hash of the last purged link; in the log it proves what was purged.
    const cuts = gone.filter((row) => row.cut_hash !== null);
    if (cuts.length > 0) ctx.log.info({ audit_cuts: cuts }, 'purged the oldest part of the audit log');
    removed += step;
    if (step === 0) break;
  }
  return removed;
}

import type { AppContext } from '../../app-context.ts';
import { notFound } from '../../errors.ts';
import type { Domain } from '../../model/domain.ts';
import { zoneLimits } from '../limits.ts';
import { findZone } from '../zone.sql.ts';
import { type Change, changesOf } from './change.sql.ts';

/** The changes with their authors, newest first; also of a deleted zone that can still be restored. */
export async function zoneHistory(
  ctx: AppContext,
  domain: Domain,
  page: { readonly limit: number; readonly offset: number },
): Promise<{ rows: Change[]; total: number }> {
  const db = ctx.db.as(domain.reseller_id);
  const zone = await findZone(db, domain.reseller_id, domain.id);
  if (!zone) throw notFound('zone');
  // The more changes on a page, the fewer records of each, because a page has a limit too.
  const share = Math.ceil(zoneLimits.recordsPerHistoryPage / Math.max(1, page.limit));
  const recordsOfEach = Math.min(zoneLimits.recordsInHistory, share);
  return changesOf(db, zone.id, { ...page, recordsOfEach });
}

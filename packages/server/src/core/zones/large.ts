import type { AppContext } from '../app-context.ts';
import type { Domain } from '../model/domain.ts';
import { zoneLimits } from './limits.ts';
import { movedSince } from './publish/zone-content.sql.ts';
import { findZone } from './zone.sql.ts';

/** Whether the zone has so many records that reading it would block the main thread noticeably. */
export async function isLargeZone(ctx: AppContext, domain: Pick<Domain, 'id' | 'reseller_id'>): Promise<boolean> {
  const zone = await findZone(ctx.db.as(domain.reseller_id), domain.reseller_id, domain.id);
  return zone !== undefined && zone.record_count > zoneLimits.lightRecords;
}

/** The same for its changes since a serial. */
export async function isLargeHistory(
  ctx: AppContext,
  domain: Pick<Domain, 'id' | 'reseller_id'>,
  serial: number,
): Promise<boolean> {
  const db = ctx.db.as(domain.reseller_id);
  const zone = await findZone(db, domain.reseller_id, domain.id);
  return zone !== undefined && (await movedSince(db, zone.id, serial)) > zoneLimits.lightRecords;
}

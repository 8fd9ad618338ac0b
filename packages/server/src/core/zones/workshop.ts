import type { Domain } from '../domains/domain.ts';
import type { Actor, House } from '../house.ts';
import { movedSince } from '../nameservers/zone-content.sql.ts';
import type { ZoneChanged } from './change/commit.ts';
import type { RollbackOrder } from './change/rollback.ts';
import type { ExportedFile } from './file/export-file.ts';
import type { ImportOrder } from './file/import-file.ts';
import { zoneLimits } from './limits.ts';
import type { EditOrder } from './rrsets/patch-rrsets.ts';
import { findZone } from './zone.sql.ts';

/** Work on a zone that would keep everybody else waiting if the main thread did it. */
export type ZoneTask =
  | { readonly kind: 'import'; readonly domain: Domain; readonly order: ImportOrder }
  | { readonly kind: 'patch' | 'replace'; readonly domain: Domain; readonly order: EditOrder }
  | { readonly kind: 'rollback'; readonly domain: Domain; readonly order: RollbackOrder };

/** Threads beside the main one, with a queue, a limit for each reseller and a deadline. */
export interface Workshop {
  change(actor: Actor, task: ZoneTask): Promise<ZoneChanged>;
  exportFile(actor: Pick<Actor, 'resellerId'>, domain: Domain): Promise<ExportedFile>;
}

/** The zone of a domain has so many records that reading all of them would be felt. */
export async function isLargeZone(house: House, domain: Domain): Promise<boolean> {
  const zone = await findZone(house.db.as(domain.reseller_id), domain.reseller_id, domain.id);
  return zone !== undefined && zone.record_count > zoneLimits.lightRecords;
}

/** The same for what happened to it since a serial. */
export async function isLargeHistory(house: House, domain: Domain, serial: number): Promise<boolean> {
  const db = house.db.as(domain.reseller_id);
  const zone = await findZone(db, domain.reseller_id, domain.id);
  return zone !== undefined && (await movedSince(db, zone.id, serial)) > zoneLimits.lightRecords;
}

import type { AppContext } from '../../app-context.ts';
import { badField } from '../../errors.ts';
import type { Domain } from '../../model/domain.ts';
import { zoneLimits } from '../limits.ts';
import { rrsetsOfTypes } from '../rrsets/rrset.sql.ts';
import { findZone } from '../zone.sql.ts';
import { type PlainRecord, type PlainType, plainRecord, plainTypes } from './plain-record.ts';

/** Records of the types that are edited one at a time, up to a limit and one more; empty if there is no zone yet. */
export async function listRecords(
  ctx: AppContext,
  domain: Pick<Domain, 'id' | 'reseller_id'>,
  types: readonly PlainType[] = plainTypes,
): Promise<PlainRecord[]> {
  const db = ctx.db.as(domain.reseller_id);
  const zone = await findZone(db, domain.reseller_id, domain.id);
  if (zone?.state !== 'active') return [];
  const limit = zoneLimits.recordsPerList + 1;
  const sets = await rrsetsOfTypes(db, zone.id, types, limit);
  const records: PlainRecord[] = [];
  for (const set of sets) {
    for (const record of set.records.slice(0, limit - records.length))
      records.push(plainRecord(set, set.type as PlainType, record));
    if (records.length >= limit) break;
  }
  return records;
}

/** All of them, or a refusal if only pages can show so many. */
export async function listAllRecords(ctx: AppContext, domain: Domain, type: PlainType): Promise<PlainRecord[]> {
  const records = await listRecords(ctx, domain, [type]);
  if (records.length <= zoneLimits.recordsPerList) return records;
  throw badField(
    'domain_id',
    `The zone has more than ${zoneLimits.recordsPerList} ${type} records. Read them in pages.`,
    'too_many',
    { action: 'list_rrsets', domain: domain.id, type },
  );
}

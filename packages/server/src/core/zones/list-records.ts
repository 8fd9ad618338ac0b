import type { Domain } from '../domains/domain.ts';
import type { House } from '../house.ts';
import { type ContractRecord, type ContractType, contractRecord, contractTypes } from './contract-record.ts';
import { rrsetsOfTypes } from './rrset.sql.ts';
import { findZone } from './zone.sql.ts';

/** Records of the zone, of the types that the contract knows; none where there is no zone yet. */
export async function listRecords(
  house: House,
  domain: Pick<Domain, 'id' | 'reseller_id'>,
  types: readonly ContractType[] = Object.values(contractTypes),
): Promise<ContractRecord[]> {
  const db = house.db.as(domain.reseller_id);
  const zone = await findZone(db, domain.reseller_id, domain.id);
  if (zone?.state !== 'active') return [];
  const sets = await rrsetsOfTypes(db, zone.id, types);
  return sets.flatMap((set) => set.records.map((record) => contractRecord(set, set.type as ContractType, record)));
}

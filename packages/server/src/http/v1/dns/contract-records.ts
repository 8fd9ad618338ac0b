import type { Domain } from '../../../core/domains/domain.ts';
import type { House } from '../../../core/house.ts';
import { listRecords } from '../../../core/zones/records/list-records.ts';
import { showRecordMap } from './record-view.ts';

/** The section `dns` of the domain detail; of a very large zone its first records. */
export async function contractRecords(
  house: House,
  domain: Pick<Domain, 'id' | 'reseller_id'>,
): Promise<ReturnType<typeof showRecordMap>> {
  return showRecordMap(await listRecords(house, domain));
}

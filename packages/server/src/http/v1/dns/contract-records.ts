import type { AppContext } from '../../../core/app-context.ts';
import type { Domain } from '../../../core/model/domain.ts';
import { listRecords } from '../../../core/zones/records/list-records.ts';
import { showRecordMap } from './record-view.ts';

/** The section `dns` of the domain detail. A very large zone is cut to its first records. */
export async function contractRecords(
  ctx: AppContext,
  domain: Pick<Domain, 'id' | 'reseller_id'>,
): Promise<ReturnType<typeof showRecordMap>> {
  return showRecordMap(await listRecords(ctx, domain));
}

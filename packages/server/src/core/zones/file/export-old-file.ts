import { writeZoneFile } from '@namehold/dns';
import type { AppContext, TaskOwner } from '../../app-context.ts';
import { badField, notFound } from '../../errors.ts';
import type { Domain } from '../../model/domain.ts';
import type { ExportedFile } from '../../model/zone-task.ts';
import { changesAfter } from '../change/change.sql.ts';
import { rrsetsOf } from '../change/diff.ts';
import { draftBefore } from '../change/rollback.ts';
import { isLargeHistory, isLargeZone } from '../large.ts';
import { soaRRset } from '../soa.ts';
import { findZone } from '../zone.sql.ts';

/** The zone at an earlier serial, including records of services. Also for a deleted zone that can be restored. */
export async function exportOldFile(
  ctx: AppContext,
  owner: TaskOwner,
  domain: Domain,
  serial: number,
): Promise<ExportedFile> {
  if (ctx.workers && ((await isLargeZone(ctx, domain)) || (await isLargeHistory(ctx, domain, serial))))
    return ctx.workers.exportFile(owner, domain, serial);
  return ctx.db.transaction(domain.reseller_id, async (tx) => {
    const zone = await findZone(tx, domain.reseller_id, domain.id);
    if (!zone) throw notFound('zone');
    const changes = await changesAfter(tx, zone.id, serial);
    if (!changes || changes[0]?.serial_from === null)
      throw badField('serial', `The history of the zone does not go back to ${serial}.`, 'not_found');
    const draft = await draftBefore(tx, zone, changes, () => true);
    await draft.loadAll();
    const soa = soaRRset({ ...zone, ...draft.soa, serial });
    return { file: Buffer.from(writeZoneFile(zone.name, [soa, ...rrsetsOf(draft.after())])), serial };
  });
}

import { writeZoneFile } from '@namehold/dns';
import type { AppContext, TaskOwner } from '../../app-context.ts';
import type { Domain } from '../../model/domain.ts';
import type { ExportedFile } from '../../model/zone-task.ts';
import { zoneLimits } from '../limits.ts';
import { zoneSnapshot } from '../publish/publish.ts';
import { requireZone } from '../require-zone.ts';

/** The zone as a master file that BIND, Knot and NSD read, as a consistent snapshot. */
export async function exportZoneFile(ctx: AppContext, owner: TaskOwner, domain: Domain): Promise<ExportedFile> {
  const zone = await requireZone(ctx, domain);
  if (ctx.workers && zone.record_count > zoneLimits.lightRecords) return ctx.workers.exportFile(owner, domain);
  const snapshot = await zoneSnapshot(ctx, zone.name);
  // Withdrawn between the two reads: the next call reports it.
  const { head, rrsets } = snapshot ?? { head: undefined, rrsets: [] };
  if (!head || head.id !== zone.id) return exportZoneFile(ctx, owner, domain);
  const file = writeZoneFile(zone.name, [head.soa, ...rrsets]);
  return { file: Buffer.from(file), serial: head.serial };
}

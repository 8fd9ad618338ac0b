import type { AppContext } from '../../app-context.ts';
import type { Domain } from '../../model/domain.ts';
import { activeNameservers } from '../../nameservers/list.ts';
import { recordObservations } from '../../nameservers/record-observations.ts';
import { readZone, type ZoneOverview } from '../read-zone.ts';
import { requireZone } from '../require-zone.ts';

/** Queries every nameserver in parallel and records the answers. */
export async function queryNameservers(ctx: AppContext, domain: Domain): Promise<ZoneOverview> {
  const zone = await requireZone(ctx, domain);
  const nameservers = await activeNameservers(ctx);
  const seen = await Promise.all(
    nameservers.map(async ({ id, address, port }) => {
      const answer = await ctx.querySerial({ address, port }, zone.name);
      const [serial, error] = 'serial' in answer ? [answer.serial, null] : [null, answer.error];
      return { zoneId: zone.id, nameserverId: id, serial, at: ctx.wall.now(), error };
    }),
  );
  if (seen.length > 0) await recordObservations(ctx, seen);
  return readZone(ctx, domain);
}

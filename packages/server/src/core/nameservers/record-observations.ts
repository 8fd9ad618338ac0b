import { allTenants } from '@namehold/postgres';
import type { AppContext } from '../app-context.ts';
import { addWaits, type HourOfWaits } from '../series/response-times.sql.ts';
import { classOf } from '../series/wait-classes.ts';
import {
  appendPublished,
  markPublished,
  type NewSerial,
  type Observation,
  saveObservations,
} from './publication.sql.ts';

const hourMs = 3_600_000;
const keyOf = (one: string, other: string) => `${one} ${other}`;

/** Publication delays by nameserver and hour of the change, one row each. */
function waitsOf(seen: readonly Observation[], newly: readonly NewSerial[]): HourOfWaits[] {
  const first = new Set(newly.map((each) => keyOf(each.zone_id, each.nameserver_id)));
  const rows = new Map<string, HourOfWaits & { answered: number; waits: Record<string, number> }>();
  for (const { zoneId, nameserverId, at, lagMs } of seen) {
    if (lagMs === undefined || !first.has(keyOf(zoneId, nameserverId))) continue;
    const hour = new Date(Math.floor((at.getTime() - lagMs) / hourMs) * hourMs);
    const key = keyOf(nameserverId, hour.toISOString());
    const row = rows.get(key) ?? {
      kind: 'nameserver',
      subject: nameserverId,
      command: 'publish',
      hour,
      answered: 0,
      failed: 0,
      unknown: 0,
      waits: {},
    };
    rows.set(key, row);
    row.answered += 1;
    row.waits[classOf(lagMs)] = (row.waits[classOf(lagMs)] ?? 0) + 1;
  }
  return [...rows.values()];
}

/** Stores observations and reports each zone that all nameservers have, once for each serial. */
export async function recordObservations(ctx: AppContext, seen: readonly Observation[]): Promise<void> {
  await ctx.db.transaction(allTenants, async (tx) => {
    const waits = waitsOf(seen, await saveObservations(tx, seen));
    if (waits.length > 0) await addWaits(tx, waits);
    const zoneIds = [...new Set(seen.filter((s) => s.error === null).map((s) => s.zoneId))];
    const published = zoneIds.length === 0 ? [] : await markPublished(tx, zoneIds, ctx.wall.now());
    if (published.length > 0) await appendPublished(tx, published, ctx.clock.now());
  });
}

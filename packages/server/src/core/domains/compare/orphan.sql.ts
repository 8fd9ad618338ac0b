import { type Reader, sql, type Tx } from '@namehold/postgres';

const isOrphan = sql.raw(`a.key like 'stray:%' and a.cleared_at is null`);

/** The domain of a pending order is not registered yet. */
export async function clearHeld(tx: Tx, now: Date): Promise<void> {
  await tx.run(sql`
    update alarm a set cleared_at = ${now} from domain d
    where ${isOrphan} and d.name = a.facts->>'name' and d.registry_id = a.facts->>'registry_id' and d.state not in ('pending', 'removed', 'unpaid')`);
}

export async function openOrphans(
  db: Reader,
  seenBefore: Date,
  limit: number,
): Promise<{ registry_id: string; name: string }[]> {
  return db.many(sql`
    select a.facts->>'registry_id' as registry_id, a.facts->>'name' as name from alarm a
    where ${isOrphan} and a.seen_at < ${seenBefore} order by a.seen_at limit ${limit}`);
}

export async function isOrphanAnywhere(db: Reader, name: string): Promise<boolean> {
  const row = await db.maybe(sql`
    select a.key from registry r join alarm a on a.key = 'stray:' || r.id || ':' || ${name} and a.cleared_at is null limit 1`);
  return row !== undefined;
}

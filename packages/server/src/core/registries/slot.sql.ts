import { type Reader, sql, type Tx } from '@namehold/postgres';

/** A requested slot is reserved for the requester for this long; a process that still needs it requests it again. */
const wantedFor = sql`now() + interval '3 seconds'`;
const later = (leaseMs: number) => sql`now() + ${leaseMs}::float8 * interval '1 millisecond'`;

/** The lease of one session of the account, over all processes. */
export async function acquireSessionLease(
  tx: Tx,
  registryId: string,
  owner: string,
  leaseMs: number,
  except: readonly number[],
): Promise<number | undefined> {
  const row = await tx.maybe<{ slot: number }>(sql`
    update registry_slot set owner = ${owner}, leased_until = ${later(leaseMs)}, wanted_by = null, wanted_until = null
    where (registry_id, slot) = (
      select registry_id, slot from registry_slot
      where registry_id = ${registryId} and slot <> all (${except}::int[]) and (leased_until is null or leased_until < now())
        and (wanted_until is null or wanted_until < now() or wanted_by = ${owner})
      order by slot limit 1 for update skip locked)
    returning slot`);
  if (!row) return undefined;
  // Another slot became free than the requested one.
  await tx.run(sql`
    update registry_slot set wanted_by = null, wanted_until = null where registry_id = ${registryId} and wanted_by = ${owner}`);
  return row.slot;
}

/**
 * All are taken: requests one from the process with the most slots, unless that would leave a process with less than its share. A
 * process without a slot may request the last one of another, unless it wants it for work that others could do. An earlier request is
 * repeated.
 */
export async function requestSessionLease(
  tx: Tx,
  registryId: string,
  owner: string,
  onlySpare: boolean,
): Promise<void> {
  const again = onlySpare
    ? 0
    : await tx.run(sql`
        update registry_slot set wanted_until = ${wantedFor}
        where registry_id = ${registryId} and wanted_by = ${owner} and wanted_until > now() and leased_until >= now()`);
  if (again > 0) return;
  await tx.run(sql`
    with slots as (
      select slot, owner, wanted_by, coalesce(wanted_until > now(), false) as is_wanted from registry_slot
      where registry_id = ${registryId} and leased_until >= now()
    ), mine as (
      select count(*) as n from slots where owner = ${owner} or (is_wanted and wanted_by = ${owner})
    ), others as (
      select owner, count(*) as n, max(slot) as slot from slots where owner <> ${owner} and not is_wanted group by owner
    )
    update registry_slot set wanted_by = ${owner}, wanted_until = ${wantedFor}
    where registry_id = ${registryId} and slot = (
      select others.slot from others, mine
      where others.n > mine.n + 1 or (mine.n = 0 and not ${onlySpare}::boolean) order by others.n desc limit 1)`);
}

/** Slots of this process that another one waits for. */
export async function requestedSessionLeases(db: Reader, registryId: string, owner: string): Promise<number[]> {
  const rows = await db.many<{ slot: number }>(sql`
    select slot from registry_slot where registry_id = ${registryId} and owner = ${owner} and wanted_until > now()`);
  return rows.map(({ slot }) => slot);
}

/**
 * A slot that was renewed too late, and that no other process has taken meanwhile, stays with its process: the session there was never
 * closed.
 */
export async function renewSessionLease(
  tx: Tx,
  registryId: string,
  slot: number,
  owner: string,
  leaseMs: number,
): Promise<boolean> {
  const renewed = await tx.run(sql`
    update registry_slot set owner = ${owner}, leased_until = ${later(leaseMs)}
    where registry_id = ${registryId} and slot = ${slot} and (owner = ${owner}
      or (leased_until is null or leased_until < now()) and (wanted_until is null or wanted_until < now()))`);
  return renewed === 1;
}

/** A requesting process keeps its place. */
export async function releaseSessionLease(tx: Tx, registryId: string, slot: number, owner: string): Promise<void> {
  await tx.run(sql`
    update registry_slot set owner = null, leased_until = null
    where registry_id = ${registryId} and slot = ${slot} and owner = ${owner}`);
}

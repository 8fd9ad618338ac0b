import { type Reader, sql, type Tx } from '@namehold/postgres';
import type { Holding, StatementLine } from '../ports/registry.ts';

/** A read of an upstream's list. */
export interface ListingRun {
  readonly registryId: string;
  readonly run: string;
}

/** A domain of the list. */
interface ListedName {
  readonly remoteId: string;
  readonly name: string;
  readonly isOurs: boolean;
  readonly expiresAt: Date | null;
  readonly statuses: readonly string[] | null;
}

/** Charges of one domain, by its id at the upstream or by its name. */
interface ListedCharges {
  readonly remoteId: string | undefined;
  readonly name: string | undefined;
  readonly lines: readonly StatementLine[];
}

export async function addListedNames(
  tx: Tx,
  { registryId, run }: ListingRun,
  names: readonly ListedName[],
  now: Date,
): Promise<void> {
  await tx.run(sql`
    insert into registry_listing (registry_id, run, remote_id, name, is_ours, expires_at, statuses, listed_at)
    select ${registryId}, ${run}, "remoteId", name, "isOurs", "expiresAt", statuses, ${now}
    from jsonb_to_recordset(${JSON.stringify(names)}::jsonb)
      as n ("remoteId" text, name text, "isOurs" boolean, "expiresAt" timestamptz, statuses text[])`);
}

export async function addListedCharges(
  tx: Tx,
  { registryId, run }: ListingRun,
  charges: readonly ListedCharges[],
  now: Date,
): Promise<void> {
  await tx.run(sql`
    insert into registry_listing (registry_id, run, remote_id, name, lines, listed_at)
    select ${registryId}, ${run}, "remoteId", name, lines, ${now}
    from jsonb_to_recordset(${JSON.stringify(charges)}::jsonb) as c ("remoteId" text, name text, lines jsonb)`);
}

/** Charges with the id of a listed domain are charges of its name. */
export async function nameListedCharges(tx: Tx, run: string): Promise<void> {
  await tx.run(sql`
    update registry_listing c set name = d.name from registry_listing d
    where c.run = ${run} and d.run = ${run} and c.is_ours is null and d.is_ours is not null and d.remote_id = c.remote_id
      and c.name is distinct from d.name`);
}

interface ListingRow {
  readonly name: string;
  readonly is_ours: boolean;
  readonly expires_at: Date | null;
  readonly statuses: readonly string[] | null;
  readonly lines: readonly (Omit<StatementLine, 'at'> & { readonly at: string })[] | null;
}

/** In byte order, one row for each domain: the present one if there is one, with the charges of all. */
export async function listingPage(db: Reader, run: string, after: string, limit: number): Promise<Holding[]> {
  const rows = await db.many<ListingRow>(sql`
    with page as (
      select distinct name from registry_listing
      where run = ${run} and is_ours is not null and name > ${after} order by name limit ${limit}
    )
    select p.name, d.is_ours, d.expires_at, d.statuses, (
      select jsonb_agg(line order by c.id, place) from registry_listing c, jsonb_array_elements(c.lines) with ordinality as l (line, place)
      where c.run = ${run} and c.name = p.name and c.is_ours is null) as lines
    from page p join lateral (
      select is_ours, expires_at, statuses from registry_listing n
      where n.run = ${run} and n.name = p.name and n.is_ours is not null order by n.is_ours desc, n.id limit 1) d on true
    order by p.name`);
  return rows.map(({ name, is_ours, expires_at, statuses, lines }) => ({
    name,
    isOurs: is_ours,
    expiresAt: is_ours ? expires_at : null,
    statuses,
    lines: (lines ?? []).map((line) => ({ ...line, at: new Date(line.at) })),
  }));
}

export async function isListed(db: Reader, run: string): Promise<boolean> {
  return (await db.maybe(sql`select 1 as one from registry_listing where run = ${run} limit 1`)) !== undefined;
}

/** This run, and those of the registry that were left behind by processes that ended. */
export async function removeListing(tx: Tx, { registryId, run }: ListingRun, leftBefore: Date): Promise<void> {
  await tx.run(sql`
    delete from registry_listing where run = ${run} or (registry_id = ${registryId} and listed_at < ${leftBefore})`);
}

import { type Reader, type Sql, sql, type Tx } from '@namehold/postgres';
import { type ChangeKind, countRecords, type JournalRecords, type Zone } from '../../model/zone.ts';

interface NewChange {
  readonly serialFrom: number | null;
  readonly serialTo: number;
  readonly kind: ChangeKind;
  readonly at: Date;
  readonly keyId: string | null;
  readonly user: { readonly id: string; readonly name: string } | undefined;
  readonly requestId: string;
  readonly comment: string | null;
  readonly soaFrom: string | null;
  readonly soaTo: string;
  readonly deleted: readonly JournalRecords[];
  readonly added: readonly JournalRecords[];
}

export async function insertChange(tx: Tx, zone: Pick<Zone, 'id' | 'reseller_id'>, change: NewChange): Promise<void> {
  await tx.run(sql`
    insert into zone_change (zone_id, reseller_id, serial_from, serial_to, kind, at, key_id, person_id, person_name, request_id, comment, soa_from, soa_to, deleted, added, deleted_count, added_count)
    values (${zone.id}, ${zone.reseller_id}, ${change.serialFrom}, ${change.serialTo}, ${change.kind}, ${change.at}, ${change.keyId},
            ${change.user?.id ?? null}, ${change.user?.name ?? null}, ${change.requestId}, ${change.comment}, ${change.soaFrom}, ${change.soaTo}, ${JSON.stringify(change.deleted)}, ${JSON.stringify(change.added)},
            ${countRecords(change.deleted)}, ${countRecords(change.added)})`);
}

export interface Change {
  readonly id: string;
  readonly serial_from: number | null;
  readonly serial_to: number;
  readonly kind: ChangeKind;
  readonly at: Date;
  readonly key_id: string | null;
  readonly person_id: string | null;
  readonly person_name: string | null;
  readonly request_id: string | null;
  readonly comment: string | null;
  readonly soa_from: string | null;
  readonly soa_to: string;
  readonly deleted: JournalRecords[];
  readonly added: JournalRecords[];
  readonly deleted_count: number;
  readonly added_count: number;
}

type Row = Omit<Change, 'serial_from' | 'serial_to'> & { serial_from: string | null; serial_to: string };

const changeOf = (row: Row): Change => ({
  ...row,
  serial_from: row.serial_from === null ? null : Number(row.serial_from),
  serial_to: Number(row.serial_to),
});

const columns = sql`
  c.id, c.serial_from, c.serial_to, c.kind, c.at, c.key_id, c.person_id, c.person_name, c.request_id, c.comment, c.soa_from, c.soa_to, c.deleted_count, c.added_count`;

/** RRsets from the start of a journal list up to this number of records; cut by the database, because lists can be very long. */
const firstOf = (list: Sql, records: number) => sql`(
  select coalesce(jsonb_agg(f.one order by f.n), '[]') from (
    select one, n, sum(jsonb_array_length(one -> 'records')) over (order by n) - jsonb_array_length(one -> 'records') as before
    from jsonb_array_elements(${list}) with ordinality as list (one, n) where n <= ${records}) f
  where f.before < ${records})`;

/** Newest first, with the first records of each. */
export async function changesOf(
  db: Reader,
  zoneId: string,
  page: { readonly limit: number; readonly offset: number; readonly recordsOfEach: number },
): Promise<{ rows: Change[]; total: number }> {
  const rows = await db.many<Row>(sql`
    select ${columns}, ${firstOf(sql`c.deleted`, page.recordsOfEach)} as deleted, ${firstOf(sql`c.added`, page.recordsOfEach)} as added
    from zone_change c where c.zone_id = ${zoneId} order by c.id desc limit ${page.limit} offset ${page.offset}`);
  const { n } = await db.one<{ n: number }>(
    sql`select count(*)::integer as n from zone_change where zone_id = ${zoneId}`,
  );
  return { rows: rows.map(changeOf), total: n };
}

/** The changes after this serial of the zone, oldest first; undefined if the journal does not reach back to it. */
export async function changesAfter(db: Reader, zoneId: string, serial: number): Promise<Change[] | undefined> {
  const rows = await db.many<Row>(sql`
    select ${columns}, c.deleted, c.added from zone_change c
    where c.zone_id = ${zoneId} and c.id >= (
      select min(id) from zone_change where zone_id = ${zoneId} and (serial_from = ${serial} or serial_to = ${serial}))
    order by c.id`);
  const first = rows[0];
  if (!first) return undefined;
  return (Number(first.serial_to) === serial ? rows.slice(1) : rows).map(changeOf);
}

/** Deletes old entries that are not among the newest. A journal grows only when its zone is written, so the writer cleans up. */
export async function pruneJournal(tx: Tx, zoneId: string, before: Date, keepChanges: number): Promise<number> {
  return tx.run(sql`
    delete from zone_change
    where zone_id = ${zoneId} and at < ${before} and id <= (
      select id from zone_change where zone_id = ${zoneId} order by id desc offset ${keepChanges} limit 1)`);
}

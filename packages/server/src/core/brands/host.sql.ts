import { type Autocommit, type Reader, sql, type Tx } from '@namehold/postgres';
import type { BrandHost } from '../app-context.ts';

/** A host for the pages of an account, verified or claimed. */
export interface BrandHostRow {
  readonly reseller_id: string;
  readonly host: string;
  readonly proof: string;
  readonly created_at: Date;
  readonly checked_at: Date | null;
  /** Null: claimed only. */
  readonly verified_at: Date | null;
  readonly missed_since: Date | null;
  readonly misses: number;
  readonly reached_at: Date | null;
}

const columns = sql.raw(
  'h.reseller_id, h.host, h.proof, h.created_at, h.checked_at, h.verified_at, h.missed_since, h.misses, h.reached_at',
);

export async function listOwnHosts(db: Reader, resellerId: string): Promise<BrandHostRow[]> {
  return db.many<BrandHostRow>(
    sql`select ${columns} from brand_host h where h.reseller_id = ${resellerId} order by h.created_at, h.host`,
  );
}

export async function findOwnHost(db: Reader, resellerId: string, host: string): Promise<BrandHostRow | undefined> {
  return db.maybe<BrandHostRow>(
    sql`select ${columns} from brand_host h where h.reseller_id = ${resellerId} and h.host = ${host}`,
  );
}

/** One claim of an account at a time; and one decision about a host at a time. */
export async function lockHosts(tx: Tx, of: string): Promise<void> {
  await tx.many(sql`select pg_advisory_xact_lock(hashtextextended(${of}, 1760))::text as locked`);
}

export async function insertHost(
  tx: Tx,
  row: Pick<BrandHostRow, 'reseller_id' | 'host' | 'proof' | 'created_at'>,
): Promise<BrandHostRow> {
  return tx.one<BrandHostRow>(sql`
    insert into brand_host as h (reseller_id, host, proof, created_at)
    values (${row.reseller_id}, ${row.host}, ${row.proof}, ${row.created_at}) returning ${columns}`);
}

export async function deleteHost(tx: Tx, resellerId: string, host: string): Promise<BrandHostRow | undefined> {
  return tx.maybe<BrandHostRow>(
    sql`delete from brand_host h where h.reseller_id = ${resellerId} and h.host = ${host} returning ${columns}`,
  );
}

/** Whether another existing account has it, and the number of verified hosts. */
export async function hostClaims(
  tx: Tx,
  resellerId: string,
  host: string,
): Promise<{ readonly is_taken: boolean; readonly verified: number }> {
  await tx.run(sql`
    update brand_host h set verified_at = null, missed_since = null, misses = 0, reached_at = null from reseller r
    where h.host = ${host} and h.verified_at is not null and r.id = h.reseller_id and r.deleted_at is not null`);
  return tx.one(sql`
    select exists (select from brand_host where host = ${host} and reseller_id <> ${resellerId} and verified_at is not null) as is_taken,
      (select count(*) from brand_host where verified_at is not null)::int as verified`);
}

export async function saveHostCheck(
  tx: Tx,
  row: Pick<
    BrandHostRow,
    'reseller_id' | 'host' | 'checked_at' | 'verified_at' | 'missed_since' | 'misses' | 'reached_at'
  >,
): Promise<void> {
  await tx.run(sql`
    update brand_host set checked_at = ${row.checked_at}, verified_at = ${row.verified_at}, missed_since = ${row.missed_since},
      misses = ${row.misses}, reached_at = ${row.reached_at}
    where reseller_id = ${row.reseller_id} and host = ${row.host}`);
}

/** Verified hosts that were not checked since; they count as checked now, so that one with a silent resolver does not delay the others. */
export async function takeDueHosts(alone: Autocommit, before: Date, now: Date, limit: number): Promise<BrandHostRow[]> {
  return alone.many<BrandHostRow>(sql`
    update brand_host h set checked_at = ${now} from (
      select reseller_id, host from brand_host where verified_at is not null and checked_at < ${before} order by checked_at limit ${limit}) due
    where h.reseller_id = due.reseller_id and h.host = due.host returning ${columns}`);
}

/** The hosts that requests are compared with. */
export async function listBrandHosts(db: Reader, limit: number): Promise<BrandHost[]> {
  return db.many<BrandHost>(sql`
    select h.host, h.reseller_id as "resellerId" from brand_host h join reseller r on r.id = h.reseller_id
    where h.verified_at is not null and r.deleted_at is null order by h.verified_at limit ${limit}`);
}

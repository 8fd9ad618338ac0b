import { type Reader, sql, type Tx } from '@namehold/postgres';
import type { LogoType } from './logo.ts';

/** The appearance of an account's pages, without the bytes of its logo. */
export interface BrandRow {
  readonly name: string;
  readonly support: string | null;
  readonly colour: string | null;
  readonly colour_dark: string | null;
  readonly logo_type: LogoType | null;
  readonly logo_hash: string | null;
}

export interface Logo {
  readonly bytes: Buffer;
  readonly type: LogoType;
  readonly hash: string;
}

const columns = sql.raw('b.name, b.support, b.colour, b.colour_dark, b.logo_type, b.logo_hash');

export async function findOwnBrand(db: Reader, resellerId: string): Promise<BrandRow | undefined> {
  return db.maybe<BrandRow>(sql`select ${columns} from brand b where b.reseller_id = ${resellerId}`);
}

/** One change of it at a time. */
export async function lockOwnBrand(tx: Tx, resellerId: string): Promise<BrandRow | undefined> {
  return tx.maybe<BrandRow>(sql`select ${columns} from brand b where b.reseller_id = ${resellerId} for update`);
}

/**
 * The nearest brand from the account upwards. For an unknown account it is the operator's, so that the answer does not reveal whether it
 * exists.
 */
export async function findShownBrand(db: Reader, resellerId: string | null): Promise<BrandRow | undefined> {
  return db.maybe<BrandRow>(sql`
    with recursive up as (
      select r.id, r.parent_id, 0 as height from reseller r
      where r.id = coalesce((select id from reseller where id = ${resellerId}::bigint and deleted_at is null), (select id from reseller where parent_id is null))
      union all
      select r.id, r.parent_id, up.height + 1 from reseller r join up on r.id = up.parent_id)
    select ${columns} from up join brand b on b.reseller_id = up.id order by up.height limit 1`);
}

export async function saveOwnBrand(
  tx: Tx,
  resellerId: string,
  row: Pick<BrandRow, 'name' | 'support' | 'colour' | 'colour_dark'>,
  now: Date,
): Promise<void> {
  await tx.run(sql`
    insert into brand (reseller_id, name, support, colour, colour_dark, updated_at)
    values (${resellerId}, ${row.name}, ${row.support}, ${row.colour}, ${row.colour_dark}, ${now})
    on conflict (reseller_id) do update set name = excluded.name, support = excluded.support, colour = excluded.colour,
      colour_dark = excluded.colour_dark, updated_at = excluded.updated_at`);
}

/** False: there is no brand that it could belong to. */
export async function saveLogo(tx: Tx, resellerId: string, logo: Logo | undefined, now: Date): Promise<boolean> {
  const saved = await tx.run(sql`
    update brand set logo = ${logo?.bytes ?? null}, logo_type = ${logo?.type ?? null}, logo_hash = ${logo?.hash ?? null}, updated_at = ${now}
    where reseller_id = ${resellerId}`);
  return saved === 1;
}

export async function deleteBrand(tx: Tx, resellerId: string): Promise<boolean> {
  return (await tx.run(sql`delete from brand where reseller_id = ${resellerId}`)) === 1;
}

export async function findLogo(db: Reader, hash: string): Promise<Logo | undefined> {
  return db.maybe<Logo>(
    sql`select logo as bytes, logo_type as type, logo_hash as hash from brand where logo_hash = ${hash} limit 1`,
  );
}

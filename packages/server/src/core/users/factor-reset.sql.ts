import { type Reader, sql, type Tx } from '@namehold/postgres';
import type { Sessions } from '../tables/waiting-requests.sql.ts';
import { isSessionRevoked } from './session.sql.ts';

export interface FactorReset {
  readonly person_id: string;
  readonly reseller_id: string;
  /** The name of the requesting user at that time. */
  readonly asked_by: string;
  readonly created_at: Date;
  readonly due_at: Date;
}

interface NewFactorResetRow extends FactorReset {
  readonly made_by: string | null;
  /** The session. */
  readonly made_in: string | null;
}

const columns = sql.raw('person_id, reseller_id, asked_by, created_at, due_at');

/** False: it was already requested. */
export async function insertReset(tx: Tx, row: NewFactorResetRow): Promise<boolean> {
  const made = await tx.run(sql`
    insert into factor_reset (person_id, reseller_id, asked_by, created_at, due_at, made_by, made_in)
    values (${row.person_id}, ${row.reseller_id}, ${row.asked_by}, ${row.created_at}, ${row.due_at}, ${row.made_by}, ${row.made_in})
    on conflict (person_id) do nothing`);
  return made === 1;
}

export async function findReset(db: Reader, userId: string): Promise<FactorReset | undefined> {
  return db.maybe<FactorReset>(sql`select ${columns} from factor_reset where person_id = ${userId}`);
}

export async function deleteReset(tx: Tx, userId: string): Promise<FactorReset | undefined> {
  return tx.maybe<FactorReset>(sql`delete from factor_reset where person_id = ${userId} returning ${columns}`);
}

/** Those that the user requested for others, in these sessions. */
export async function deleteResetsBy(tx: Tx, userId: string, which: Sessions): Promise<FactorReset[]> {
  const { only = null, but = null, resellerId = null } = which;
  return tx.many<FactorReset>(sql`
    delete from factor_reset where made_by = ${userId} and (${only}::text is null or made_in = ${only}) and (${but}::text is null or made_in <> ${but})
      and (${resellerId}::bigint is null or reseller_id = ${resellerId}::bigint) returning ${columns}`);
}

/** Due resets, taken by one process. `is_over`: its session was revoked while it was requested. */
export async function takeDueResets(
  tx: Tx,
  now: Date,
  limit: number,
): Promise<(FactorReset & { readonly is_over: boolean })[]> {
  return tx.many(sql`
    delete from factor_reset where person_id in (
      select person_id from factor_reset where due_at <= ${now} order by due_at limit ${limit} for update skip locked)
    returning ${columns}, ${isSessionRevoked(sql`made_in`)} as is_over`);
}

/** Whether it is the only account of the user. */
export async function isOnlyAccount(db: Reader, userId: string, resellerId: string): Promise<boolean> {
  const { only } = await db.one<{ only: boolean }>(sql`
    select count(*) filter (where reseller_id = ${resellerId}) = 1 and count(*) = 1 as only from membership where person_id = ${userId}`);
  return only;
}

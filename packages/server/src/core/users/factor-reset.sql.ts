import { type Reader, sql, type Tx } from '@namehold/postgres';

export interface FactorReset {
  readonly person_id: string;
  readonly reseller_id: string;
  /** The name of the requesting user at that time. */
  readonly asked_by: string;
  readonly created_at: Date;
  readonly due_at: Date;
}

const columns = sql.raw('person_id, reseller_id, asked_by, created_at, due_at');

/** False: it was already requested. */
export async function insertReset(tx: Tx, row: FactorReset): Promise<boolean> {
  const made = await tx.run(sql`
    insert into factor_reset (person_id, reseller_id, asked_by, created_at, due_at)
    values (${row.person_id}, ${row.reseller_id}, ${row.asked_by}, ${row.created_at}, ${row.due_at}) on conflict (person_id) do nothing`);
  return made === 1;
}

export async function findReset(db: Reader, userId: string): Promise<FactorReset | undefined> {
  return db.maybe<FactorReset>(sql`select ${columns} from factor_reset where person_id = ${userId}`);
}

export async function deleteReset(tx: Tx, userId: string): Promise<FactorReset | undefined> {
  return tx.maybe<FactorReset>(sql`delete from factor_reset where person_id = ${userId} returning ${columns}`);
}

/** Due resets, taken by one process. */
export async function takeDueResets(tx: Tx, now: Date, limit: number): Promise<FactorReset[]> {
  return tx.many<FactorReset>(sql`
    delete from factor_reset where person_id in (
      select person_id from factor_reset where due_at <= ${now} order by due_at limit ${limit} for update skip locked)
    returning ${columns}`);
}

/** Whether it is the only account of the user. */
export async function isOnlyAccount(db: Reader, userId: string, resellerId: string): Promise<boolean> {
  const { only } = await db.one<{ only: boolean }>(sql`
    select count(*) filter (where reseller_id = ${resellerId}) = 1 and count(*) = 1 as only from membership where person_id = ${userId}`);
  return only;
}

import { sql, type Tx } from '@namehold/base';

export interface RecoveryWish {
  readonly id: string;
  readonly email: string;
  readonly created_at: Date;
}

export async function insertWish(tx: Tx, row: RecoveryWish): Promise<void> {
  await tx.run(sql`
    insert into recovery_wish (id, email, created_at) values (${row.id}, ${row.email}, ${row.created_at})`);
}

/** The oldest, taken by one process. */
export async function takeWishes(tx: Tx, limit: number): Promise<RecoveryWish[]> {
  return tx.many<RecoveryWish>(sql`
    delete from recovery_wish where id in (
      select id from recovery_wish order by created_at limit ${limit} for update skip locked)
    returning id, email, created_at`);
}

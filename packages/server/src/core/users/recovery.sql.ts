import { sql, type Tx } from '@namehold/postgres';

interface RecoveryRequest {
  readonly id: string;
  readonly email: string;
  readonly created_at: Date;
}

export async function insertRecoveryRequest(tx: Tx, row: RecoveryRequest): Promise<void> {
  await tx.run(sql`
    insert into recovery_wish (id, email, created_at) values (${row.id}, ${row.email}, ${row.created_at})`);
}

/** The oldest, taken by one process. */
export async function takeRecoveryRequests(tx: Tx, limit: number): Promise<RecoveryRequest[]> {
  return tx.many<RecoveryRequest>(sql`
    delete from recovery_wish where id in (
      select id from recovery_wish order by created_at limit ${limit} for update skip locked)
    returning id, email, created_at`);
}

import { type Reader, sql } from '@namehold/postgres';

export async function pingDatabase(db: Reader): Promise<void> {
  await db.one(sql`select 1 as alive`);
}

export function countRows(db: Reader): Promise<Record<string, string>> {
  return db.one<Record<string, string>>(sql`
    select (select count(*) from domain) as domains, (select count(*) from contact) as contacts,
      (select count(*) from host) as hosts, (select count(*) from poll_message) as poll_messages,
      (select count(*) from statement) as statement_lines,
      (select count(*) from transfer where state = 'pending') as pending_transfers`);
}

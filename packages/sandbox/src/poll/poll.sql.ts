import { type Autocommit, type Reader, sql, type Tx } from '@namehold/postgres';

interface NewMessage {
  readonly clientId: string;
  readonly at: Date;
  readonly text: string;
  readonly data: string | null;
}

export async function insertMessage(tx: Tx, m: NewMessage): Promise<void> {
  await tx.run(sql`insert into poll_message (client_id, queued_at, text, data)
    values (${m.clientId}, ${m.at}, ${m.text}, ${m.data})`);
}

interface HeadRow {
  readonly id: string;
  readonly queued_at: Date;
  readonly text: string;
  readonly data: unknown;
  readonly count: string;
}

export function oldestMessage(db: Reader, clientId: string): Promise<HeadRow | undefined> {
  return db.maybe<HeadRow>(sql`
    select id, queued_at, text, data, (select count(*) from poll_message where client_id = ${clientId}) as count
    from poll_message where client_id = ${clientId} order by id limit 1`);
}

export function countMessages(db: Reader, clientId: string): Promise<{ count: string; id: string | null }> {
  return db.one(sql`select count(*) as count, min(id) as id from poll_message where client_id = ${clientId}`);
}

export function removeMessage(
  autocommit: Autocommit,
  clientId: string,
  id: string,
): Promise<{ gone: string; left: string }> {
  return autocommit.one(sql`
    with gone as (delete from poll_message where client_id = ${clientId} and id = ${id} returning id)
    select (select count(*) from gone) as gone,
      (select count(*) from poll_message where client_id = ${clientId} and id <> ${id}) as left`);
}

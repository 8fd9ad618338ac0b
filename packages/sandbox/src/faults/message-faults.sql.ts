import { type Autocommit, type Reader, sql } from '@namehold/postgres';

/** Removes the oldest message unread. */
export const loseHead = (autocommit: Autocommit, client: string): Promise<number> =>
  autocommit.run(
    sql`delete from poll_message where id = (select min(id) from poll_message where client_id = ${client})`,
  );

/** Adds a copy of the oldest message under another id. */
export const doubleHead = (autocommit: Autocommit, client: string, head: string): Promise<{ id: string } | undefined> =>
  autocommit.maybe<{ id: string }>(sql`insert into poll_message (client_id, queued_at, text, data)
    select client_id, queued_at, text, data from poll_message where id = ${head} and client_id = ${client} returning id`);

/** Gives the oldest message the id of one that was acknowledged before. */
export const reuseId = (autocommit: Autocommit, client: string, head: string, used: string): Promise<number> =>
  autocommit.run(sql`with gone as (delete from poll_message where id = ${head} and client_id = ${client}
      and not exists (select 1 from poll_message where id = ${used}) returning client_id, queued_at, text, data)
    insert into poll_message (id, client_id, queued_at, text, data) overriding system value
    select ${used}, client_id, queued_at, text, data from gone`);

/** Swaps the newest message and the oldest. */
export const swapEnds = (autocommit: Autocommit, client: string, head: string): Promise<number> =>
  autocommit.run(sql`with ends as (select ${head}::bigint as a, max(id) as b from poll_message where client_id = ${client})
    update poll_message m set queued_at = o.queued_at, text = o.text, data = o.data
    from poll_message o, ends where (m.id = ends.a and o.id = ends.b) or (m.id = ends.b and o.id = ends.a)`);

export async function headOf(db: Reader, client: string): Promise<string | undefined> {
  const { id } = await db.one<{ id: string | null }>(
    sql`select min(id) as id from poll_message where client_id = ${client}`,
  );
  return id ?? undefined;
}

import { type Autocommit, type Reader, type Sql, sql } from '@namehold/postgres';

/** The newest of each reseller are kept. */
const keptMails = 1_000;

export async function keepMail(
  alone: Autocommit,
  row: { readonly resellerId: string; readonly noticeId: string; readonly encrypted: string },
): Promise<void> {
  await alone.run(sql`
    with old as (${oldMail(sql`${row.resellerId}`)})
    insert into sandbox_mail (reseller_id, notice_id, message_sealed) values (${row.resellerId}, ${row.noticeId}, ${row.encrypted})`);
}

const oldMail = (reseller: Sql) => sql`
  delete from sandbox_mail where id in (
    select id from sandbox_mail where reseller_id = ${reseller} order by id desc offset ${keptMails - 1} limit 100)`;

/** For the reseller in whose name it was sent. */
export async function keepForwardedMail(
  alone: Autocommit,
  row: { readonly domainId: string; readonly forwardId: string; readonly encrypted: string },
): Promise<void> {
  await alone.run(sql`
    with old as (${oldMail(sql`(select reseller_id from domain where id = ${row.domainId})`)})
    insert into sandbox_mail (reseller_id, forward_id, message_sealed)
    select reseller_id, ${row.forwardId}, ${row.encrypted} from domain where id = ${row.domainId}`);
}

export interface KeptMailRow {
  /** Of the notice, or of the forwarded mail. */
  readonly mail_id: string;
  readonly message_sealed: string;
}

export async function keptMail(
  db: Reader,
  resellerId: string,
  page: { readonly limit: number; readonly offset: number },
): Promise<{ rows: KeptMailRow[]; total: number }> {
  const [rows, counted] = await Promise.all([
    db.many<KeptMailRow>(sql`
      select coalesce(notice_id, forward_id) as mail_id, message_sealed from sandbox_mail where reseller_id = ${resellerId}
      order by id desc limit ${page.limit} offset ${page.offset}`),
    db.one<{ n: string }>(sql`select count(*) as n from sandbox_mail where reseller_id = ${resellerId}`),
  ]);
  return { rows, total: Number(counted.n) };
}

/** The newest of all resellers: queried with the background jobs' login. */
export async function newestMail(db: Reader, limit: number): Promise<KeptMailRow[]> {
  return db.many<KeptMailRow>(sql`
    select coalesce(notice_id, forward_id) as mail_id, message_sealed from sandbox_mail order by id desc limit ${limit}`);
}

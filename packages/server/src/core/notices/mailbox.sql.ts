import { type Alone, type Reader, sql } from '@namehold/base';

/** The newest of each reseller are kept. */
const keptMails = 1_000;

export async function keepMail(
  alone: Alone,
  row: { readonly resellerId: string; readonly noticeId: string; readonly sealed: string },
): Promise<void> {
  await alone.run(sql`
    with old as (
      delete from sandbox_mail where id in (
        select id from sandbox_mail where reseller_id = ${row.resellerId} order by id desc offset ${keptMails - 1} limit 100))
    insert into sandbox_mail (reseller_id, notice_id, message_sealed) values (${row.resellerId}, ${row.noticeId}, ${row.sealed})`);
}

export interface KeptMailRow {
  readonly notice_id: string;
  readonly message_sealed: string;
}

export async function keptMail(
  db: Reader,
  resellerId: string,
  page: { readonly limit: number; readonly offset: number },
): Promise<{ rows: KeptMailRow[]; total: number }> {
  const [rows, counted] = await Promise.all([
    db.many<KeptMailRow>(sql`
      select notice_id, message_sealed from sandbox_mail where reseller_id = ${resellerId}
      order by id desc limit ${page.limit} offset ${page.offset}`),
    db.one<{ n: string }>(sql`select count(*) as n from sandbox_mail where reseller_id = ${resellerId}`),
  ]);
  return { rows, total: Number(counted.n) };
}

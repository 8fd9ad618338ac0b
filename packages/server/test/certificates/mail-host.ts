import { allTenants, sql } from '@namehold/postgres';
import type { TestService } from '../../../../test/support/service.ts';
import { PostfixCopy } from '../support/postfix.ts';

/** Makes a mail host due now. It has its certificate once this row is live. */
export async function hostRow(
  t: TestService,
  host: string,
): Promise<{ state: string; id: string | null; reason: string | null }> {
  return t.ctx.db.as(allTenants).one(sql`select state, id, reason from certificate where host = ${host}`);
}

export async function lookAtHost(t: TestService, host: string, isDue = false): Promise<void> {
  await t.ctx.db.autocommit(allTenants).run(sql`
    update certificate set look_at = now(), renew_at = case when ${isDue} then now() else renew_at end where host = ${host}`);
}

export async function hostOrders(
  t: TestService,
  host: string,
): Promise<{ state: string; method: string; names: string[] }[]> {
  return t.ctx.db.as(allTenants).many(sql`
    select state, method, names from certificate_order where host = ${host} order by id`);
}

export async function seenHost(
  t: TestService,
  host: string,
): Promise<{ is_good: boolean; reason: string | null } | undefined> {
  return t.ctx.db.as(allTenants).maybe(sql`select is_good, reason from mail_host where host = ${host}`);
}

/** A Postfix with its certificate in this file, or none if the file is missing. Its processes live for a second instead of minutes. */
export function startSecurePostfix(port: number, host: string, file: string): PostfixCopy {
  const copy = new PostfixCopy(port);
  copy.start(
    [
      `myhostname = ${host}`,
      `smtpd_tls_chain_files = ${file}`,
      'smtpd_tls_security_level = may',
      'max_idle = 1s',
      'max_use = 1',
      'notify_classes =',
      '',
    ].join('\n'),
  );
  return copy;
}

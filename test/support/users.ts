import { allTenants, sql } from '@namehold/postgres';
import { systemActor } from '../../packages/server/src/core/actors.ts';
import type { Access } from '../../packages/server/src/core/model/customer-access.ts';
import { inviteUser } from '../../packages/server/src/core/users/invite.ts';
import type { Role } from '../../packages/server/src/core/users/user.ts';
import { mailsTo } from './mail.ts';
import type { Called, TestService } from './service.ts';

let made = 0;

export interface Member {
  readonly email?: string;
  readonly role?: Role;
  readonly scopes?: string[];
  readonly password?: string;
}

/** Like the command line. */
export async function codeFor(t: TestService, resellerId: string, member: Member = {}): Promise<string> {
  made += 1;
  const { email = `person${made}@people.example`, role = 'owner', scopes } = member;
  const { code } = await inviteUser(t.ctx, { ...systemActor, resellerId }, { email, role, scopes });
  return code;
}

/** The newest code that was mailed to an address for an account. */
export async function mailedCode(t: TestService, resellerId: string, email: string): Promise<string> {
  const mails = await mailsTo(t, email, resellerId);
  const [code] = mails.flatMap(({ text }) => /\/app\/welcome(?:\?reset)?#code=(\S+)/.exec(text)?.[1] ?? []);
  if (!code) throw new Error(`no code was mailed to ${email}`);
  return code;
}

/** The cookie that a browser would send back. */
export const cookieOf = (called: Called): string => called.headers.get('set-cookie')!.split(';')[0]!;

/** Gives a customer access and signs in with a password; returns the cookie. */
export async function openCustomerSession(
  t: TestService,
  resellerId: string,
  customerId: string,
  access: Access,
  as?: string,
): Promise<string> {
  const by = as ? { as } : {};
  const given = await t.call('PUT', `/v1/customers/${customerId}/access`, { json: { access }, ...by });
  if (given.status !== 200) throw new Error(given.text);
  const invited = await t.call('POST', `/v1/customers/${customerId}/invitation`, by);
  const { email, temp_password: password } = invited.body as Record<string, string>;
  const json = { email, password, new_password: 'chosen by the customer', reseller_id: resellerId };
  const called = await t.call('POST', '/v1/session', { json, session: '' });
  if (called.status !== 200) throw new Error(called.text);
  return cookieOf(called);
}

/** Signs a new user in to the account; returns the cookie, for `session` of a call. */
export async function openSession(t: TestService, resellerId: string, member: Member = {}): Promise<string> {
  const code = await codeFor(t, resellerId, member);
  const json = { code, password: member.password ?? 'a long enough one' };
  const called = await t.call('POST', '/v1/session/code', { json, session: '' });
  if (called.status !== 200) throw new Error(called.text);
  // Tests are slow at times, so all of them count as recently authenticated.
  await t.ctx.db.transaction(allTenants, (tx) =>
    tx.run(sql`update person_session set sudo_until = now() + interval '1 day' where id = ${called.body.session_id}`),
  );
  return cookieOf(called);
}

import { allTenants, type Sql, sql } from '@namehold/postgres';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { runJob } from '../../../../test/support/jobs.ts';
import { makeCustomer, person } from '../../../../test/support/parties.ts';
import { keyFor, makeReseller } from '../../../../test/support/resellers.ts';
import { startTestService, type TestService } from '../../../../test/support/service.ts';
import { cookieOf, mailedCode, openCustomerSession, openSession } from '../../../../test/support/users.ts';
import { credentialPaths } from '../../../../tools/pages/credential-paths.ts';
import { operationOf } from '../../../../tools/pages/security.ts';
import { systemActor } from '../../src/core/actors.ts';
import { recoverUser } from '../../src/core/users/invite.ts';
import { routes } from '../../src/http/v1/index.ts';
import {
  address,
  around,
  codeOf,
  furtherWalks,
  password,
  signInTo,
  staleSession,
  type Walk,
  withTotp,
} from './credential-walks.ts';

let t: TestService;
beforeAll(async () => {
  t = await startTestService({ sandbox: true, env: { NAMEHOLD_MAIL_HOSTS: 'mx1.operator.example' } });
});
afterAll(() => t.stop());

const change = (statement: Sql) => t.ctx.db.transaction(allTenants, (tx) => tx.run(statement));
const signIn = (json: object) => signInTo(t)(json);
const redeem = (code: string) => t.call('POST', '/v1/session/code', { json: { code, password }, session: '' });
const me = (session: string) => t.call('GET', '/v1/me', { session });
/** The account's newest key, from its own list. */
const newestKey = async (as: string) =>
  ((await t.call('GET', '/v1/account/keys', { as })).body as { key_id: string }[]).at(-1)!.key_id;
const revoke = async (as: string, by: object = {}) => t.call('DELETE', `/v1/account/keys/${await newestKey(as)}`, by);

const narrow = (scopes: string[]) => keyFor(t, '1000', scopes);

const ownWalks: Record<string, Walk> = {
  api_key: {
    beyond: async () =>
      t.call('POST', '/v1/account/keys', {
        as: await narrow(['account:write']),
        json: { label: 'more', ip_whitelist: ['127.0.0.1'], scopes: ['full'] },
      }),
    async ended() {
      const key = await makeReseller(t);
      return around(
        () => t.call('GET', '/v1/account/profile', { as: key }),
        () => revoke(key, { as: key }),
      );
    },
  },
  account_password: {
    beyond: async () =>
      t.call('POST', '/v1/resellers', {
        as: await narrow(['resellers:write']),
        form: person({ email: address(), password, selling_currency: 'USD' }),
      }),
    async ended() {
      const email = address();
      const form = person({ email, password, selling_currency: 'USD' });
      const { reseller_id } = (await t.call('POST', '/v1/resellers', { form })).body;
      return around(
        () => signIn({ reseller_id, email, password }),
        () => openSession(t, reseller_id),
      );
    },
  },
  account_temp_password: {
    beyond: async () =>
      t.call('GET', '/v1/resellers/temp_password', {
        as: await narrow(['resellers:write', 'account:write']),
        query: { reseller_id: '1000' },
      }),
    async ended() {
      const email = address();
      const form = person({ email, password, selling_currency: 'USD' });
      const { reseller_id } = (await t.call('POST', '/v1/resellers', { form })).body;
      const as = await keyFor(t, reseller_id);
      const { body } = await t.call('GET', '/v1/resellers/temp_password', { as, query: { reseller_id } });
      return around(
        () => signIn({ reseller_id, email, password: body.temp_password }),
        () => revoke(as, { as }),
      );
    },
  },
  account_invitation: {
    beyond: async () => {
      const [child] = (await makeReseller(t, t.demo)).split(':');
      return t.call('POST', `/v1/resellers/${child}/invitations`, { as: await narrow(['resellers:write']), json: {} });
    },
    async ended() {
      const [child] = (await makeReseller(t, t.demo)).split(':');
      const maker = await narrow(['full']);
      const invite = async () =>
        (await t.call('POST', `/v1/resellers/${child}/invitations`, { as: maker, json: {} })).body.token as string;
      const [used, unused] = [await invite(), await invite()];
      const accept = (token: string) =>
        t.call('POST', '/v1/invitations/accept', {
          as: '',
          json: { token, password, label: 'first', ip_whitelist: ['127.0.0.1'] },
        });
      const before = (await accept(used)).status;
      await revoke(maker);
      return { before, after: (await accept(unused)).status };
    },
  },
  user_invitation: {
    beyond: async () =>
      t.call('POST', '/v1/people', {
        session: await openSession(t, '1000', { role: 'staff', scopes: ['account:write'] }),
        json: { email: address(), role: 'owner' },
      }),
    async ended() {
      const session = await openSession(t, '1000');
      const invite = async () => {
        const email = address();
        const { body } = await t.call('POST', '/v1/people', { session, json: { email, role: 'read_only' } });
        return { id: body.person_invitation_id as string, code: await mailedCode(t, '1000', email) };
      };
      const [used, unused] = [await invite(), await invite()];
      const before = (await redeem(used.code)).status;
      await t.call('DELETE', `/v1/invited_people/${unused.id}`, { session });
      return { before, after: (await redeem(unused.code)).status };
    },
  },
  recovery_link: {
    beyond: 'Anybody may request one; it goes to the mailbox of the user only.',
    async ended() {
      const email = address();
      await openSession(t, '1000', { email });
      await t.call('POST', '/v1/recovery', { json: { email }, session: '' });
      await runJob(t.ctx, 'process-recovery');
      const code = await mailedCode(t, '1000', email);
      return around(
        () => redeem(code),
        async () => undefined,
      );
    },
    async otherEnds() {
      const email = address();
      const session = await openSession(t, '1000', { email });
      const link = async () => {
        await change(sql`delete from rate_bucket where bucket like 'wish%'`);
        await t.call('POST', '/v1/recovery', { json: { email }, session: '' });
        await runJob(t.ctx, 'process-recovery');
        return mailedCode(t, '1000', email);
      };
      const replaced = await link();
      const used = await link();
      const byOperator = await recoverUser(t.ctx, systemActor, email);
      // A mailed link, which anyone can request, ends no code of the operator.
      const newest = await link();
      const after = { replaced: (await redeem(replaced)).status, byOperatorsCode: (await redeem(used)).status };
      expect((await redeem(byOperator.code)).status).toBe(200);
      const byUse = (await redeem(newest)).status;
      const last = await link();
      const own = cookieOf(await signIn({ email, password }));
      const json = { password, new_password: 'an even longer one' };
      expect((await t.call('PUT', '/v1/me/password', { session: own, json })).status).toBe(200);
      expect((await me(session)).status).toBe(401);
      return { ...after, byUse, byPassword: (await redeem(last)).status };
    },
  },
  operator_recovery: {
    beyond: 'Only the operator can create one, on the command line.',
    async ended() {
      const email = address();
      await openSession(t, '1000', { email });
      const { code } = await recoverUser(t.ctx, systemActor, email);
      return around(
        () => redeem(code),
        async () => undefined,
      );
    },
  },
  user_password: {
    beyond: async () =>
      t.call('PUT', '/v1/me/password', {
        session: await openSession(t, '1000'),
        json: { password: 'not the present one', new_password: 'an even longer one' },
      }),
    async ended() {
      const email = address();
      const session = await openSession(t, '1000', { email });
      const json = { password, new_password: 'an even longer one' };
      return around(
        () => signIn({ email, password }),
        () => t.call('PUT', '/v1/me/password', { session, json }),
      );
    },
  },
  totp: {
    beyond: async () => t.call('POST', '/v1/me/totp', { session: await staleSession(t), json: {} }),
    async ended() {
      const { email, session, secret } = await withTotp(t);
      const half = cookieOf(await signIn({ email, password }));
      return around(
        () => t.call('POST', '/v1/session/factor', { session: half, json: { code: codeOf(t, secret) } }),
        () => t.call('DELETE', '/v1/me/totp', { session }),
      );
    },
  },
  user_session: {
    beyond: async () => {
      const { email } = await withTotp(t);
      return t.call('GET', '/v1/people', { session: cookieOf(await signIn({ email, password })) });
    },
    async ended() {
      const session = await openSession(t, '1000');
      return around(
        () => me(session),
        () => t.call('DELETE', '/v1/session', { session }),
      );
    },
  },
  customer_password: {
    beyond: async () =>
      t.call('POST', '/v1/customers', {
        as: await narrow(['customers:read', 'contacts:write']),
        form: person({ email: address(), password }),
      }),
    async ended() {
      const as = await narrow(['full']);
      const email = address();
      const id = await makeCustomer(t, as, { email });
      await t.call('PUT', `/v1/customers/${id}/access`, { json: { access: 'read' } });
      return around(
        () => signIn({ reseller_id: '1000', email, password }),
        () => revoke(as),
      );
    },
  },
  customer_access: {
    beyond: async () =>
      t.call('PUT', `/v1/customers/${await makeCustomer(t)}/access`, {
        as: await narrow(['customers:write']),
        json: { access: 'order' },
      }),
    async ended() {
      const id = await makeCustomer(t);
      const session = await openCustomerSession(t, '1000', id, 'read');
      return around(
        () => me(session),
        () => t.call('PUT', `/v1/customers/${id}/access`, { json: { access: 'none' } }),
      );
    },
  },
  customer_temp_password: {
    beyond: async () => {
      const id = await makeCustomer(t);
      await t.call('PUT', `/v1/customers/${id}/access`, { json: { access: 'order' } });
      return t.call('POST', `/v1/customers/${id}/invitation`, { as: await narrow(['customers:write']) });
    },
    async ended() {
      const as = await narrow(['full']);
      const invited = async () => {
        const id = await makeCustomer(t);
        await t.call('PUT', `/v1/customers/${id}/access`, { json: { access: 'read' } });
        const { body } = await t.call('POST', `/v1/customers/${id}/invitation`, { as });
        const { email, temp_password } = body as Record<string, string>;
        return { reseller_id: '1000', email, password: temp_password, new_password: 'chosen by me alone' };
      };
      const [used, unused] = [await invited(), await invited()];
      const before = (await signIn(used)).status;
      await revoke(as);
      return { before, after: (await signIn(unused)).status };
    },
  },
  customer_session: {
    // The password is right, and the customer has no access.
    beyond: async () => {
      const email = address();
      await makeCustomer(t, t.demo, { email });
      return signIn({ reseller_id: '1000', email, password });
    },
    async ended() {
      const as = await narrow(['full']);
      const session = await openCustomerSession(t, '1000', await makeCustomer(t), 'order', as);
      return around(
        () => me(session),
        () => revoke(as),
      );
    },
  },
};
const walks = (): Record<string, Walk> => ({ ...ownWalks, ...furtherWalks(t) });
const rows = credentialPaths.map(({ id }) => id);

describe('the table of credentials', () => {
  test('names existing operations, and every row is tested', () => {
    for (const { operations } of credentialPaths) for (const operation of operations) operationOf(routes, operation);
    expect(Object.keys(walks()).sort()).toEqual([...rows].sort());
  });

  test.each(rows)('%s: creation is refused if it would grant more than its creator has', async (id) => {
    const { beyond } = walks()[id]!;
    if (typeof beyond === 'string') return expect(beyond).not.toBe('');
    await change(sql`delete from rate_bucket where bucket like 'guess%'`);
    const { status, body } = await beyond();
    expect([400, 401, 403, 409], JSON.stringify(body)).toContain(status);
    expect(['scope_missing', 'invalid_argument', 'conflict', 'reauthentication_required', 'unauthorized']).toContain(
      body.code,
    );
  });

  test('recovery_link: is refused after every other event that ends it', async () => {
    await change(sql`delete from rate_bucket where bucket like 'guess%'`);
    const after = await ownWalks.recovery_link!.otherEnds!();
    expect(after).toEqual({ replaced: 401, byOperatorsCode: 401, byUse: 401, byPassword: 401 });
  });

  test.each(rows)('%s: is refused after the event that ends it', async (id) => {
    await change(sql`delete from rate_bucket where bucket like 'guess%'`);
    const { ended, refusal = 401 } = walks()[id]!;
    const { before, after } = await ended();
    expect(before).toBeLessThan(300);
    expect(after).toBe(refusal);
  });
});

import { allTenants, sql } from '@namehold/postgres';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { runJob } from '../../../../test/support/jobs.ts';
import { makeContact, makeCustomer } from '../../../../test/support/parties.ts';
import { keyFor } from '../../../../test/support/resellers.ts';
import { startTestService, type TestService } from '../../../../test/support/service.ts';
import { cookieOf, mailedCode, openCustomerSession, openSession } from '../../../../test/support/users.ts';
import { systemActor } from '../../src/core/actors.ts';
import { findBreaks } from '../../src/core/audit/chain.sql.ts';
import { recoverUser } from '../../src/core/users/invite.ts';
import { stepAt, totpCode } from '../../src/core/users/totp.ts';
import { lifeOf } from '../domains/life.ts';

/** What a session started ends with it, if it was ended because another may have used it. */
let t: TestService;
let life: ReturnType<typeof lifeOf>;
let other: string;
beforeAll(async () => {
  t = await startTestService({ sandbox: true });
  life = lifeOf(t);
  other = await keyFor(t, '1000');
  const on = await t.call('PUT', '/v1/account/security', { json: { second_yes: ['nameservers'] } });
  expect(on.status, on.text).toBe(200);
});
afterAll(async () => {
  expect(await findBreaks(t.ctx.db.as(allTenants), 10)).toEqual([]);
  await t.stop();
});

const password = 'a long enough one';
const run = (statement: ReturnType<typeof sql>) => t.ctx.db.transaction(allTenants, (tx) => tx.run(statement));
const signIn = async (email: string) => {
  const called = await t.call('POST', '/v1/session', { json: { email, password }, session: '' });
  expect(called.status, called.text).toBe(200);
  return cookieOf(called);
};
const sessionOf = async (session: string) => (await t.call('GET', '/v1/session', { session })).body;

let made = 0;
/** A user with two sessions: that of a thief, and its own. */
async function user(): Promise<{ email: string; stolen: string; own: string }> {
  made += 1;
  const email = `stolen${made}@people.example`;
  const own = await openSession(t, '1000', { email });
  return { email, stolen: await signIn(email), own };
}

async function requestChange(session: string, more: Record<string, string> = {}): Promise<string> {
  made += 1;
  const name = `stolen-session-${made}.com`;
  await life.buy(name, more);
  const form = { ns: 'ns1.elsewhere.example,ns2.elsewhere.example' };
  const called = await t.call('PUT', `/v1/domains/${name}/ns`, { form, session });
  expect(called.status, called.text).toBe(202);
  return called.body.operation_id as string;
}
const approve = (id: string) => t.call('POST', `/v1/operations/${id}/approve`, { as: other });

async function expectOnlyDeclined(id: string, shown = true): Promise<void> {
  if (shown)
    expect((await t.call('GET', `/v1/operations/${id}`)).body).toMatchObject({
      approval: { requester_revoked: true },
      attention: { choices: ['decline'] },
    });
  const tried = await approve(id);
  expect([tried.status, tried.body.code], tried.text).toEqual([409, 'conflict']);
  const declined = await t.call('POST', `/v1/operations/${id}/decline`, { as: other });
  expect(declined.body.state).toBe('cancelled');
}

/** Every way in which a user or an owner ends sessions that another may have used. */
const revocations: Record<string, (of: { email: string; stolen: string; own: string }) => Promise<unknown>> = {
  'a new password by a recovery link': async ({ email }) => {
    const { code } = await recoverUser(t.ctx, systemActor, email);
    const json = { code, password: 'another long one' };
    return t.call('POST', '/v1/session/code', { json, session: '' });
  },
  'a new password in another session': ({ own: session }) =>
    t.call('PUT', '/v1/me/password', { json: { password, new_password: 'another long one' }, session }),
  'a new factor in another session': async ({ own: session }) => {
    const { secret } = (await t.call('POST', '/v1/me/totp', { session, json: {} })).body;
    const code = totpCode(secret, stepAt(t.ctx.wall.now()));
    return t.call('PUT', '/v1/me/totp', { session, json: { code } });
  },
  'signing out of all other sessions': ({ own: session }) => t.call('DELETE', '/v1/me/sessions', { session }),
  'signing out the session from another one': async ({ own: session, stolen }) =>
    t.call('DELETE', `/v1/me/sessions/${(await sessionOf(stolen)).session_id}`, { session }),
  'a change of role by an owner': async ({ stolen }) => {
    const { person } = await sessionOf(stolen);
    const session = await openSession(t, '1000');
    const json = { role: 'staff', scopes: ['domains:write'] };
    return t.call('PUT', `/v1/people/${person.person_id}`, { json, session });
  },
  'signing the user out by an owner': async ({ stolen }) => {
    const { person } = await sessionOf(stolen);
    const session = await openSession(t, '1000');
    return t.call('DELETE', `/v1/people/${person.person_id}/sessions`, { session });
  },
};

test.each(Object.entries(revocations))(
  'a change requested in a session can only be declined after %s',
  async (_how, end) => {
    const of = await user();
    const id = await requestChange(of.stolen);
    const kept = await requestChange(await openSession(t, '1000'));
    const ended = await end(of);
    expect(ended).toMatchObject({ status: 200 });
    await expectOnlyDeclined(id);
    expect((await approve(kept)).body.state).toBe('done');
  },
);

test('a change can still be approved after its user signed out, and after another session was ended', async () => {
  const { stolen, own } = await user();
  const [leaving, staying] = [await requestChange(stolen), await requestChange(own)];
  await t.call('DELETE', '/v1/session', { session: stolen });
  const changed = await t.call('PUT', '/v1/me/password', {
    json: { password, new_password: 'another long one' },
    session: own,
  });
  expect(changed.status).toBe(200);
  expect((await approve(staying)).body.state).toBe('done');
  // The new password ends what every other session started, also one that is over.
  await expectOnlyDeclined(leaving);
  const again = await user();
  const id = await requestChange(again.stolen);
  await t.call('DELETE', '/v1/session', { session: again.stolen });
  expect((await approve(id)).body.state).toBe('done');
});

test('a change cannot be approved that was placed while its session was revoked', async () => {
  const { stolen, own } = await user();
  const id = await requestChange(stolen);
  await t.call('DELETE', '/v1/me/sessions', { session: own });
  // As its transaction would have left it if it had committed after the revocation.
  await run(sql`update operation set approval = approval - 'requester_revoked' where id = ${id}`);
  await expectOnlyDeclined(id, false);
});

describe('a customer', () => {
  const customer = async () => {
    const id = await makeCustomer(t);
    const contact = await makeContact(t, id);
    const roles = Object.fromEntries(
      ['registrant', 'admin', 'tech', 'billing'].map((role) => [`${role}_contact_id`, contact]),
    );
    return { id, order: { customer_id: id, ...roles } };
  };
  const setAccess = (id: string, access: string) => t.call('PUT', `/v1/customers/${id}/access`, { json: { access } });

  test.each([
    [
      'chose a new password',
      true,
      (_id: string, session: string) =>
        t.call('PUT', '/v1/me/password', {
          json: { password: 'chosen by the customer', new_password: 'another long one' },
          session,
        }),
    ],
    ['lost part of its access', true, (id: string) => setAccess(id, 'read')],
    ['lost its access', true, (id: string) => setAccess(id, 'none')],
    ['was suspended', false, (id: string) => run(sql`update customer set status = 'Suspended' where id = ${id}`)],
  ] as const)('can only have its change declined after it %s', async (_how, shown, end) => {
    const { id, order } = await customer();
    const stolen = await openCustomerSession(t, '1000', id, 'manage');
    const operation = await requestChange(stolen, order);
    const { email } = (await t.call('GET', `/v1/customers/${id}`)).body;
    const json = { email, password: 'chosen by the customer', reseller_id: '1000' };
    const own = cookieOf(await t.call('POST', '/v1/session', { json, session: '' }));
    await end(id, own);
    await expectOnlyDeclined(operation, shown);
  });

  test('cannot have its change approved after the key that invited it was revoked', async () => {
    const { id, order } = await customer();
    const key = await t.call('POST', '/v1/account/keys', { json: { label: 'thief', ip_whitelist: ['127.0.0.1'] } });
    const session = await openCustomerSession(t, '1000', id, 'manage', `1000:${key.body.api_key}`);
    const operation = await requestChange(session, order);
    const revoked = await t.call('DELETE', `/v1/account/keys/${key.body.key_id}`);
    expect(revoked.body.waiting_operations).toEqual([operation]);
    await expectOnlyDeclined(operation);
  });
});

test('an invitation of a user ends with the session that made it, and one of another session stays', async () => {
  const { stolen, own } = await user();
  const invite = async (email: string, session: string) => {
    const called = await t.call('POST', '/v1/people', { json: { email, role: 'owner' }, session });
    expect(called.status, called.text).toBe(200);
    return mailedCode(t, '1000', email);
  };
  const theirs = await invite('accomplice@people.example', stolen);
  const kept = await invite('colleague@people.example', own);
  expect((await t.call('DELETE', '/v1/me/sessions', { session: own })).status).toBe(200);
  const redeem = (code: string) => t.call('POST', '/v1/session/code', { json: { code, password }, session: '' });
  expect((await redeem(theirs)).status).toBe(401);
  const invited = (await t.call('GET', '/v1/user_invitations', { session: own })).text;
  expect(invited).not.toContain('accomplice@people.example');
  expect(invited).toContain('colleague@people.example');
  expect((await redeem(kept)).status).toBe(200);
});

test('the removal of the factors of another user ends with the session that requested it', async () => {
  const { stolen, own } = await user();
  const protectedUser = await user();
  await revocations['a new factor in another session']!(protectedUser);
  const { person } = await sessionOf(protectedUser.own);
  const request = (session: string) => t.call('DELETE', `/v1/people/${person.person_id}/factors`, { session });
  const due = () => run(sql`update factor_reset set due_at = now() - interval '1 second'`);
  const read = async () => (await t.call('GET', `/v1/people/${person.person_id}`, { session: own })).body;
  expect((await request(stolen)).status).toBe(200);
  expect((await t.call('DELETE', '/v1/me/sessions', { session: own })).status).toBe(200);
  expect(await read()).toMatchObject({ has_factor: true, factors_end_at: null });
  // Requested while the session was revoked: it is not carried out either.
  expect((await request(own)).status).toBe(200);
  await run(
    sql`update factor_reset set made_in = (select id from person_session where revoked_at is not null limit 1)`,
  );
  await due();
  await runJob(t.ctx, 'process-recovery');
  expect(await read()).toMatchObject({ has_factor: true, factors_end_at: null });
  expect((await request(own)).status).toBe(200);
  await due();
  await runJob(t.ctx, 'process-recovery');
  expect(await read()).toMatchObject({ has_factor: false });
});

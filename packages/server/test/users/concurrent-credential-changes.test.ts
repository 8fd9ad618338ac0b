import { allTenants, sql } from '@namehold/postgres';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { SoftwareAuthenticator } from '../../../../test/support/authenticator.ts';
import { makeCustomer, person } from '../../../../test/support/parties.ts';
import { pauseAt } from '../../../../test/support/pause-statement.ts';
import { keyFor } from '../../../../test/support/resellers.ts';
import { countRows } from '../../../../test/support/rows.ts';
import { type Called, startTestService, type TestService } from '../../../../test/support/service.ts';
import { codeFor, cookieOf, openCustomerSession, openSession } from '../../../../test/support/users.ts';
import { stepAt, totpCode } from '../../src/core/users/totp.ts';

let t: TestService;
beforeAll(async () => {
  t = await startTestService();
});
afterAll(() => t.stop());

const password = 'a long enough one';
const replacement = 'another long enough one';
/** The statements that read a user after its passkey was verified, and before the session moves to another account; no lock is held yet. */
const userRead = /p\.password_hash from person p where p\.id = \$1( for update)?\s*$/;

interface Hold {
  readonly reached: Promise<void>;
  release(): void;
}

/** Holds the first call that resets a guess counter: its password is verified, and the writing transaction has not begun. */
function holdVerified(): Hold {
  const reached = Promise.withResolvers<void>();
  const released = Promise.withResolvers<void>();
  const { autocommit } = t.ctx.db;
  const spy = vi.spyOn(t.ctx.db, 'autocommit').mockImplementation((tenant) => {
    const writer = autocommit(tenant);
    return {
      ...writer,
      async run(statement) {
        if (statement.text.startsWith('delete from rate_bucket where bucket =')) {
          spy.mockRestore();
          reached.resolve();
          await released.promise;
        }
        return writer.run(statement);
      },
    };
  });
  return { reached: reached.promise, release: () => released.resolve() };
}

/** The answer to a call that is held until `change` is done. */
async function replacedAt(hold: Hold, use: () => Promise<Called>, change: () => Promise<Called>) {
  try {
    const used = use();
    await Promise.race([hold.reached, used.then(({ text }) => expect.fail(`not held: ${text}`))]);
    const changed = await change();
    expect([200, 202], changed.text).toContain(changed.status);
    hold.release();
    return await used;
  } finally {
    hold.release();
  }
}

let made = 0;
const newEmail = () => {
  made += 1;
  return `replaced${made}@meanwhile.example`;
};
const signIn = (json: object) => t.call('POST', '/v1/session', { json, session: '' });
const changePassword = (session: string, now = password) =>
  t.call('PUT', '/v1/me/password', { session, json: { password: now, new_password: replacement } });
const me = (session: string) => t.call('GET', '/v1/me', { session });
const temporary = async (reseller_id: string) =>
  t.call('GET', '/v1/resellers/temp_password', { query: { reseller_id } });

async function child(email = newEmail()): Promise<{ id: string; email: string }> {
  const form = person({ email, password, selling_currency: 'USD' });
  const called = await t.call('POST', '/v1/resellers', { form });
  expect(called.status, called.text).toBe(200);
  return { id: called.body.reseller_id, email };
}

describe('a password that is replaced after it was verified', () => {
  test('opens no session of a user', async () => {
    const email = newEmail();
    const session = await openSession(t, '1000', { email });
    const used = await replacedAt(
      holdVerified(),
      () => signIn({ email, password }),
      () => changePassword(session),
    );
    expect(used.status, used.text).toBe(401);
  });

  test.each(['own', 'temporary'])('opens no session of a customer (%s)', async (which) => {
    const id = await makeCustomer(t);
    const session = await openCustomerSession(t, '1000', id, 'read');
    const again = () => t.call('POST', `/v1/customers/${id}/invitation`);
    const { email, temp_password } = (await again()).body;
    const about = { reseller_id: '1000', email };
    const used =
      which === 'own'
        ? await replacedAt(
            holdVerified(),
            () => signIn({ ...about, password: 'chosen by the customer' }),
            () => changePassword(session, 'chosen by the customer'),
          )
        : await replacedAt(
            holdVerified(),
            () => signIn({ ...about, password: temp_password, new_password: replacement }),
            again,
          );
    expect(used.status, used.text).toBe(401);
  });

  test('accepts no invitation to an account', async () => {
    const { id } = await child();
    const { temp_password } = (await temporary(id)).body;
    const { token } = (await t.call('POST', `/v1/resellers/${id}/invitations`, { json: {} })).body;
    const json = { token, password: temp_password, label: 'first', ip_whitelist: ['127.0.0.0/8', '::1'] };
    const accept = () => t.call('POST', '/v1/invitations/accept', { as: '', json });
    const used = await replacedAt(holdVerified(), accept, () => temporary(id));
    expect(used.status, used.text).toBe(401);
    expect(await countRows(t, 'api_key', sql`reseller_id = ${id}`)).toBe(0);
  });

  test('creates no link for the first owner of an account', async () => {
    const { id, email } = await child();
    const { temp_password } = (await temporary(id)).body;
    const json = { reseller_id: id, email, password: temp_password, new_password: replacement };
    const used = await replacedAt(
      holdVerified(),
      () => signIn(json),
      () => temporary(id),
    );
    expect(used.status, used.text).toBe(401);
    expect(await countRows(t, 'person_code', sql`reseller_id = ${id}`)).toBe(0);
  });

  test('makes no user the first owner of an account', async () => {
    const email = newEmail();
    const session = await openSession(t, '1000', { email });
    const { id } = await child(email);
    const { temp_password } = (await temporary(id)).body;
    const json = { reseller_id: id, password: temp_password };
    const used = await replacedAt(
      holdVerified(),
      () => t.call('PUT', '/v1/session/account', { session, json }),
      () => temporary(id),
    );
    expect([used.status, used.body.errors?.[0].field], used.text).toEqual([400, 'reseller_id']);
    expect(await countRows(t, 'membership', sql`reseller_id = ${id}`)).toBe(0);
  });

  test('redeems no invitation of a user', async () => {
    const email = newEmail();
    const session = await openSession(t, '1000', { email });
    const { id } = await child();
    const code = await codeFor(t, id, { email });
    const used = await replacedAt(
      holdVerified(),
      () => t.call('POST', '/v1/session/code', { json: { code, password }, session: '' }),
      () => changePassword(session),
    );
    expect(used.status, used.text).toBe(401);
    expect(await countRows(t, 'membership', sql`reseller_id = ${id}`)).toBe(0);
  });

  test('confirms no identity in its session, which keeps the new secret', async () => {
    const session = await openSession(t, '1000', { email: newEmail() });
    let changed: Called | undefined;
    const used = await replacedAt(
      holdVerified(),
      () => t.call('POST', '/v1/session/sudo', { session, json: { password } }),
      async () => (changed = await changePassword(session)),
    );
    expect([400, 401], used.text).toContain(used.status);
    expect((await me(cookieOf(changed!))).status).toBe(200);
  });

  test('confirms no identity of a customer', async () => {
    const session = await openCustomerSession(t, '1000', await makeCustomer(t), 'read');
    const own = 'chosen by the customer';
    let changed: Called | undefined;
    const used = await replacedAt(
      holdVerified(),
      () => t.call('POST', '/v1/session/sudo', { session, json: { password: own } }),
      async () => (changed = await changePassword(session, own)),
    );
    expect([400, 401], used.text).toContain(used.status);
    expect((await me(cookieOf(changed!))).status).toBe(200);
  });
});

test('creates no key if the inviting key is revoked after the password was verified', async () => {
  const { id } = await child();
  const as = await keyFor(t, '1000');
  const keys = (await t.call('GET', '/v1/account/keys', { as })).body as { key_id: string; is_current?: boolean }[];
  const { token } = (await t.call('POST', `/v1/resellers/${id}/invitations`, { json: {}, as })).body;
  const { maker } = await t.ctx.db
    .as(allTenants)
    .one<{ maker: string }>(sql`select maker from invitation where reseller_id = ${id}`);
  expect(keys.map(({ key_id }) => key_id)).toContain(maker);
  const json = { token, password, label: 'first', ip_whitelist: ['127.0.0.0/8', '::1'] };
  const used = await replacedAt(
    holdVerified(),
    () => t.call('POST', '/v1/invitations/accept', { as: '', json }),
    () => t.call('DELETE', `/v1/account/keys/${maker}`),
  );
  expect(used.status, used.text).toBe(401);
  expect(await countRows(t, 'api_key', sql`reseller_id = ${id}`)).toBe(0);
});

test('gives a session no other secret for one that a new password replaced', async () => {
  const session = await openSession(t, '1000', { email: newEmail() });
  const reseller_id = '1000';
  let changed: Called | undefined;
  const used = await replacedAt(
    pauseAt(userRead, 'statement'),
    () => t.call('PUT', '/v1/session/account', { session, json: { reseller_id } }),
    async () => (changed = await changePassword(session)),
  );
  expect(used.status, used.text).toBe(401);
  expect((await me(cookieOf(changed!))).status).toBe(200);
});

test('requires a code of an authenticator that is confirmed during the sign-in', async () => {
  const email = newEmail();
  const session = await openSession(t, '1000', { email });
  const { secret } = (await t.call('POST', '/v1/me/totp', { session, json: {} })).body;
  const json = { code: totpCode(secret, stepAt(t.ctx.wall.now())) };
  const used = await replacedAt(
    holdVerified(),
    () => signIn({ email, password }),
    () => t.call('PUT', '/v1/me/totp', { session, json }),
  );
  expect([used.status, used.body], used.text).toEqual([202, { methods: ['totp'] }]);
});

test('opens no session for a passkey that is removed after it was verified', async () => {
  const session = await openSession(t, '1000', { email: newEmail() });
  const authenticator = new SoftwareAuthenticator();
  const { challenge } = (await t.call('POST', '/v1/me/passkeys/challenge', { session, json: {} })).body.options;
  const passkey = authenticator.create(challenge);
  const added = await t.call('POST', '/v1/me/passkeys', { session, json: { name: 'Phone', passkey } });
  expect(added.status, added.text).toBe(200);
  const { body } = await t.call('POST', '/v1/session/challenge', { session: '', json: {} });
  const answer = authenticator.get(body.challenge);
  const used = await replacedAt(
    pauseAt(userRead, 'statement'),
    () => t.call('POST', '/v1/session/passkey', { session: '', json: { passkey: answer } }),
    () => t.call('DELETE', `/v1/me/passkeys/${added.body.passkey_id}`, { session }),
  );
  expect(used.status, used.text).toBe(401);
});

test('does not confirm an enrolment with a code of an earlier one', async () => {
  const session = await openSession(t, '1000', { email: newEmail() });
  const begin = () => t.call('POST', '/v1/me/totp', { session, json: {} });
  const { secret } = (await begin()).body;
  const json = { code: totpCode(secret, stepAt(t.ctx.wall.now())) };
  const used = await replacedAt(holdVerified(), () => t.call('PUT', '/v1/me/totp', { session, json }), begin);
  expect(used.status, used.text).toBe(409);
  expect((await t.call('GET', '/v1/me/factors', { session })).body.has_totp).toBe(false);
});

import { allTenants, type Sql, sql } from '@namehold/postgres';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { makeCustomer, person } from '../../../../test/support/parties.ts';
import { makeReseller } from '../../../../test/support/resellers.ts';
import { startTestService, type TestService } from '../../../../test/support/service.ts';
import { cookieOf, openCustomerSession, openSession } from '../../../../test/support/users.ts';
import { findBreaks } from '../../src/core/audit/chain.sql.ts';
import { stepAt, totpCode } from '../../src/core/users/totp.ts';
import { sessionLifetimes } from '../../src/core/users/user.ts';
import { basic } from '../request-pipeline/support/raw.ts';

let t: TestService;
beforeAll(async () => {
  t = await startTestService();
});
afterAll(async () => {
  expect(await findBreaks(t.ctx.db.as(allTenants), 10)).toEqual([]);
  await t.stop();
});

const me = (session: string, headers: Record<string, string> = {}) => t.call('GET', '/v1/me', { session, headers });
const change = (statement: Sql) => t.ctx.db.transaction(allTenants, (tx) => tx.run(statement));
const idOf = async (session: string) => (await t.call('GET', '/v1/session', { session })).body.session_id as string;

describe('a session cookie', () => {
  let session: string;
  beforeAll(async () => {
    session = await openSession(t, '1000');
  });

  test('is accepted only with the header and from a page of this service, for reads too', async () => {
    const raw = (headers: Record<string, string>, method = 'GET', path = '/v1/me') =>
      t.call(method, path, { as: null, headers: { Cookie: session, ...headers } });
    expect((await raw({ 'Namehold-Console': '1', 'Sec-Fetch-Site': 'same-origin' })).status).toBe(200);
    expect((await raw({ 'Namehold-Console': '1', Origin: t.url })).status).toBe(200);
    expect((await raw({ Origin: t.url })).body.errors).toMatchObject([{ field: 'Namehold-Console' }]);
    for (const page of [
      {},
      { Origin: 'https://evil.example' },
      { Origin: 'null' },
      { 'Sec-Fetch-Site': 'same-site', Origin: t.url },
      { 'Sec-Fetch-Site': 'cross-site' },
      { 'Sec-Fetch-Site': 'none' },
    ] as Record<string, string>[]) {
      const called = await raw({ 'Namehold-Console': '1', ...page });
      expect([called.status, called.body.code], JSON.stringify(page)).toEqual([403, 'foreign_page']);
    }
  });

  test('is refused for a form of another site', async () => {
    const form = person({ email: 'forged@made.example', password: 'a long enough one' });
    const headers = { Cookie: session, Origin: 'https://evil.example', 'Sec-Fetch-Site': 'cross-site' };
    const forged = await t.call('POST', '/v1/customers', { as: null, form, headers });
    expect(forged.body.code).toBe('foreign_page');
    expect((await t.call('GET', '/v1/customers', { query: { email: 'forged@made.example' } })).body).toEqual([]);
  });

  test('is refused together with a key or another cookie, without a browser prompt', async () => {
    const both = await me(session, { Authorization: basic(t.demo) });
    expect([both.status, both.body.code]).toEqual([400, 'two_credentials']);
    const twice = await me(`${session}; namehold=${'A'.repeat(54)}`);
    expect(twice.status).toBe(401);
    for (const cookie of ['', 'namehold=', `namehold=${'A'.repeat(54)}`, 'other=1']) {
      const called = await me(cookie);
      expect([called.status, called.headers.get('www-authenticate')], cookie).toEqual([401, 'Namehold-Session']);
    }
    expect((await t.call('GET', '/v1/me', { as: null })).headers.get('www-authenticate')).toMatch(/^Basic/);
    expect((await t.call('GET', '/v1/me')).body).toMatchObject({ code: 'session_required' });
  });

  test('is refused from another origin, whatever CORS allows', async () => {
    const listed = await startTestService({ env: { NAMEHOLD_CORS_ORIGINS: 'https://panel.example' } });
    try {
      const own = await openSession(listed, '1000');
      const called = await listed.call('GET', '/v1/me', { session: own, headers: { Origin: 'https://panel.example' } });
      expect(called.body.code).toBe('foreign_page');
      expect(called.headers.get('access-control-allow-credentials')).toBeNull();
    } finally {
      await listed.stop();
    }
  });
});

describe('a session', () => {
  test('ends by signing out, one by one, and all others at once', async () => {
    const email = 'many@people.example';
    const first = await openSession(t, '1000', { email });
    const sign = async () =>
      cookieOf(await t.call('POST', '/v1/session', { json: { email, password: 'a long enough one' }, session: '' }));
    const [second, third, fourth] = [await sign(), await sign(), await sign()];
    const listed = await t.call('GET', '/v1/me/sessions', { session: first });
    expect(listed.body).toHaveLength(4);
    expect(listed.body.filter((each: { is_this: boolean }) => each.is_this)).toMatchObject([
      { session_id: await idOf(first), address: '127.0.0.1', reseller_id: '1000' },
    ]);
    const out = await t.call('DELETE', '/v1/session', { session: second });
    expect(out.headers.get('set-cookie')).toMatch(/^namehold=; Max-Age=0;/);
    expect((await me(second)).status).toBe(401);
    const one = `/v1/me/sessions/${await idOf(third)}`;
    expect((await t.call('DELETE', one, { session: first })).body).toEqual({ ended: 1 });
    expect((await me(third)).status).toBe(401);
    expect((await t.call('DELETE', one, { session: first })).status).toBe(404);
    const strangers = await openSession(t, '1000');
    const theirs = `/v1/me/sessions/${await idOf(strangers)}`;
    expect((await t.call('DELETE', theirs, { session: first })).status).toBe(404);
    expect((await t.call('DELETE', '/v1/me/sessions', { session: first })).body).toEqual({ ended: 1 });
    expect((await me(fourth)).status).toBe(401);
    expect((await me(first)).status).toBe(200);
    expect((await me(strangers)).status).toBe(200);
  });

  test('ends when unused and at its maximum age, within five seconds in a caching process', async () => {
    const [own, operators] = [await openSession(t, '1000'), await openSession(t, '1')];
    const id = await idOf(own);
    const unused = (hours: number) =>
      change(sql`update person_session set last_seen_at = now() - ${hours} * interval '1 hour'`);
    await unused(2);
    t.service.evictCachedKeys();
    expect((await me(operators)).status).toBe(401);
    expect((await me(own)).status).toBe(200);
    await unused(13);
    t.service.evictCachedKeys();
    expect((await me(own)).status).toBe(401);
    await unused(0);
    t.service.evictCachedKeys();
    expect((await me(own)).status).toBe(200);
    await change(sql`update person_session set ends_at = now() where id = ${id}`);
    await vi.waitFor(async () => expect((await me(own)).status).toBe(401), 300_000);
  });

  test('ends with a new password, except the session that changed it', async () => {
    const email = 'changed@people.example';
    const session = await openSession(t, '1000', { email });
    const other = cookieOf(
      await t.call('POST', '/v1/session', { json: { email, password: 'a long enough one' }, session: '' }),
    );
    const put = (password: string, new_password = 'an even longer one') =>
      t.call('PUT', '/v1/me/password', { session, json: { password, new_password } });
    expect((await put('not the present')).body.errors).toMatchObject([{ field: 'password', code: 'wrong' }]);
    for (const easy of ['12345678', 'Password1', 'aaaaaaaaaa', '         ', 'Changed@People.example'])
      expect((await put('a long enough one', easy)).body.errors).toMatchObject([
        { field: 'new_password', code: 'too_easy' },
      ]);
    const changed = await put('a long enough one');
    expect((await me(other)).status).toBe(401);
    expect((await me(cookieOf(changed))).status).toBe(200);
  });

  test.each(['a password change', 'a confirmation', 'an account switch'])(
    'refuses the previous secret at once after %s, also in another process',
    async (what) => {
      const email = `${what.replaceAll(' ', '-')}@people.example`;
      const session = await openSession(t, '1000', { email });
      const second = await t.second();
      const there = (cookie: string) => second.call('GET', '/v1/me', { session: cookie });
      try {
        expect((await there(session)).status).toBe(200);
        const calls = {
          'a password change': [
            'PUT',
            '/v1/me/password',
            { password: 'a long enough one', new_password: 'an even longer one' },
          ],
          'a confirmation': ['POST', '/v1/session/sudo', { password: 'a long enough one' }],
          'an account switch': ['PUT', '/v1/session/account', { reseller_id: '1000' }],
        } as const;
        const [method, path, json] = calls[what as keyof typeof calls];
        const changed = await t.call(method, path, { session, json });
        expect(changed.status, changed.text).toBe(200);
        expect((await me(session)).status).toBe(401);
        expect((await there(session)).status).toBe(401);
        expect((await t.call('POST', '/v1/me/totp', { session, json: {} })).status).toBe(401);
        expect((await there(cookieOf(changed))).status).toBe(200);
      } finally {
        await second.stop();
      }
    },
  );

  test('refuses the rotated secret at once after signing out everywhere or a factor change', async () => {
    for (const end of [
      (cookie: string) => t.call('DELETE', '/v1/me/sessions', { session: cookie }),
      async (cookie: string) => {
        const { body } = await t.call('POST', '/v1/me/totp', { session: cookie, json: {} });
        return t.call('PUT', '/v1/me/totp', {
          session: cookie,
          json: { code: totpCode(body.secret, stepAt(t.ctx.wall.now())) },
        });
      },
    ]) {
      const session = await openSession(t, '1000');
      await change(
        sql`update person_session set rotated_at = now() - interval '25 hours' where id = ${await idOf(session)}`,
      );
      const fresh = cookieOf(await me(session));
      expect((await me(session)).status).toBe(200);
      const ended = await end(fresh);
      expect(ended.status, ended.text).toBe(200);
      expect((await me(session)).status).toBe(401);
      expect((await me(fresh)).status).toBe(200);
    }
  });

  test('ends for a removed member or a disabled user', async () => {
    const gone = await openSession(t, '1000', { email: 'gone@people.example' });
    await change(
      sql`delete from membership where person_id = (select id from person where email = 'gone@people.example')`,
    );
    t.service.evictCachedKeys();
    expect((await me(gone)).status).toBe(401);
  });
});

describe('the session secret', () => {
  test('is rotated daily; concurrent requests succeed, and the old secret ends after a minute', async () => {
    const session = await openSession(t, '1000');
    const id = await idOf(session);
    await change(sql`update person_session set rotated_at = now() - interval '25 hours' where id = ${id}`);
    t.service.evictCachedKeys();
    const tabs = await Promise.all([me(session), me(session), me(session)]);
    expect(tabs.map(({ status }) => status)).toEqual([200, 200, 200]);
    const given = tabs.filter((each) => each.headers.has('set-cookie'));
    expect(given).toHaveLength(1);
    const fresh = cookieOf(given[0]!);
    expect(await idOf(fresh)).toBe(id);
    expect((await me(session)).status).toBe(200);
    expect((await me(session)).headers.has('set-cookie')).toBe(false);
    await change(sql`
      update person_session set previous_expires_at = previous_expires_at - ${sessionLifetimes.overlapMs / 1_000} * interval '1 second'
      where id = ${id}`);
    t.service.evictCachedKeys();
    expect((await me(session)).status).toBe(401);
    expect((await me(fresh)).status).toBe(200);
  });

  test('is rotated when the session moves to another account of the user, and refuses other accounts', async () => {
    const email = 'both@people.example';
    const child = (await makeReseller(t, t.demo)).split(':')[0]!;
    await openSession(t, '1000', { email });
    const session = await openSession(t, child, { email, role: 'staff', scopes: ['customers:read'] });
    const put = (reseller_id: string, as = session) =>
      t.call('PUT', '/v1/session/account', { session: as, json: { reseller_id } });
    const [strange, missing] = [await put('1'), await put('999999')];
    expect([strange.status, strange.body.errors]).toEqual([400, missing.body.errors]);
    expect((await t.call('GET', '/v1/account/balance', { session })).body).toMatchObject({ code: 'scope_missing' });
    const there = cookieOf(await put('1000'));
    expect((await t.call('GET', '/v1/account/balance', { session: there })).status).toBe(200);
    expect((await t.call('GET', '/v1/account/profile', { session: there })).body).toMatchObject({
      reseller_id: '1000',
      // A fifth of the budget of a key.
      limits: { requests_per_minute: t.ctx.config.rateLimitPerMinute / 5 },
    });
    await change(sql`update reseller set status = 'Suspended' where id = ${child}`);
    const back = cookieOf(await put(child, there));
    expect((await t.call('GET', '/v1/customers', { session: back })).body.code).toBe('account_suspended');
    expect((await put('1000', back)).status).toBe(200);
  });
});

describe('an action of a user', () => {
  test("is in the audit log under the user's name, in one unbroken chain", async () => {
    const session = await openSession(t, '1000', { email: 'named@people.example' });
    await t.call('PUT', '/v1/me', {
      session,
      json: { name: 'Budi Santoso', language: 'id', time_zone: 'Asia/Jakarta' },
    });
    const form = person({ email: 'of-budi@made.example', password: 'a long enough one' });
    const made = await t.call('POST', '/v1/customers', { session, form });
    const who = (await t.call('GET', '/v1/session', { session })).body;
    const { body } = await t.call('GET', '/v1/account/audit', {
      query: { object_type: 'customer', object_id: made.body.customer_id },
    });
    expect(body).toMatchObject([
      { key_id: null, person_id: who.person.person_id, person_name: 'Budi Santoso', session_id: who.session_id },
    ]);
    const byKey = await t.call('GET', '/v1/account/audit', { query: { object_id: await makeCustomer(t) } });
    expect(byKey.body[0]).toMatchObject({ person_id: null, person_name: null, session_id: null });
    expect(byKey.body[0].key_id).toMatch(/^key_/);
    expect((await t.call('PUT', '/v1/me', { session, json: { time_zone: 'Mars/Base' } })).body.errors).toMatchObject([
      { field: 'time_zone' },
    ]);
  });

  test('creates keys within the scopes of staff', async () => {
    const session = await openSession(t, '1000', { role: 'staff', scopes: ['account:write', 'domains:read'] });
    const make = (scopes: string[]) =>
      t.call('POST', '/v1/account/keys', {
        session,
        json: { label: 'made by staff', ip_whitelist: ['0.0.0.0/0'], scopes },
      });
    expect((await make(['domains:read'])).status).toBe(200);
    expect((await make(['billing:read'])).body.errors).toMatchObject([{ code: 'beyond_own_scope' }]);
    expect((await make(['full'])).status).toBe(400);
  });

  test('returns a stored secret again to the same user only', async () => {
    const [one, other] = [await openSession(t, '1000'), await openSession(t, '1000')];
    const headers = { 'Idempotency-Key': 'one-persons-key' };
    const make = (session: string) =>
      t.call('POST', '/v1/account/keys', { session, headers, json: { label: 'once', ip_whitelist: ['192.0.2.1'] } });
    const first = await make(one);
    expect((await make(one)).body.api_key).toBe(first.body.api_key);
    expect((await make(other)).body.code).toBe('idempotency_mismatch');
    expect(
      (await t.call('POST', '/v1/account/keys', { headers, json: { label: 'once', ip_whitelist: ['192.0.2.1'] } }))
        .status,
    ).toBe(422);
  });
});

describe('concurrent use of a secret', () => {
  const password = 'a long enough one';
  const atOnce = <T>(call: (n: number) => Promise<T>) => Promise.all([0, 1, 2, 3, 4].map(call));
  const statuses = (called: readonly { status: number }[]) => called.map(({ status }) => status).sort();
  const signIn = (json: object) => t.call('POST', '/v1/session', { json, session: '' });

  test('replaces a password once and refuses the others as a wrong password', async () => {
    const email = 'race@sessions.example';
    const session = await openSession(t, '1000', { email });
    const json = (n: number) => ({ password, new_password: `chosen as number ${n}` });
    const called = await atOnce((n) => t.call('PUT', '/v1/me/password', { session, json: json(n) }));
    expect(statuses(called).filter((status) => status === 200)).toEqual([200]);
    for (const { status, body } of called.filter((each) => each.status === 400))
      expect([status, body.errors[0].field, body.errors[0].code]).toEqual([400, 'password', 'wrong']);
    const winner = called.findIndex(({ status }) => status === 200);
    expect((await signIn({ email, password: json(winner).new_password })).status).toBe(200);
    expect((await me(cookieOf(called[winner]!))).status).toBe(200);
  });

  test('replaces the password of a customer once', async () => {
    const session = await openCustomerSession(t, '1000', await makeCustomer(t), 'read');
    const json = (n: number) => ({ password: 'chosen by the customer', new_password: `chosen as number ${n}` });
    const called = await atOnce((n) => t.call('PUT', '/v1/me/password', { session, json: json(n) }));
    expect(statuses(called).filter((status) => status === 200)).toEqual([200]);
  });

  test('accepts a temporary password of a customer once', async () => {
    const id = await makeCustomer(t);
    await t.call('PUT', `/v1/customers/${id}/access`, { json: { access: 'read' } });
    const { email, temp_password } = (await t.call('POST', `/v1/customers/${id}/invitation`)).body;
    const json = (n: number) => ({
      reseller_id: '1000',
      email,
      password: temp_password,
      new_password: `chosen as number ${n}`,
    });
    const called = await atOnce((n) => signIn(json(n)));
    expect(statuses(called)).toEqual([200, 401, 401, 401, 401]);
  });

  test('creates ten recovery codes once, and opens one session for a code', async () => {
    const email = 'race-codes@sessions.example';
    const session = await openSession(t, '1000', { email });
    const { secret } = (await t.call('POST', '/v1/me/totp', { session, json: {} })).body;
    const json = { code: totpCode(secret, stepAt(t.ctx.wall.now())) };
    expect((await t.call('PUT', '/v1/me/totp', { session, json })).status).toBe(200);
    const made = await atOnce(() => t.call('POST', '/v1/me/recovery_codes', { session, json: {} }));
    expect(statuses(made)).toEqual([200, 200, 200, 200, 200]);
    expect((await t.call('GET', '/v1/me/factors', { session })).body.recovery_codes).toBe(10);
    const { codes } = (await t.call('POST', '/v1/me/recovery_codes', { session, json: {} })).body;
    const halves: string[] = [];
    for (let n = 0; n < 5; n++) halves.push(cookieOf(await signIn({ email, password })));
    const used = await atOnce((n) =>
      t.call('POST', '/v1/session/factor', { session: halves[n]!, json: { recovery_code: codes[0] } }),
    );
    expect(statuses(used)).toEqual([200, 400, 400, 400, 400]);
  });
});

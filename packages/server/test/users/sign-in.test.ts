import { allTenants, sql } from '@namehold/postgres';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { makeCustomer, person } from '../../../../test/support/parties.ts';
import { keyFor, makeReseller } from '../../../../test/support/resellers.ts';
import { countRows } from '../../../../test/support/rows.ts';
import { startTestService, type TestService } from '../../../../test/support/service.ts';
import { codeFor, cookieOf, mailedCode, openSession } from '../../../../test/support/users.ts';
import { type HashCaller, HashGate, hashLimits } from '../../src/core/accounts/hash-gate.ts';
import { systemActor } from '../../src/core/actors.ts';
import { recoverUser } from '../../src/core/users/invite.ts';

let t: TestService;
beforeAll(async () => {
  // Networks of callers, by X-Forwarded-For.
  t = await startTestService({ env: { NAMEHOLD_TRUSTED_PROXIES: '127.0.0.1' } });
});
afterAll(() => t.stop());

const password = 'a long enough one';
const signIn = (json: Record<string, unknown>, headers: Record<string, string> = {}) =>
  t.call('POST', '/v1/session', { json, session: '', headers });
const redeem = (json: Record<string, unknown>) => t.call('POST', '/v1/session/code', { json, session: '' });
/** Resets the guess counters, as time would. */
const forgive = () =>
  t.ctx.db.transaction(allTenants, (tx) => tx.run(sql`delete from rate_bucket where bucket like 'guess%'`));

describe('a sign-in code', () => {
  test('creates a user and a session once, and is stored only as a hash', async () => {
    const code = await codeFor(t, '1000', { email: 'Sari@People.example' });
    // A rejected new password is no guess of the code.
    for (const easy of ['12345678', 'password', 'Password1', 'qwerty123', '11111111', 'sari@people.example'])
      expect((await redeem({ code, password: easy })).body.errors).toMatchObject([
        { field: 'password', code: 'too_easy' },
      ]);
    const made = await redeem({ code, password, name: 'Sari Dewi' });
    expect(made.body).toMatchObject({
      person: { email: 'Sari@People.example', name: 'Sari Dewi', language: 'en', time_zone: 'UTC' },
      account: { reseller_id: '1000', role: 'owner', scopes: ['full'], is_operator: false },
    });
    expect(made.headers.get('cache-control')).toBe('no-store');
    expect(made.headers.getSetCookie()[0]).toMatch(
      /^namehold=[\w-]{54}; Max-Age=(2592000|259199\d); Path=\/; HttpOnly; SameSite=Strict$/,
    );
    const secret = cookieOf(made).split('=')[1]!;
    expect(made.text).not.toContain(secret);
    const { row } = await t.ctx.db
      .as(allTenants)
      .one<{ row: string }>(sql`select string_agg(to_jsonb(s)::text, '') as row from person_session s`);
    expect(row).not.toContain(secret);
    expect(await redeem({ code, password })).toMatchObject({ status: 401, body: { code: 'unauthorized' } });
    const again = await signIn({ email: 'sari@people.EXAMPLE', password });
    expect(again.body.person.person_id).toBe(made.body.person.person_id);
  });

  test('requires the password of an existing user, so that the inviter cannot sign in', async () => {
    const email = 'two-accounts@people.example';
    await openSession(t, '1000', { email });
    const code = await codeFor(t, '1', { email, role: 'read_only' });
    expect((await redeem({ code, password: 'chosen by the inviter' })).status).toBe(401);
    const joined = await redeem({ code, password });
    expect(joined.body.account).toMatchObject({
      reseller_id: '1',
      role: 'read_only',
      scopes: ['read'],
      is_operator: true,
    });
    expect(joined.body.accounts).toHaveLength(2);
    expect(Date.parse(joined.body.ends_at) - Date.parse(joined.body.created_at)).toBe(12 * 3_600_000);
    expect((await signIn({ email, password: 'chosen by the inviter' })).status).toBe(401);
  });

  test('is invalid after five wrong passwords', async () => {
    const email = 'five@people.example';
    await openSession(t, '1000', { email });
    const code = await codeFor(t, '1', { email });
    for (let n = 0; n < 5; n++) expect((await redeem({ code, password: `wrong one ${n}` })).status).toBe(401);
    expect((await redeem({ code, password })).status).toBe(401);
    expect(
      await countRows(
        t,
        'membership',
        sql`reseller_id = 1 and person_id = (select id from person where email = ${email})`,
      ),
    ).toBe(0);
  });

  test('sets a new password with a recovery code and ends every session', async () => {
    await forgive();
    const email = 'lost@people.example';
    const session = await openSession(t, '1000', { email });
    const { code } = await recoverUser(t.ctx, systemActor, email);
    expect((await redeem({ code, password: 'another long one' })).status).toBe(200);
    expect((await t.call('GET', '/v1/session', { session })).status).toBe(401);
    expect((await signIn({ email, password })).status).toBe(401);
    expect((await signIn({ email, password: 'another long one' })).status).toBe(200);
  });
});

describe('the first sign-in of an account', () => {
  const make = async (email: string) => {
    const form = person({ email, password, selling_currency: 'USD' });
    return (await t.call('POST', '/v1/resellers', { form })).body.reseller_id as string;
  };
  /** The right password, and the link in the mail. */
  const claim = async (given: { reseller_id: string; email: string; password: string }) => {
    const response = await signIn(given);
    expect([response.status, response.body, response.headers.get('set-cookie')]).toEqual([
      202,
      { methods: ['mailed_link'] },
      null,
    ]);
    return mailedCode(t, given.reseller_id, given.email);
  };

  test("mails a link for the account's address and password, and creates the user when it is used", async () => {
    await forgive();
    const email = 'first@owner.example';
    const reseller_id = await make(email);
    expect((await signIn({ reseller_id, email, password: 'not the password' })).status).toBe(401);
    expect((await signIn({ reseller_id: '1000', email, password })).status).toBe(401);
    const code = await claim({ reseller_id, email, password });
    expect(await countRows(t, 'person', sql`email = ${email}`)).toBe(0);
    expect((await signIn({ email, password })).status).toBe(401);
    // Meanwhile the real owner of the address can be invited elsewhere, and is not blocked.
    const first = await redeem({ code, password });
    expect(first.body.account).toMatchObject({ reseller_id, role: 'owner' });
    expect((await signIn({ reseller_id, email, password })).status).toBe(401);
    expect((await signIn({ email, password })).status).toBe(200);
    const session = cookieOf(first);
    const { body } = await t.call('GET', '/v1/account/audit', { session, query: { action: 'person.join' } });
    expect(body).toMatchObject([{ key_id: null, person_id: first.body.person.person_id, object_type: 'person' }]);
  });

  test('creates no second owner by a link that was mailed before', async () => {
    await forgive();
    const email = 'late@owner.example';
    const reseller_id = await make(email);
    const code = await claim({ reseller_id, email, password });
    await openSession(t, reseller_id);
    expect((await redeem({ code, password })).status).toBe(401);
  });

  const temporary = async (reseller_id: string, as?: string) => {
    const by = as ? { as } : {};
    const called = await t.call('GET', '/v1/resellers/temp_password', { query: { reseller_id }, ...by });
    return { ...called, password: called.body.temp_password as string };
  };
  const principalOf = async (reseller_id: string) =>
    t.ctx.db.as(allTenants).one<{ hand: string | null; of_key: string }>(sql`
      select m.hand, (select k.hand from api_key k where k.reseller_id = m.reseller_id and 'full' = any(k.scopes)) as of_key
      from membership m where m.reseller_id = ${reseller_id}`);

  test('assigns a sign-in with a temporary password to the principal that created it', async () => {
    await forgive();
    const email = 'temporary@owner.example';
    const reseller_id = await make(email);
    const full = await keyFor(t, reseller_id);
    const narrow = await keyFor(t, reseller_id, ['account:write']);
    expect((await temporary(reseller_id, narrow)).body.code).toBe('scope_missing');
    const issued = await temporary(reseller_id, full);
    const code = await claim({ reseller_id, email, password: issued.password });
    const first = await redeem({ code, password });
    expect(first.body.account).toMatchObject({ reseller_id, role: 'owner' });
    expect((await signIn({ email, password: issued.password })).status).toBe(401);
    expect((await signIn({ email, password })).status).toBe(200);
    const { hand, of_key } = await principalOf(reseller_id);
    expect(hand).toBe(of_key);
    // So it cannot approve its own request, nor require approvals as the only principal.
    const autocommit = await t.call('PUT', '/v1/account/security', {
      session: cookieOf(first),
      json: { second_yes: ['ds'] },
    });
    expect(autocommit.body.code).toBe('conflict');
    expect(await countRows(t, 'reseller', sql`id = ${reseller_id} and temp_password_hash is not null`)).toBe(0);
  });

  test('is refused with a temporary password whose key was revoked', async () => {
    await forgive();
    const email = 'revoked@owner.example';
    const reseller_id = await make(email);
    const full = await keyFor(t, reseller_id);
    const issued = await temporary(reseller_id, full);
    await t.ctx.db.transaction(allTenants, (tx) =>
      tx.run(sql`update api_key set revoked_at = now() where reseller_id = ${reseller_id}`),
    );
    expect((await signIn({ reseller_id, email, password: issued.password })).status).toBe(401);
  });

  test("is a principal of its own with the parent's temporary password, and joins none with its own", async () => {
    await forgive();
    for (const mine of [false, true]) {
      const email = `above${mine}@owner.example`;
      const reseller_id = await make(email);
      const key = await keyFor(t, reseller_id);
      const issued = await temporary(reseller_id, mine ? key : undefined);
      const code = await claim({ reseller_id, email, password: mine ? password : issued.password });
      expect((await redeem({ code, password: 'my very own one' })).status).toBe(200);
      expect((await principalOf(reseller_id)).hand).toBeNull();
    }
  });

  test('creates a user only for an address that the user controls', async () => {
    await forgive();
    const email = 'victim@elsewhere.example';
    const owner = await openSession(t, '1000', { email: 'squatter@people.example' });
    const invited = await t.call('POST', '/v1/people', { session: owner, json: { email, role: 'read_only' } });
    expect([invited.status, invited.body.code]).toEqual([200, null]);
    expect(await countRows(t, 'person', sql`email = ${email}`)).toBe(0);
    // The real owner of the mailbox is invited by another account, and joins both.
    const session = await openSession(t, '1', { email });
    expect((await t.call('GET', '/v1/me', { session })).body.email).toBe(email);
    const joined = await redeem({ code: await mailedCode(t, '1000', email), password });
    expect(joined.body.accounts).toHaveLength(2);
  });

  test('requires a session and the password of the account for an existing user', async () => {
    await forgive();
    const email = 'second@owner.example';
    const session = await openSession(t, '1000', { email, password: 'my very own one' });
    const reseller_id = await make(email);
    const put = (json: object) => t.call('PUT', '/v1/session/account', { session, json });
    expect((await put({ reseller_id, password: 'not the password' })).body.errors).toMatchObject([
      { field: 'reseller_id' },
    ]);
    const there = await put({ reseller_id, password });
    expect(there.body.account).toMatchObject({ reseller_id, role: 'owner' });
    expect((await t.call('GET', '/v1/account/profile', { session: cookieOf(there) })).body).toMatchObject({
      reseller_id,
      api_key: null,
    });
  });
});

describe('the first sign-in of an account whose address is that of a user', () => {
  test("has the same answer and mail as for any other address, and requires the user's own password", async () => {
    await forgive();
    const own = 'my very own one';
    const seen: unknown[] = [];
    for (const email of ['is-a-user@owner.example', 'is-no-user@owner.example']) {
      if (email.startsWith('is-a-user')) await openSession(t, '1000', { email, password: own });
      const form = person({ email, password, selling_currency: 'USD' });
      const reseller_id = (await t.call('POST', '/v1/resellers', { form })).body.reseller_id as string;
      const response = await signIn({ reseller_id, email, password });
      const as = await keyFor(t, reseller_id);
      const [notice] = (await t.call('GET', '/v1/notices', { as })).body;
      const { text } = (await t.call('GET', `/v1/notices/${notice.notice_id}`, { as })).body;
      const shown = text.replaceAll(email, 'X').replaceAll(/\d+ \w+ \d{4}, \d\d:\d\d UTC/g, 'then');
      seen.push([response.status, response.body, notice.kind, notice.subject, shown]);
      const code = await mailedCode(t, reseller_id, email);
      if (email.startsWith('is-a-user')) expect((await redeem({ code, password })).status).toBe(401);
      const joined = await redeem({ code, password: own });
      expect(joined.body.account, joined.text).toMatchObject({ reseller_id, role: 'owner' });
    }
    expect(seen[0]).toEqual(seen[1]);
    expect((seen[0] as unknown[]).slice(0, 3)).toEqual([202, { methods: ['mailed_link'] }, 'user_invitation']);
  });
});

describe('guessing', () => {
  /** Counts the statements and the argon2id runs of one sign-in. */
  const workOf = async (json: Record<string, unknown>) => {
    const { db } = t.ctx;
    const counted: string[] = [];
    const original = HashGate.prototype.through;
    HashGate.prototype.through = function through<T>(work: () => Promise<T>, caller: HashCaller): Promise<T> {
      counted.push('argon2id');
      return original.call(this, work, caller) as Promise<T>;
    };
    const [as, autocommit] = [db.as, db.autocommit];
    const spy = (handle: object) =>
      new Proxy(handle, {
        get(target, name) {
          const value = Reflect.get(target, name) as unknown;
          if (typeof value !== 'function') return value;
          return (...args: unknown[]) => {
            // Background jobs run statements beside it.
            const response = JSON.stringify(args[0]);
            if (/person|membership|guess_take/.test(response))
              counted.push(`${String(name)} ${response.match(/from \w+|guess_take/)}`);
            return (value as (...given: unknown[]) => unknown).apply(target, args);
          };
        },
      });
    Object.assign(db, {
      as: (tenant: string) => spy(as.call(db, tenant)),
      autocommit: (tenant: string) => spy(autocommit.call(db, tenant)),
    });
    try {
      const { status, body } = await signIn(json);
      const { request_id: _, ...answer } = body;
      return { status, said: answer, counted };
    } finally {
      Object.assign(db, { as, autocommit });
      HashGate.prototype.through = original;
    }
  };

  test('gets one answer, for equal work, for an unknown address, a wrong password and a disabled user', async () => {
    await forgive();
    await openSession(t, '1000', { email: 'known@people.example' });
    await openSession(t, '1000', { email: 'disabled@people.example' });
    await t.ctx.db.transaction(allTenants, (tx) =>
      tx.run(sql`update person set disabled_at = now() where email = 'disabled@people.example'`),
    );
    const unknown = await workOf({ email: 'nobody@people.example', password });
    const wrong = await workOf({ email: 'known@people.example', password: 'a wrong long one' });
    const disabled = await workOf({ email: 'disabled@people.example', password });
    expect(unknown).toMatchObject({ status: 401, said: { code: 'unauthorized' } });
    expect(unknown.counted.filter((each) => each === 'argon2id')).toHaveLength(1);
    expect(wrong).toEqual(unknown);
    expect(disabled).toEqual(unknown);
  });

  test('is paused after ten wrong passwords for an address, also for the right password', async () => {
    await forgive();
    const email = 'guessed@people.example';
    await openSession(t, '1000', { email });
    const many = await Promise.all(
      Array.from({ length: 14 }, (_, n) => signIn({ email, password: `wrong long one ${n}` })),
    );
    expect(many.filter(({ status }) => status === 401)).toHaveLength(10);
    const paused = await signIn({ email: email.toUpperCase(), password });
    expect(paused.status).toBe(429);
    expect(Number(paused.headers.get('retry-after'))).toBeGreaterThan(0);
    expect(Number(paused.headers.get('retry-after'))).toBeLessThanOrEqual(90);
    await forgive();
    expect((await signIn({ email, password })).status).toBe(200);
  });

  test('resets the counter by a right password', async () => {
    await forgive();
    const email = 'clumsy@people.example';
    await openSession(t, '1000', { email });
    for (let n = 0; n < 2; n++) {
      for (let k = 0; k < 6; k++) expect((await signIn({ email, password: `a wrong long ${k}` })).status).toBe(401);
      expect((await signIn({ email, password })).status).toBe(200);
    }
  });

  const from = (network: number) => ({ 'X-Forwarded-For': `203.0.113.${network}` });

  test('is counted for the user for wrong passwords with a code, whatever account sent the invitation', async () => {
    await forgive();
    const email = 'invited-often@people.example';
    await openSession(t, '1000', { email });
    const tried: number[] = [];
    for (let n = 0; n < 3; n++) {
      const code = await codeFor(t, '1', { email });
      for (let k = 0; k < 4; k++) tried.push((await redeem({ code, password: `a wrong long ${n} ${k}` })).status);
    }
    expect(tried).toEqual([...Array(10).fill(401), 429, 429]);
    expect((await signIn({ email, password })).status).toBe(429);
  });

  test('is counted separately for a user and for customers with the same address', async () => {
    await forgive();
    const email = 'same-address@people.example';
    await openSession(t, '1000', { email });
    const made = await t.call('POST', '/v1/customers', { form: person({ email, password }) });
    await t.call('PUT', `/v1/customers/${made.body.customer_id}/access`, { json: { access: 'read' } });
    const asCustomer = () => signIn({ email, password, reseller_id: '1000' });
    const tried: number[] = [];
    for (let n = 0; n < 12; n++) {
      expect((await asCustomer()).status).toBe(200);
      tried.push((await signIn({ email, password: `a wrong long ${n}` })).status);
    }
    expect(tried).toEqual([...Array(10).fill(401), 429, 429]);
    expect((await asCustomer()).status).toBe(200);
  });

  test('locks out neither another network nor, from many networks, a known browser', async () => {
    await forgive();
    const email = 'kept-out@people.example';
    await openSession(t, '1000', { email });
    const known = await signIn({ email, password }, from(1));
    const device = known.headers.getSetCookie()[1]!;
    expect(device).toMatch(/^namehold-device=[^;]+; Max-Age=15552000; Path=\/; HttpOnly; SameSite=Strict$/);
    const [cookie] = device.split(';') as [string];
    const wrong = (network: number) => signIn({ email, password: 'a wrong long one' }, from(network));
    for (let n = 0; n < 10; n++) expect((await wrong(2)).status).toBe(401);
    expect((await wrong(2)).status).toBe(429);
    expect((await signIn({ email, password }, from(3))).status).toBe(200);
    for (let n = 0; n < 10; n++) expect((await wrong(10 + n)).status).toBe(401);
    // Now the shared counter of all unknown browsers is used up.
    expect((await wrong(90)).status).toBe(429);
    expect((await signIn({ email, password }, from(91))).status).toBe(429);
    expect((await signIn({ email, password }, { ...from(2), Cookie: cookie })).status).toBe(200);
    // A browser is known for the logins opened in it, and only with a cookie that was made here.
    const forged = cookie.replace(/.$/, (last) => (last === '0' ? '1' : '0'));
    expect((await signIn({ email, password }, { ...from(92), Cookie: forged })).status).toBe(429);
    const other = 'not-kept-out@people.example';
    await openSession(t, '1000', { email: other });
    const foreign = (await signIn({ email: other, password })).headers.getSetCookie()[1]!.split(';')[0]!;
    expect((await signIn({ email, password }, { ...from(93), Cookie: foreign })).status).toBe(429);
    for (let n = 0; n < 10; n++) {
      const { status } = await signIn({ email, password: 'a wrong long one' }, { ...from(1), Cookie: cookie });
      expect(status).toBe(401);
    }
    expect((await signIn({ email, password }, { ...from(1), Cookie: cookie })).status).toBe(429);
  });

  test('checks four passwords at a time and refuses callers when the queue is long', async () => {
    const gate = new HashGate();
    let [running, most] = [0, 0];
    const ends: (() => void)[] = [];
    const work = () => {
      running += 1;
      most = Math.max(most, running);
      return new Promise<void>((resolve) => ends.push(() => resolve())).finally(() => {
        running -= 1;
      });
    };
    const all = Array.from({ length: hashLimits.atOnce + hashLimits.waiting + 3 }, (_, n) =>
      gate.through(work, { address: `192.0.${n}.1` }),
    );
    let isOver = false;
    const settled = Promise.allSettled(all).finally(() => {
      isOver = true;
    });
    for (let n = 0; n < 10_000 && !isOver; n++) {
      ends.shift()?.();
      await new Promise((resolve) => setImmediate(resolve));
    }
    const refused = (await settled).filter((each) => each.status === 'rejected');
    expect(refused).toHaveLength(3);
    expect(refused[0]).toMatchObject({ reason: { code: 'rate_limited', details: { retryAfterSeconds: 1 } } });
    expect(most).toBe(hashLimits.atOnce);
    await expect(gate.through(async () => 'free again', { address: '192.0.2.1' })).resolves.toBe('free again');
  });

  /** A gate with all places taken, which then starts one waiting caller after the other. */
  const fullGate = () => {
    const gate = new HashGate();
    const started: string[] = [];
    const refused: string[] = [];
    const { promise: isOpen, resolve: open } = Promise.withResolvers<void>();
    const all = Array.from({ length: hashLimits.atOnce }, () => gate.through(() => isOpen, { address: '192.0.2.1' }));
    const wait = (name: string, caller: HashCaller, count = 1) => {
      for (let n = 0; n < count; n++)
        all.push(
          gate
            .through(async () => void started.push(name), caller)
            .catch((error: { code: string }) => void refused.push(`${error.code} ${name}`)),
        );
    };
    const end = async () => {
      open();
      await Promise.all(all);
      return { started, refused };
    };
    return { wait, end };
  };

  test('waits behind one password at most of each top account, of known browsers and of other sites', async () => {
    const { wait, end } = fullGate();
    wait('many sub-resellers', { topId: '1000', address: '192.0.2.1' }, 200);
    wait('one site', { address: '198.51.100.1' }, 10);
    wait('another account', { topId: '1001', address: '192.0.2.1' });
    wait('a known browser', { known: 'dev_1', address: '198.51.100.1' });
    wait('a stranger', { address: '203.0.113.1' });
    const { started, refused } = await end();
    expect(started.slice(0, 5)).toEqual([
      'many sub-resellers',
      'one site',
      'another account',
      'a known browser',
      'a stranger',
    ]);
    expect([started.length, refused]).toEqual([213, []]);
  });

  test('finds a place in the queue whatever one site, strangers or accounts fill', async () => {
    const { wait, end } = fullGate();
    wait('account', { topId: '1000', address: '192.0.2.1' }, 100);
    for (let n = 0; n < 20; n++) wait('site', { address: `198.51.100.${n}` });
    wait('stranger', { address: '203.0.113.1' }, 16);
    wait('late stranger', { address: '192.0.2.9' });
    wait('known', { known: 'dev_1', address: '198.51.100.1' });
    const { refused } = await end();
    expect(refused).toEqual([...Array(4).fill('rate_limited site'), 'rate_limited late stranger']);
  });

  test('is counted for the top account of a caller, for a known browser or for the address', async () => {
    await forgive();
    const seen: HashCaller[] = [];
    const original = HashGate.prototype.through;
    HashGate.prototype.through = function through<T>(work: () => Promise<T>, caller: HashCaller): Promise<T> {
      seen.push(caller);
      return original.call(this, work, caller) as Promise<T>;
    };
    try {
      const top = await makeReseller(t);
      const sub = await makeReseller(t, top);
      seen.length = 0;
      await makeCustomer(t, sub);
      const email = 'in-turn@people.example';
      await openSession(t, '1000', { email });
      const first = await signIn({ email, password });
      const device = first.headers.getSetCookie()[1]!.split(';')[0]!;
      await signIn({ email, password }, { Cookie: device });
      expect(seen.map(({ topId, known }) => [topId, known !== undefined])).toEqual([
        [top.split(':')[0], false],
        [undefined, false],
        [undefined, false],
        [undefined, true],
      ]);
      expect(seen[1]!.address).toBe('127.0.0.1');
    } finally {
      HashGate.prototype.through = original;
    }
  });
});

import { allTenants, sql } from '@namehold/postgres';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { runJob } from '../../../../test/support/jobs.ts';
import { mailsTo } from '../../../../test/support/mail.ts';
import { makeReseller } from '../../../../test/support/resellers.ts';
import { countRows } from '../../../../test/support/rows.ts';
import { startTestService, type TestService } from '../../../../test/support/service.ts';
import { cookieOf, openSession } from '../../../../test/support/users.ts';
import { stepAt, stepOf, totpCode } from '../../src/core/users/totp.ts';

let t: TestService;
beforeAll(async () => {
  t = await startTestService();
});
afterAll(() => t.stop());

const password = 'a long enough one';
const signIn = (email: string) => t.call('POST', '/v1/session', { json: { email, password }, session: '' });
const step2 = (session: string, json: object) => t.call('POST', '/v1/session/factor', { session, json });
const change = (statement: ReturnType<typeof sql>) => t.ctx.db.transaction(allTenants, (tx) => tx.run(statement));
const codeAt = (secret: string, steps = 0) => totpCode(secret, stepAt(t.ctx.wall.now()) + steps);
const unproven = async () => {
  await change(sql`update person_session set sudo_until = now() - interval '1 second'`);
  t.service.evictCachedKeys();
};
/** Moves the counter back, so that the code counts as new. */
const nextStep = () => change(sql`update totp set last_step = 0`);

const noticesTo = async (email: string) => ({
  rows: await t.ctx.db
    .as(allTenants)
    .many<{ kind: string; body_text: string }>(
      sql`select kind, body_text from notice where address = ${email} order by id`,
    ),
});

async function withTotp(email: string): Promise<{ session: string; secret: string }> {
  const session = await openSession(t, '1000', { email });
  const begun = await t.call('POST', '/v1/me/totp', { session, json: {} });
  const { secret } = begun.body;
  const done = await t.call('PUT', '/v1/me/totp', { session, json: { code: codeAt(secret) } });
  expect(done.status, done.text).toBe(200);
  return { session, secret };
}

test('accepts RFC 6238 codes of the current, previous and next step only', () => {
  const secret = 'GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ';
  expect(totpCode(secret, 1)).toBe('287082');
  expect(totpCode(secret, stepAt(new Date(1_111_111_109_000)))).toBe('081804');
  const at = new Date(1_111_111_109_000);
  for (const [steps, isTaken] of [
    [-2, false],
    [-1, true],
    [0, true],
    [1, true],
    [2, false],
  ] as const)
    expect(stepOf(secret, totpCode(secret, stepAt(at) + steps), at) !== undefined).toBe(isTaken);
});

describe('two-factor authentication', () => {
  test('is required once there is an authenticator; until then the session gives no access', async () => {
    const email = 'totp@factor.example';
    const { secret } = await withTotp(email);
    await nextStep();
    const half = await signIn(email);
    expect([half.status, half.body]).toEqual([202, { methods: ['totp'] }]);
    const cookie = cookieOf(half);
    for (const [method, path] of [
      ['GET', '/v1/session'],
      ['GET', '/v1/me'],
      ['GET', '/v1/domains'],
      ['POST', '/v1/session/sudo'],
    ] as const)
      expect((await t.call(method, path, { session: cookie, ...(method === 'POST' ? { json: {} } : {}) })).status).toBe(
        401,
      );
    expect((await step2(cookie, { code: codeAt(secret, 5) })).body.errors).toMatchObject([
      { field: 'code', code: 'wrong' },
    ]);
    const whole = await step2(cookie, { code: codeAt(secret) });
    expect(whole.status, whole.text).toBe(200);
    expect((await t.call('GET', '/v1/me', { session: cookieOf(whole) })).status).toBe(200);
    // The same code for another session: it was already used.
    const again = cookieOf(await signIn(email));
    expect((await step2(again, { code: codeAt(secret) })).body.errors).toMatchObject([{ field: 'code' }]);
    const late = cookieOf(await signIn(email));
    await change(sql`update person_session set awaits_factor_until = now() where awaits_factor_until is not null`);
    t.service.evictCachedKeys();
    expect((await step2(late, { code: codeAt(secret, 1) })).status).toBe(401);
    const { sealed } = await t.ctx.db
      .as(allTenants)
      .one<{ sealed: string }>(sql`select string_agg(secret_sealed, ' ') as sealed from totp`);
    expect(sealed).not.toContain(secret);
  });

  test('accepts each recovery code of the latest set once, and at most ten wrong codes', async () => {
    const email = 'recovery@factor.example';
    const { session, secret } = await withTotp(email);
    const make = async () =>
      (await t.call('POST', '/v1/me/recovery_codes', { session, json: {} })).body.codes as string[];
    const [old, codes] = [await make(), await make()];
    expect(new Set(codes).size).toBe(10);
    const half = cookieOf(await signIn(email));
    expect((await step2(half, { recovery_code: old[0] })).status).toBe(400);
    expect((await step2(half, { recovery_code: codes[0]!.toLowerCase() })).status).toBe(200);
    const other = cookieOf(await signIn(email));
    expect((await step2(other, { recovery_code: codes[0] })).status).toBe(400);
    for (let n = 0; n < 10; n++) expect((await step2(other, { code: codeAt(secret, 50 + n) })).status).toBe(400);
    expect((await step2(other, { code: codeAt(secret) })).status).toBe(429);
    // A success with another kind of code does not reset the counter of this one.
    expect((await step2(other, { recovery_code: codes[1] })).status).toBe(200);
    const third = cookieOf(await signIn(email));
    expect((await step2(third, { code: codeAt(secret) })).status).toBe(429);
  });

  test('ends recovery codes with the last factor, and refuses to create them without one', async () => {
    const email = 'lone@factor.example';
    const { session } = await withTotp(email);
    const { codes } = (await t.call('POST', '/v1/me/recovery_codes', { session, json: {} })).body as {
      codes: string[];
    };
    expect((await t.call('DELETE', '/v1/me/totp', { session })).status).toBe(200);
    expect((await t.call('POST', '/v1/me/recovery_codes', { session, json: {} })).body.code).toBe('conflict');
    const { secret } = (await t.call('POST', '/v1/me/totp', { session, json: {} })).body as { secret: string };
    await t.call('PUT', '/v1/me/totp', { session, json: { code: codeAt(secret) } });
    const half = await signIn(email);
    expect(half.body.methods).toEqual(['totp']);
    expect((await step2(cookieOf(half), { recovery_code: codes[0] })).status).toBe(400);
  });

  test('stores no row for a passkey challenge, and refuses an invalid passkey with its field', async () => {
    const before = await countRows(t, 'passkey_challenge');
    const made = await Promise.all(
      Array.from({ length: 20 }, () => t.call('POST', '/v1/session/challenge', { session: '', json: {} })),
    );
    expect(new Set(made.map(({ body }) => body.challenge)).size).toBe(20);
    expect(await countRows(t, 'passkey_challenge')).toBe(before);
    const ids: unknown[] = [{ toString: 1 }, { toJSON: 1, valueOf: 1 }, ['a'], 7, null, 'x'.repeat(3_000)];
    for (const id of ids) {
      const called = await t.call('POST', '/v1/session/passkey', { session: '', json: { passkey: { id } } });
      expect([called.status, called.body.errors?.[0].field], JSON.stringify(id)).toEqual([400, 'passkey']);
    }
    for (const response of [{ clientDataJSON: { toString: 1 } }, { toString: 1 }, null, 7, [{}]])
      expect(
        (await t.call('POST', '/v1/session/passkey', { session: '', json: { passkey: { id: 'a', response } } })).status,
      ).toBe(401);
  });
});

describe('recent authentication', () => {
  const key = (session: string) =>
    t.call('POST', '/v1/account/keys', { session, json: { label: 'k', ip_whitelist: ['127.0.0.1'] } });

  test('is required of users, not of keys, for sensitive calls; the password suffices without a factor', async () => {
    const session = await openSession(t, '1000');
    expect((await key(session)).status).toBe(200);
    await unproven();
    const refused = await key(session);
    expect([refused.status, refused.body.code, refused.body.methods]).toEqual([
      403,
      'reauthentication_required',
      ['password'],
    ]);
    expect((await t.call('GET', '/v1/account/keys', { session })).status).toBe(200);
    const prove = (json: object) => t.call('POST', '/v1/session/sudo', { session, json });
    expect((await prove({ password: 'not the present' })).body.errors).toMatchObject([{ field: 'password' }]);
    const proven = await prove({ password });
    expect((await key(cookieOf(proven))).status).toBe(200);
    const json = { label: 'by key', ip_whitelist: ['127.0.0.1'] };
    expect((await t.call('POST', '/v1/account/keys', { json })).status).toBe(200);
  });

  test('is required before granting access to another user, for customers with their password', async () => {
    const session = await openSession(t, '1000');
    await unproven();
    const calls: [method: 'GET' | 'POST' | 'PUT', path: string, json?: object][] = [
      ['PUT', '/v1/customers/2000/access', { access: 'manage' }],
      ['POST', '/v1/customers/2000/invitation', {}],
      ['GET', '/v1/customers/temp_password?customer_id=2000'],
      ['GET', '/v1/resellers/temp_password?reseller_id=1000'],
    ];
    for (const [method, path, json] of calls) {
      const { status, body } = await t.call(method, path, { session, ...(json ? { json } : {}) });
      expect([path, status, body.code]).toEqual([path, 403, 'reauthentication_required']);
    }
  });

  test('requires the second factor of a user who has one', async () => {
    const { session, secret } = await withTotp('sudo@factor.example');
    await unproven();
    await nextStep();
    expect((await key(session)).body.methods).toEqual(['totp']);
    const prove = (json: object) => t.call('POST', '/v1/session/sudo', { session, json });
    expect((await prove({ password })).status).toBe(400);
    expect((await key(cookieOf(await prove({ code: codeAt(secret) })))).status).toBe(200);
  });
});

test('limits an owner without a second factor to the own settings after a week', async () => {
  const session = await openSession(t, '1000', { email: 'due@factor.example' });
  const staff = await openSession(t, '1000', { role: 'read_only' });
  await change(sql`update membership set factor_due_at = now() - interval '1 second' where factor_due_at is not null`);
  t.service.evictCachedKeys();
  const domains = (by: string) => t.call('GET', '/v1/domains', { session: by });
  expect((await domains(session)).body.code).toBe('factor_required');
  expect((await domains(staff)).status).toBe(200);
  expect((await t.call('GET', '/v1/session', { session })).status).toBe(200);
  const { secret } = (await t.call('POST', '/v1/me/totp', { session, json: {} })).body;
  await t.call('PUT', '/v1/me/totp', { session, json: { code: codeAt(secret) } });
  expect((await domains(session)).status).toBe(200);
});

describe('the two-factor reset of another user', () => {
  const reset = (session: string, id: string) => t.call('DELETE', `/v1/people/${id}/factors`, { session });
  const idOf = async (session: string) =>
    (await t.call('GET', '/v1/session', { session })).body.person.person_id as string;
  const due = () => change(sql`update factor_reset set due_at = now() - interval '1 second'`);
  const has = async (owner: string, id: string) =>
    (await t.call('GET', `/v1/people/${id}`, { session: owner })).body as Record<string, unknown>;

  test('takes effect a day after an owner requests it; the user is notified and can cancel it', async () => {
    const owner = await openSession(t, '1000', { email: 'head@factor.example' });
    const { session } = await withTotp('lost@factor.example');
    const id = await idOf(session);
    const requested = await reset(owner, id);
    expect(requested.status, requested.text).toBe(200);
    const { factors_end_at } = requested.body;
    const wait = Date.parse(factors_end_at) - t.ctx.wall.now().getTime();
    expect(wait).toBeGreaterThan(86_000_000);
    // A repeated request does not speed it up, nor does the job before its time.
    expect((await reset(owner, id)).body).toEqual({ factors_end_at });
    await runJob(t.ctx, 'process-recovery');
    expect(await has(owner, id)).toMatchObject({ has_factor: true, factors_end_at });
    expect((await t.call('GET', '/v1/session', { session })).body.factors_end_at).toBe(factors_end_at);
    const { rows } = await noticesTo('lost@factor.example');
    expect(rows).toMatchObject([{ kind: 'account_security' }]);
    expect((await t.call('DELETE', '/v1/me/factor_reset', { session })).body).toEqual({ kept: true });
    expect((await t.call('DELETE', '/v1/me/factor_reset', { session })).status).toBe(404);
    await due();
    await runJob(t.ctx, 'process-recovery');
    expect(await has(owner, id)).toMatchObject({ has_factor: true, factors_end_at: null });

    expect((await reset(owner, id)).status).toBe(200);
    await due();
    await runJob(t.ctx, 'process-recovery');
    t.service.evictCachedKeys();
    expect(await has(owner, id)).toMatchObject({ has_factor: false, factors_end_at: null, sessions: 0 });
    expect((await t.call('GET', '/v1/me', { session })).status).toBe(401);
    expect((await signIn('lost@factor.example')).status).toBe(200);
    const { body: log } = await t.call('GET', '/v1/account/audit', { session: owner, query: { limit: '100' } });
    const done = log.filter((row: { object_id: string }) => row.object_id === id);
    expect(done.map((row: { action: string }) => row.action).filter((each: string) => /factor/.test(each))).toEqual([
      'person.factors_removed',
      'person.reset_factors',
      'person.keep_factors',
      'person.reset_factors',
    ]);
  });

  test('is refused for users of other accounts, without factors, with more rights, and for oneself', async () => {
    const owner = await openSession(t, '1000', { email: 'owner@factor.example' });
    const clerk = await openSession(t, '1000', { role: 'staff', scopes: ['account:write'] });
    const refusal = async (session: string, id: string) => (await reset(session, id)).body;
    expect(await refusal(owner, await idOf(clerk))).toMatchObject({ code: 'conflict' });
    expect(await refusal(owner, await idOf(owner))).toMatchObject({ code: 'conflict' });
    const { session } = await withTotp('both@factor.example');
    const id = await idOf(session);
    expect(await refusal(clerk, id)).toMatchObject({ code: 'scope_missing' });
    const other = (await makeReseller(t)).split(':')[0]!;
    expect((await reset(await openSession(t, other), id)).status).toBe(404);
    // The user joins another account within the day: then the factors protect that one too.
    expect((await reset(owner, id)).status).toBe(200);
    await change(sql`
      insert into membership (person_id, reseller_id, role, scopes, created_at) values (${id}, ${other}, 'owner', '{full}', now())`);
    await due();
    await runJob(t.ctx, 'process-recovery');
    expect(await has(owner, id)).toMatchObject({ has_factor: true, factors_end_at: null });
    expect(await refusal(owner, id)).toMatchObject({ code: 'conflict' });
    await unproven();
    expect((await reset(owner, id)).body.code).toBe('reauthentication_required');
  });
});

test('requires a second factor of all users within a week, later members too, when an owner says so', async () => {
  const account = (await makeReseller(t)).split(':')[0]!;
  const owner = await openSession(t, account);
  const staff = await openSession(t, account, { role: 'staff', scopes: ['account:write'] });
  const dueOf = async (session: string) =>
    (await t.call('GET', '/v1/session', { session })).body.account.factor_due_at as string | null;
  const rule = (session: string, second_factor: string) =>
    t.call('PUT', '/v1/sign_in_rules', { session, json: { second_factor } });
  expect((await t.call('GET', '/v1/sign_in_rules', { session: staff })).body).toEqual({ second_factor: 'owners' });
  expect(await dueOf(staff)).toBeNull();
  expect((await rule(staff, 'everybody')).body.code).toBe('scope_missing');
  expect((await rule(owner, 'nobody')).body.errors).toMatchObject([{ field: 'second_factor' }]);
  expect((await rule(owner, 'everybody')).body).toEqual({ second_factor: 'everybody' });
  const later = await openSession(t, account, { role: 'read_only' });
  for (const session of [staff, later]) expect(await dueOf(session)).not.toBeNull();
  const before = await dueOf(owner);
  expect((await rule(owner, 'owners')).body).toEqual({ second_factor: 'owners' });
  for (const session of [staff, later]) expect(await dueOf(session)).toBeNull();
  expect(await dueOf(owner)).toBe(before);
});

describe('a forgotten password', () => {
  const forgot = (email: string) => t.call('POST', '/v1/recovery', { json: { email }, session: '' });
  const linkTo = async (email: string) => {
    await runJob(t.ctx, 'process-recovery');
    const mails = await mailsTo(t, email);
    return mails
      .map((mail) => /\/app\/welcome\?reset#code=(\S+)/.exec(mail.text)?.[1])
      .filter((code) => code !== undefined);
  };
  const finish = (code: string, secret: string) =>
    t.call('POST', '/v1/session/code', { json: { code, password: secret }, session: '' });

  test('is replaced by a link, once, within half an hour; the second factor stays', async () => {
    const email = 'forgot@factor.example';
    const { session, secret } = await withTotp(email);
    const requested = await forgot(email.toUpperCase());
    expect([requested.status, requested.body]).toEqual([202, { is_mailed: true }]);
    const [code] = await linkTo(email);
    const { rows } = await noticesTo(email);
    expect(JSON.stringify(rows)).not.toContain(code);
    const opened = await finish(code!, 'a new and longer one');
    expect([opened.status, opened.body]).toEqual([202, { methods: ['totp'] }]);
    await nextStep();
    expect((await step2(cookieOf(opened), { code: codeAt(secret) })).status).toBe(200);
    expect((await t.call('GET', '/v1/me', { session })).status).toBe(401);
    expect((await finish(code!, 'once more, longer')).status).toBe(401);
    expect((await signIn(email)).status).toBe(401);

    await forgot(email);
    const [late] = (await linkTo(email)).filter((each) => each !== code);
    await change(sql`update person_code set expires_at = expires_at - interval '30 minutes' where email = ${email}`);
    expect((await finish(late!, 'a third, long one')).status).toBe(401);
  });

  test('returns one answer for any address, sends no mail without a user, and throttles the fourth request', async () => {
    const email = 'gone@factor.example';
    await openSession(t, '1000', { email });
    await change(sql`update person set disabled_at = now() where email = ${email}`);
    for (const address of [email, 'nobody@factor.example']) {
      for (let n = 0; n < 3; n++) {
        const requested = await forgot(address);
        expect([requested.status, requested.body]).toEqual([202, { is_mailed: true }]);
      }
      // Sub-addresses are the same mailbox.
      for (const same of [address, address.replace('@', '+1@'), address.replace('@', '+2@').toUpperCase()])
        expect((await forgot(same)).status, same).toBe(429);
      expect(await linkTo(address)).toEqual([]);
    }
    // Requests of others do not slow down sign-ins.
    await openSession(t, '1000', { email: 'calm@factor.example' });
    for (let n = 0; n < 4; n++) await forgot('calm@factor.example');
    expect((await signIn('calm@factor.example')).status).toBe(200);
    expect(await countRows(t, 'recovery_wish', sql`email <> 'calm@factor.example'`)).toBe(0);
    const cross = await t.call('POST', '/v1/recovery', { json: { email } });
    expect(cross.status).toBeGreaterThanOrEqual(400);
  });
});

test('wrong codes from an unknown browser lock out neither a known browser nor an open session', async () => {
  const email = 'lockout@factor.example';
  const { secret } = await withTotp(email);
  await nextStep();
  const first = cookieOf(await signIn(email));
  const [running, device] = (await step2(first, { code: codeAt(secret) })).headers
    .getSetCookie()
    .map((cookie) => cookie.split(';')[0]!);
  const stranger = cookieOf(await signIn(email));
  for (let n = 0; n < 10; n++) expect((await step2(stranger, { code: codeAt(secret, 50 + n) })).status).toBe(400);
  await nextStep();
  expect((await step2(stranger, { code: codeAt(secret) })).status).toBe(429);
  // Another session before its second factor counts as the same unknown browser.
  expect((await step2(cookieOf(await signIn(email)), { code: codeAt(secret) })).status).toBe(429);
  const sudo = await t.call('POST', '/v1/session/sudo', { session: running!, json: { code: codeAt(secret) } });
  expect(sudo.status, sudo.text).toBe(200);
  await nextStep();
  const json = { email, password: 'a long enough one' };
  const half = cookieOf(await t.call('POST', '/v1/session', { json, session: device! }));
  const whole = await step2(`${half}; ${device}`, { code: codeAt(secret) });
  expect(whole.status, whole.text).toBe(200);
  // That browser has as many tries as any other, and its success gave the unknown browser none.
  await nextStep();
  expect((await step2(stranger, { code: codeAt(secret) })).status).toBe(429);
  const again = cookieOf(await t.call('POST', '/v1/session', { json, session: device! }));
  for (let n = 0; n < 10; n++)
    expect((await step2(`${again}; ${device}`, { code: codeAt(secret, 50 + n) })).status).toBe(400);
  expect((await step2(`${again}; ${device}`, { code: codeAt(secret) })).status).toBe(429);
});

import { allTenants, type Sql, sql } from '@namehold/postgres';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { makeCustomer, person } from '../../../../test/support/parties.ts';
import { keyFor, makeReseller } from '../../../../test/support/resellers.ts';
import { countRows } from '../../../../test/support/rows.ts';
import { startTestService, type TestService } from '../../../../test/support/service.ts';
import { cookieOf, openCustomerSession, openSession } from '../../../../test/support/users.ts';
import { findBreaks } from '../../src/core/audit/chain.sql.ts';
import { allows } from '../../src/core/keys/key.ts';
import { accessLevels, hasAccessLevel, scopesOfAccess } from '../../src/core/model/customer-access.ts';
import { neededScopes } from '../../src/http/route.ts';
import { routes } from '../../src/http/v1/index.ts';

let t: TestService;
beforeAll(async () => {
  t = await startTestService();
  // The account has an owner: its own password no longer signs in.
  await openSession(t, '1000');
});
afterAll(async () => {
  expect(await findBreaks(t.ctx.db.as(allTenants), 10)).toEqual([]);
  await t.stop();
});

let created = 0;
async function customer(access = 'read', as?: string): Promise<{ id: string; email: string }> {
  created += 1;
  const email = `signing${created}@made.example`;
  const id = await makeCustomer(t, as, { email });
  if (access !== 'none') await t.call('PUT', `/v1/customers/${id}/access`, { json: { access }, ...(as ? { as } : {}) });
  return { id, email };
}
const signIn = (json: Record<string, unknown>) =>
  t.call('POST', '/v1/session', { json: { reseller_id: '1000', password: 'a long enough one', ...json }, session: '' });
const run = (statement: Sql) => t.ctx.db.transaction(allTenants, (tx) => tx.run(statement));
const wait = { timeout: 300_000, interval: 200 };

test('refuses sign-in until the reseller grants access', async () => {
  const { id, email } = await customer('none');
  expect((await t.call('GET', `/v1/customers/${id}/access`)).body).toEqual({ access: 'none' });
  expect((await signIn({ email })).status).toBe(401);
  expect((await t.call('POST', `/v1/customers/${id}/invitation`)).body.code).toBe('conflict');
  expect((await t.call('PUT', `/v1/customers/${id}/access`, { json: { access: 'all' } })).status).toBe(400);
  await t.call('PUT', `/v1/customers/${id}/access`, { json: { access: 'dns' } });
  const called = await signIn({ email });
  expect(called.status).toBe(200);
  expect(called.body).toMatchObject({
    person: { person_id: `customer:${id}`, email },
    account: { reseller_id: '1000', role: 'customer', is_operator: false },
    customer: { customer_id: id, access: 'dns' },
  });
  expect(called.body.account.scopes).toContain('dns:write');
  const session = cookieOf(called);
  expect((await t.call('GET', '/v1/session', { session })).body.session_id).toBe(called.body.session_id);
  expect((await t.call('GET', '/v1/me', { session })).body.name).toBe('Sari Dewi');
  const rows = await t.ctx.db.as(allTenants).many(sql`
    select action, person_id, person_name, key_id from audit where session_id = ${called.body.session_id}`);
  expect(rows).toEqual([
    { action: 'session.begin', person_id: `customer:${id}`, person_name: 'Sari Dewi', key_id: null },
  ]);
  expect((await t.call('DELETE', '/v1/session', { session })).body).toEqual({ ended: 1 });
});

test('returns the same error for unknown addresses, wrong passwords, and suspended or other customers', async () => {
  const { id, email } = await customer();
  const suspended = await customer();
  await run(sql`update customer set status = 'Suspended' where id = ${suspended.id}`);
  const other = (await makeReseller(t)).split(':')[0]!;
  const tries = [
    { email: 'unknown@made.example' },
    { email, password: 'not the right one' },
    { email: suspended.email },
    { email, reseller_id: other },
    { email, reseller_id: '999801' },
  ];
  const seen: unknown[] = [];
  for (const json of tries) {
    const { status, body } = await signIn(json);
    seen.push([status, body.code, body.message]);
  }
  expect(new Set(seen.map((each) => JSON.stringify(each))).size, JSON.stringify(seen)).toBe(1);
  expect((seen[0] as unknown[])[0]).toBe(401);
  // Not without the account: a customer is no user.
  expect(
    (await t.call('POST', '/v1/session', { json: { email, password: 'a long enough one' }, session: '' })).status,
  ).toBe(401);
  expect((await signIn({ email })).body.customer.customer_id).toBe(id);
});

test('requires a new password when signing in with a temporary one, and ends the temporary one', async () => {
  const { id, email } = await customer();
  const invited = (await t.call('POST', `/v1/customers/${id}/invitation`)).body as Record<string, string>;
  expect(invited).toMatchObject({ customer_id: id, email, access: 'read', page: '/app/at/1000' });
  const password = invited.temp_password!;
  const refused = await signIn({ email, password });
  expect([refused.status, refused.body.errors]).toMatchObject([400, [{ field: 'new_password' }]]);
  expect((await signIn({ email, password, new_password: password })).status).toBe(400);
  for (const easy of [email, 'qwerty123'])
    expect((await signIn({ email, password, new_password: easy })).body.errors).toMatchObject([{ code: 'too_easy' }]);
  const called = await signIn({ email, password, new_password: 'chosen by me alone' });
  expect(called.status).toBe(200);
  expect((await signIn({ email, password, new_password: 'chosen by me again' })).status).toBe(401);
  expect((await signIn({ email })).status).toBe(401);
  const second = await signIn({ email, password: 'chosen by me alone' });
  const session = cookieOf(second);
  const json = { password: 'chosen by me alone', new_password: 'and another one' };
  const changed = await t.call('PUT', '/v1/me/password', { json, session });
  expect(changed.status).toBe(200);
  expect((await t.call('GET', '/v1/me', { session: cookieOf(changed) })).status).toBe(200);
  expect((await signIn({ email, password: 'and another one' })).status).toBe(200);
});

test('accepts an easy password from a key but not from a session, and requires a new one at sign-in', async () => {
  const easy = 'password1';
  const form = (name: string) => person({ email: `${name}@made.example`, password: easy });
  const session = await openSession(t, '1000');
  const before = await countRows(t, 'customer');
  const typed = await t.call('POST', '/v1/customers', { form: form('typed'), session });
  expect([typed.status, typed.body.errors]).toMatchObject([
    400,
    [
      {
        field: 'password',
        code: 'too_easy',
        message: 'The password is too easy to guess. Choose another, such as a few words.',
      },
    ],
  ]);
  expect(await countRows(t, 'customer')).toBe(before);
  const sent = await t.call('POST', '/v1/customers', { form: form('sent') });
  expect(sent.status, sent.text).toBe(200);
  await t.call('PUT', `/v1/customers/${sent.body.customer_id}/access`, { json: { access: 'read' } });
  const given = { email: 'sent@made.example', password: easy };
  expect((await signIn(given)).body.errors).toMatchObject([{ field: 'new_password', code: 'required' }]);
  expect((await signIn({ ...given, new_password: 'chosen by me alone' })).status).toBe(200);
  expect((await signIn(given)).status).toBe(401);
  expect(await countRows(t, 'customer')).toBe(before + 1);
});

test('signs out a suspended or deleted customer, or one without access', async () => {
  for (const end of [
    (id: string) => run(sql`update customer set status = 'Suspended' where id = ${id}`),
    (id: string) => t.call('DELETE', `/v1/customers/${id}`),
    (id: string) => t.call('PUT', `/v1/customers/${id}/access`, { json: { access: 'none' } }),
  ]) {
    const { id } = await customer();
    const session = await openCustomerSession(t, '1000', id, 'read');
    expect((await t.call('GET', `/v1/customers/${id}`, { session })).status).toBe(200);
    const began = performance.now();
    await end(id);
    await vi.waitFor(async () => expect((await t.call('GET', '/v1/me', { session })).status).toBe(401), wait);
    expect(performance.now() - began).toBeLessThan(300_000);
  }
});

test('applies a change of access to open sessions immediately in the same process', async () => {
  const { id } = await customer();
  const session = await openCustomerSession(t, '1000', id, 'read');
  const level = async () => (await t.call('GET', '/v1/session', { session })).body.customer?.access;
  expect(await level()).toBe('read');
  for (const access of ['order', 'dns', 'none']) {
    await t.call('PUT', `/v1/customers/${id}/access`, { json: { access } });
    expect(await level()).toBe(access === 'none' ? undefined : access);
  }
  const other = await customer();
  const leaving = await openCustomerSession(t, '1000', other.id, 'read');
  expect((await t.call('GET', '/v1/session', { session: leaving })).status).toBe(200);
  await t.call('DELETE', `/v1/customers/${other.id}`);
  expect((await t.call('GET', '/v1/session', { session: leaving })).status).toBe(401);
  // Changed in another process: this process accepts the session for a moment more, and finds no data.
  const third = await customer();
  const ended = await openCustomerSession(t, '1000', third.id, 'read');
  expect((await t.call('GET', '/v1/session', { session: ended })).status).toBe(200);
  await run(sql`update customer set deleted_at = now() where id = ${third.id}`);
  expect((await t.call('GET', '/v1/session', { session: ended })).status).toBe(401);
});

test('keeps a session for 30 days if requested, otherwise for 12 idle hours', async () => {
  const { email } = await customer();
  for (const [keep, hours] of [
    [false, 12],
    [true, 30 * 24],
  ] as const) {
    const { body } = await signIn({ email, keep });
    expect(Date.parse(body.idle_ends_at) - Date.parse(body.created_at)).toBe(hours * 3_600_000);
  }
});

test('grants each access level the scopes of every operation that it allows', () => {
  // A customer reads only its own events, which no scope names.
  const confined = new Set(['/events', '/events/stream']);
  for (const route of routes.filter((each) => each.customer && !confined.has(each.path))) {
    const needed = neededScopes(route);
    for (const level of accessLevels.filter((each) => hasAccessLevel(each, route.customer!)))
      expect(
        needed.length === 0 || needed.some((scope) => allows(scopesOfAccess(level), scope)),
        `${route.method} ${route.path} as ${level}`,
      ).toBe(true);
  }
});

const idOfKey = async (credentials: string) => {
  const { body } = await t.call('GET', '/v1/account/keys', { as: credentials });
  return (body as { key_id: string; created_at: string }[]).at(-1)!.key_id;
};
const order = [
  'read',
  'dns:write',
  'domains:write',
  'contacts:write',
  'domains:auth_code',
  'customers:write',
  'account:write',
];

test('requires every scope that the access confers, for granting access and for creating a password', async () => {
  const narrow = await keyFor(t, '1000', ['customers:write']);
  const wide = await keyFor(t, '1000', order);
  const staff = await openSession(t, '1000', { role: 'staff', scopes: ['customers:write'] });
  const { id, email } = await customer('none');
  for (const by of [{ as: narrow }, { session: staff }]) {
    for (const access of ['read', 'dns', 'manage', 'order'])
      expect((await t.call('PUT', `/v1/customers/${id}/access`, { json: { access }, ...by })).body.code).toBe(
        'scope_missing',
      );
    expect((await t.call('PUT', `/v1/customers/${id}/access`, { json: { access: 'none' }, ...by })).status).toBe(200);
  }
  // While the customer has no access a panel may make a password; it does not become a sign-in later.
  const issued = await t.call('GET', '/v1/customers/temp_password', { query: { customer_id: id }, as: narrow });
  expect(issued.status).toBe(200);
  expect((await t.call('PUT', `/v1/customers/${id}/access`, { json: { access: 'order' }, as: wide })).status).toBe(200);
  const tried = { email, password: issued.body.temp_password, new_password: 'chosen by a thief' };
  expect((await signIn(tried)).status).toBe(401);
  for (const by of [{ as: narrow }, { session: staff }]) {
    expect((await t.call('POST', `/v1/customers/${id}/invitation`, by)).body.code).toBe('scope_missing');
    const temporary = await t.call('GET', '/v1/customers/temp_password', { query: { customer_id: id }, ...by });
    expect(temporary.body.code).toBe('scope_missing');
  }
  expect((await t.call('POST', `/v1/customers/${id}/invitation`, { as: wide })).status).toBe(200);
});

test('requires the same scopes for another email address of a customer with access, and notifies the owner', async () => {
  const narrow = await keyFor(t, '1000', ['customers:write']);
  const wide = await keyFor(t, '1000', order);
  const staff = await openSession(t, '1000', { role: 'staff', scopes: ['customers:write'] });
  const { id, email } = await customer('order');
  const put = (to: string, by: object = {}) =>
    t.call('PUT', `/v1/customers/${id}`, { form: person({ email: to, city: 'Bogor' }), ...by });
  const notified = async () => ({
    mails: await countRows(t, 'notice', sql`kind = 'account_security' and reseller_id = 1000`),
    events: await countRows(t, 'event', sql`payload ->> 'how' = 'address' and payload ->> 'customer_id' = ${id}`),
  });
  const before = await notified();
  for (const by of [{ as: narrow }, { session: staff }]) {
    const refused = await put('thief@made.example', by);
    expect([refused.status, refused.body.code]).toEqual([403, 'scope_missing']);
    // Everything else of the address block is theirs to change, and letter case makes no other login.
    expect((await put(email.toUpperCase(), by)).status).toBe(200);
  }
  expect((await signIn({ email: 'thief@made.example' })).status).toBe(401);
  expect((await signIn({ email })).status).toBe(200);
  expect(await notified()).toEqual(before);
  const moved = `moved-${email}`;
  expect((await put(moved, { as: wide })).status).toBe(200);
  expect(await notified()).toEqual({ mails: before.mails + 1, events: before.events + 1 });
  const { body_text } = await t.ctx.db
    .as(allTenants)
    .one<{ body_text: string }>(sql`select body_text from notice order by id desc limit 1`);
  expect(body_text).toContain(moved);
  expect((await signIn({ email: moved })).status).toBe(200);
  // Without access the address is theirs to change; the next grant needs a confirmation.
  await t.call('PUT', `/v1/customers/${id}/access`, { json: { access: 'none' } });
  const without = await notified();
  expect((await put(`again-${email}`, { as: narrow })).status).toBe(200);
  expect(await notified()).toEqual(without);
});

test('ends a password that a weaker key chose at creation when more access is granted', async () => {
  const narrow = await keyFor(t, '1000', ['customers:write']);
  const { id, email } = await customer('none', narrow);
  await t.call('PUT', `/v1/customers/${id}/access`, { json: { access: 'manage' } });
  expect((await signIn({ email })).status).toBe(401);
  const { body } = await t.call('POST', `/v1/customers/${id}/invitation`);
  const json = { email, password: body.temp_password, new_password: 'chosen by me alone' };
  expect((await signIn(json)).status).toBe(200);
});

test('ends passwords that a key created for customers when the key is revoked', async () => {
  const key = await keyFor(t, '1000', order);
  const keyId = await idOfKey(key);
  const [opened, unused, created] = [await customer('none'), await customer('read', key), await customer('read', key)];
  const session = await openCustomerSession(t, '1000', opened.id, 'order', key);
  const { temp_password } = (await t.call('POST', `/v1/customers/${unused.id}/invitation`, { as: key })).body;
  const own = cookieOf(await signIn({ email: created.email }));
  for (const cookie of [session, own]) expect((await t.call('GET', '/v1/me', { session: cookie })).status).toBe(200);
  expect((await t.call('DELETE', `/v1/account/keys/${keyId}`)).status).toBe(200);
  for (const cookie of [session, own]) expect((await t.call('GET', '/v1/me', { session: cookie })).status).toBe(401);
  const tries = [
    { email: unused.email, password: temp_password, new_password: 'chosen after that' },
    { email: opened.email, password: 'chosen by the customer' },
    { email: created.email },
  ];
  for (const json of tries) expect((await signIn(json)).status, JSON.stringify(json)).toBe(401);
  const again = (await t.call('POST', `/v1/customers/${opened.id}/invitation`)).body;
  const json = { email: opened.email, password: again.temp_password, new_password: 'chosen once more' };
  expect((await signIn(json)).status).toBe(200);
  expect((await signIn({ email: opened.email, password: 'chosen once more' })).status).toBe(200);
});

test('keeps passwords of a revoked key with keep_passwords, so that customers can sign in again', async () => {
  const key = await keyFor(t, '1000', order);
  const keyId = await idOfKey(key);
  const { id, email } = await customer('none');
  const session = await openCustomerSession(t, '1000', id, 'read', key);
  await t.call('DELETE', `/v1/account/keys/${keyId}`, { query: { keep_passwords: 'true' } });
  expect((await t.call('GET', '/v1/me', { session })).status).toBe(401);
  expect((await signIn({ email, password: 'chosen by the customer' })).status).toBe(200);
});

test('ends sessions and temporary passwords that a user created when the user leaves', async () => {
  const staff = await openSession(t, '1000', { role: 'staff', scopes: order });
  const { person: user } = (await t.call('GET', '/v1/session', { session: staff })).body;
  const [opened, unused] = [await customer('order'), await customer('order')];
  const invite = async (id: string) =>
    (await t.call('POST', `/v1/customers/${id}/invitation`, { session: staff })).body.temp_password as string;
  const json = { email: opened.email, password: await invite(opened.id), new_password: 'chosen by me alone' };
  const session = cookieOf(await signIn(json));
  const password = await invite(unused.id);
  const owner = await openSession(t, '1000');
  expect((await t.call('DELETE', `/v1/people/${user.person_id}`, { session: owner })).status).toBe(200);
  expect((await t.call('GET', '/v1/me', { session })).status).toBe(401);
  expect((await signIn({ email: unused.email, password, new_password: 'chosen by a thief' })).status).toBe(401);
});

test('notifies the owner of the account of every grant, by mail and by event', async () => {
  const count = async () => ({
    mails: await countRows(t, 'notice', sql`kind = 'account_security' and reseller_id = 1000`),
    events: await countRows(t, 'event', sql`type = 'customer.access_granted' and reseller_id = 1000`),
  });
  const { id, email } = await customer('none');
  const countNew = async (work: () => Promise<unknown>) => {
    const before = await count();
    await work();
    const after = await count();
    return [after.mails - before.mails, after.events - before.events];
  };
  const put = (access: string) => () => t.call('PUT', `/v1/customers/${id}/access`, { json: { access } });
  const temporary = () => t.call('GET', '/v1/customers/temp_password', { query: { customer_id: id } });
  expect(await countNew(temporary)).toEqual([0, 0]);
  expect(await countNew(put('dns'))).toEqual([1, 1]);
  expect(await countNew(put('order'))).toEqual([1, 1]);
  expect(await countNew(put('read'))).toEqual([1, 0]);
  expect(await countNew(() => t.call('POST', `/v1/customers/${id}/invitation`))).toEqual([1, 1]);
  // The same key repeats it within a day.
  expect(await countNew(temporary)).toEqual([0, 1]);
  const { body_text } = await t.ctx.db
    .as(allTenants)
    .one<{ body_text: string }>(sql`select body_text from notice order by id desc limit 1`);
  expect(body_text).toContain(`${email}, access level: View only`);
});

describe('an email address that was changed without the scopes of the access', () => {
  const put = (id: string, email: string, as: string) =>
    t.call('PUT', `/v1/customers/${id}`, { form: person({ email }), as });
  const grant = (id: string, access: string, more: object = {}) =>
    t.call('PUT', `/v1/customers/${id}/access`, { json: { access, ...more } });
  const lastMail = async () =>
    (
      await t.ctx.db
        .as(allTenants)
        .one<{ body_text: string }>(sql`select body_text from notice order by id desc limit 1`)
    ).body_text;
  /** With `customers:write` alone, as a thief would. */
  async function takeAway() {
    const narrow = await keyFor(t, '1000', ['customers:write']);
    const { id, email } = await customer('order');
    const thief = `thief-${email}`;
    expect((await t.call('PUT', `/v1/customers/${id}/access`, { json: { access: 'none' }, as: narrow })).status).toBe(
      200,
    );
    expect(await lastMail()).toContain(`${email}, access level before: Manage and order; now: No access`);
    expect((await put(id, thief, narrow)).status).toBe(200);
    return { id, email, thief, narrow };
  }

  test('is refused when access is raised until the caller repeats it, and the mail names both', async () => {
    const { id, email, thief } = await takeAway();
    for (const access of ['read', 'order']) {
      const refused = await grant(id, access);
      expect([refused.status, refused.body.code, refused.body.errors]).toMatchObject([
        409,
        'conflict',
        [{ field: 'email', code: 'unconfirmed' }],
      ]);
      expect(refused.body.message).toContain(`from ${email} to ${thief}`);
    }
    expect((await grant(id, 'order', { email })).body.errors).toMatchObject([{ field: 'email', code: 'unconfirmed' }]);
    expect((await signIn({ email: thief })).status).toBe(401);
    expect((await grant(id, 'order', { email: thief.toUpperCase() })).status).toBe(200);
    expect(await lastMail()).toContain(`The email address was changed from ${email}`);
    expect((await signIn({ email: thief })).status).toBe(200);
    await grant(id, 'none');
    expect((await grant(id, 'order')).status).toBe(200);
  });

  test('needs no confirmation after it was changed back, or set by a key that may grant the access', async () => {
    const changed = await takeAway();
    expect((await put(changed.id, `other-${changed.thief}`, changed.narrow)).status).toBe(200);
    expect((await put(changed.id, changed.email, changed.narrow)).status).toBe(200);
    expect((await grant(changed.id, 'order')).status).toBe(200);
    const set = await takeAway();
    expect((await put(set.id, `new-${set.email}`, await keyFor(t, '1000', order))).status).toBe(200);
    expect((await grant(set.id, 'order')).status).toBe(200);
  });

  test('needs a confirmation for each level that the confirming key may not grant', async () => {
    const { id, thief } = await takeAway();
    const reader = await keyFor(t, '1000', ['customers:write', ...scopesOfAccess('read')]);
    const json = { access: 'read', email: thief };
    expect((await t.call('PUT', `/v1/customers/${id}/access`, { json, as: reader })).status).toBe(200);
    expect((await grant(id, 'order')).status).toBe(409);
    expect((await grant(id, 'order', { email: thief })).status).toBe(200);
  });
});

import { allTenants, sql } from '@namehold/postgres';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { makeReseller } from '../../../../test/support/resellers.ts';
import { countRows } from '../../../../test/support/rows.ts';
import { startTestService, type TestService } from '../../../../test/support/service.ts';
import { cookieOf, mailedCode, openSession } from '../../../../test/support/users.ts';
import { findBreaks } from '../../src/core/audit/chain.sql.ts';
import { userLimits } from '../../src/core/users/user.ts';

let t: TestService;
beforeAll(async () => {
  t = await startTestService();
});
afterAll(async () => {
  expect(await findBreaks(t.ctx.db.as(allTenants), 10)).toEqual([]);
  await t.stop();
});

const password = 'a long enough one';
const account = async () => (await makeReseller(t)).split(':')[0]!;
const ask = (session: string, json: object) => t.call('POST', '/v1/people', { session, json });
/** With the code from the mailbox: the answer has none. */
const invite = async (session: string, json: { email: string } & Record<string, unknown>) => {
  const called = await ask(session, json);
  if (called.status !== 200) return called;
  expect(called.body.code).toBeNull();
  const { account } = (await t.call('GET', '/v1/session', { session })).body;
  return { ...called, body: { ...called.body, code: await mailedCode(t, account.reseller_id, json.email) } };
};
const redeem = (code: string) => t.call('POST', '/v1/session/code', { json: { code, password }, session: '' });
const idOf = async (session: string) =>
  (await t.call('GET', '/v1/session', { session })).body.person.person_id as string;
const put = (session: string, id: string, json: object) => t.call('PUT', `/v1/people/${id}`, { session, json });
const remove = (session: string, id: string) => t.call('DELETE', `/v1/people/${id}`, { session });
const owners = (reseller: string) =>
  countRows(t, 'membership', sql`reseller_id = ${reseller} and role = 'owner' and suspended_at is null`);

test('lets an owner invite, read, change, sign out, suspend and remove users, and logs the owner', async () => {
  const reseller = await account();
  const owner = await openSession(t, reseller);
  const invited = await invite(owner, { email: 'budi@staff.example', role: 'staff', scopes: ['domains:read'] });
  expect(invited.headers.get('cache-control')).toBe('no-store');
  expect(invited.body).toMatchObject({ email: 'budi@staff.example', role: 'staff', scopes: ['domains:read'] });
  const open = await t.call('GET', '/v1/invited_people', { session: owner });
  expect(open.body).toMatchObject([{ person_invitation_id: invited.body.person_invitation_id, role: 'staff' }]);
  expect(open.text).not.toContain(invited.body.code);
  const budi = cookieOf(await redeem(invited.body.code));
  const id = await idOf(budi);
  expect((await t.call('GET', '/v1/invited_people', { session: owner })).body).toEqual([]);
  const { body: both } = await t.call('GET', '/v1/people', { session: owner });
  expect(both).toHaveLength(2);
  expect(both[0]).toMatchObject({ person_id: id, email: 'budi@staff.example', role: 'staff', sessions: 1 });
  expect(JSON.stringify(both)).not.toContain('argon2');
  // Staff without the scope can read and change no user.
  expect((await t.call('GET', '/v1/people', { session: budi })).body.code).toBe('scope_missing');
  expect((await t.call('GET', '/v1/people')).body.code).toBe('session_required');
  const sign = async () =>
    t.call('POST', '/v1/session', { json: { email: 'budi@staff.example', password }, session: '' });

  const changed = await put(owner, id, { role: 'read_only' });
  expect(changed.body).toMatchObject({ role: 'read_only', scopes: ['read'], sessions: 0 });
  expect((await t.call('GET', '/v1/me', { session: budi })).status).toBe(401);
  const second = cookieOf(await sign());
  expect((await t.call('DELETE', `/v1/people/${id}/sessions`, { session: owner })).body).toEqual({ ended: 1 });
  expect((await t.call('GET', '/v1/me', { session: second })).status).toBe(401);
  const third = cookieOf(await sign());
  expect((await put(owner, id, { suspended: true })).body.suspended_at).not.toBeNull();
  expect((await t.call('GET', '/v1/me', { session: third })).status).toBe(401);
  expect((await sign()).status).toBe(401);
  expect((await put(owner, id, { suspended: false })).body.suspended_at).toBeNull();
  expect((await sign()).status).toBe(200);
  expect((await remove(owner, id)).body).toEqual({ removed: true });
  expect((await sign()).status).toBe(401);
  expect((await t.call('GET', `/v1/people/${id}`, { session: owner })).status).toBe(404);
  const { body: log } = await t.call('GET', '/v1/account/audit', { session: owner, query: { limit: '100' } });
  const done = log
    .filter((row: { person_id: string }) => row.person_id !== id)
    .map((row: { action: string }) => row.action);
  expect(done.filter((each: string) => each.startsWith('person.')).reverse()).toEqual([
    // The owner's own, of the command line.
    'person.invite',
    'person.join',
    'person.invite',
    'person.change_role',
    'person.sign_out',
    'person.change_role',
    'person.change_role',
    'person.remove',
  ]);
});

test('refuses a withdrawn invitation, and limits the number of open ones', async () => {
  const owner = await openSession(t, await account());
  const first = await invite(owner, { email: 'first@staff.example', role: 'read_only' });
  const path = `/v1/invited_people/${first.body.person_invitation_id}`;
  expect((await t.call('DELETE', path, { session: owner })).body).toEqual({ withdrawn: true });
  expect((await t.call('DELETE', path, { session: owner })).status).toBe(404);
  expect((await redeem(first.body.code)).status).toBe(401);
  for (let n = 0; n < userLimits.invitations; n++)
    expect((await ask(owner, { email: `n${n}@staff.example`, role: 'read_only' })).status).toBe(200);
  const more = await ask(owner, { email: 'more@staff.example', role: 'read_only' });
  expect(more.body.errors).toMatchObject([{ field: 'email', code: 'too_many' }]);
  expect((await ask(owner, { email: 'n1@staff.example', role: 'read_only' })).status).toBe(200);
});

test('mails at most three invitations in 15 minutes to one mailbox, also through sub-addresses', async () => {
  const owner = await openSession(t, await account());
  const tries: number[] = [];
  for (const tag of ['', '+1', '+2', '+3', ''])
    tries.push((await ask(owner, { email: `folded${tag}@staff.example`, role: 'read_only' })).status);
  expect(tries).toEqual([200, 200, 200, 429, 429]);
  expect((await ask(owner, { email: 'folded-1@staff.example', role: 'read_only' })).status).toBe(200);
});

test('prevents a user from granting more rights than the own, and from managing a user with more', async () => {
  const reseller = await account();
  const owner = await openSession(t, reseller);
  const clerk = await openSession(t, reseller, { role: 'staff', scopes: ['account:write', 'dns:write'] });
  for (const [json, field] of [
    [{ role: 'owner' }, 'role'],
    [{ role: 'read_only' }, 'role'],
    [{ role: 'staff', scopes: ['dns:read', 'billing:read'] }, 'scopes'],
  ] as const) {
    const called = await invite(clerk, { email: 'x@staff.example', ...json });
    expect(called.body.errors, called.text).toMatchObject([{ field, code: 'beyond_own_scope' }]);
  }
  const made = await invite(clerk, { email: 'less@staff.example', role: 'staff', scopes: ['dns:read'] });
  const less = await idOf(cookieOf(await redeem(made.body.code)));
  expect((await put(clerk, less, { role: 'owner' })).body.errors).toMatchObject([{ field: 'role' }]);
  expect((await put(clerk, less, { scopes: ['dns:write'] })).body.scopes).toEqual(['dns:write']);
  expect((await put(clerk, await idOf(clerk), { role: 'owner' })).body.errors).toMatchObject([{ field: 'role' }]);
  for (const called of [
    await put(clerk, await idOf(owner), { role: 'read_only' }),
    await remove(clerk, await idOf(owner)),
    await t.call('DELETE', `/v1/people/${await idOf(owner)}/sessions`, { session: clerk }),
  ])
    expect([called.status, called.body.code]).toEqual([403, 'scope_missing']);
  expect((await invite(owner, { email: 'y@staff.example', role: 'staff' })).body.errors).toMatchObject([
    { field: 'scopes', code: 'required' },
  ]);
});

describe('the last owner', () => {
  test('cannot leave, be suspended or take a lesser role, not by an invitation either', async () => {
    const reseller = await account();
    const email = `last${reseller}@staff.example`;
    const owner = await openSession(t, reseller, { email });
    const id = await idOf(owner);
    for (const called of [
      await remove(owner, id),
      await put(owner, id, { suspended: true }),
      await put(owner, id, { role: 'read_only' }),
    ])
      expect([called.status, called.body.code], called.text).toEqual([409, 'conflict']);
    const lesser = await invite(owner, { email, role: 'read_only' });
    expect((await redeem(lesser.body.code)).body.code).toBe('conflict');
    expect((await t.call('GET', '/v1/me', { session: owner })).status).toBe(200);
    expect(await owners(reseller)).toBe(1);
    await openSession(t, reseller);
    expect((await remove(owner, id)).status).toBe(200);
    expect(await owners(reseller)).toBe(1);
  });

  test('stays when two owners remove each other concurrently', async () => {
    for (let n = 0; n < 4; n++) {
      const reseller = await account();
      const [one, other] = [await openSession(t, reseller), await openSession(t, reseller)];
      const [first, second] = [await idOf(one), await idOf(other)];
      const both = await Promise.all([
        remove(one, second),
        n % 2 ? remove(other, first) : put(other, first, { role: 'read_only' }),
      ]);
      expect(both.filter(({ status }) => status === 200)).toHaveLength(1);
      expect(await owners(reseller)).toBe(1);
    }
  });
});

describe('an approval', () => {
  const security = '/v1/account/security';
  const on = (session: string, kinds: string[]) => t.call('PUT', security, { session, json: { second_yes: kinds } });
  const approve = (operation: string, by: object) => t.call('POST', `/v1/operations/${operation}/approve`, by);

  test('is refused from users that the requester invited, from the inviter, and from their keys', async () => {
    const reseller = await account();
    const [one, other] = [await openSession(t, reseller), await openSession(t, reseller)];
    const second = cookieOf(
      await redeem((await invite(one, { email: `self${reseller}@staff.example`, role: 'owner' })).body.code),
    );
    const third = cookieOf(
      await redeem((await invite(second, { email: `third${reseller}@staff.example`, role: 'owner' })).body.code),
    );
    const key = await t.call('POST', '/v1/account/keys', {
      session: third,
      json: { label: 'k', ip_whitelist: ['127.0.0.1'] },
    });
    expect((await on(one, ['ds', 'unlock'])).status).toBe(200);
    for (const [asks, answers] of [
      [one, { session: third }],
      [third, { session: one }],
      [second, { as: `${reseller}:${key.body.api_key}` }],
    ] as const) {
      const response = await on(asks, ['ds']);
      expect(response.status, response.text).toBe(202);
      expect((await approve(response.body.operation_id, answers)).body.code).toBe('conflict');
      const declined = await t.call('POST', `/v1/operations/${response.body.operation_id}/decline`, { session: other });
      expect(declined.status, declined.text).toBe(200);
    }
    // A user whom it removed before approving still was the same principal.
    const response = await on(second, ['ds']);
    expect((await remove(one, await idOf(second))).status).toBe(200);
    expect((await approve(response.body.operation_id, { session: one })).body.code).toBe('conflict');
    const again = await on(third, ['ds']);
    expect((await approve(again.body.operation_id, { session: other })).status).toBe(200);
  });

  test('requires another principal, and rotating a key of another user joins that principal', async () => {
    const reseller = await account();
    const one = await openSession(t, reseller);
    await t.ctx.db.transaction(allTenants, (tx) =>
      tx.run(sql`update api_key set revoked_at = now() where reseller_id = ${reseller}`),
    );
    await redeem((await invite(one, { email: `only${reseller}@staff.example`, role: 'owner' })).body.code);
    expect((await on(one, ['ds'])).body.code).toBe('conflict');
    const other = await openSession(t, reseller);
    expect((await on(one, ['ds', 'unlock'])).status).toBe(200);
    const make = async () =>
      (await t.call('POST', '/v1/account/keys', { session: one, json: { label: 'k', ip_whitelist: ['127.0.0.1'] } }))
        .body;
    const [first, kept] = [await make(), await make()];
    expect((await t.call('POST', `/v1/account/keys/${first.key_id}/rotate`, { session: other, json: {} })).status).toBe(
      200,
    );
    const response = await on(one, []);
    expect((await approve(response.body.operation_id, { as: `${reseller}:${kept.api_key}` })).body.code).toBe(
      'conflict',
    );
    expect((await approve(response.body.operation_id, { session: other })).body.code).toBe('conflict');
  });
});

test('invalidates an invitation when its creator or its recipient is changed', async () => {
  const reseller = await account();
  const owner = await openSession(t, reseller);
  const email = `twice${reseller}@staff.example`;
  const other = await openSession(t, reseller, { email });
  const back = await invite(other, { email: 'back@staff.example', role: 'owner' });
  const higher = await invite(owner, { email, role: 'owner' });
  expect((await put(owner, await idOf(other), { role: 'read_only' })).status).toBe(200);
  for (const { body } of [back, higher]) expect((await redeem(body.code)).status).toBe(401);
});

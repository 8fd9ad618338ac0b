import { allTenants, sql } from '@namehold/postgres';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { person } from '../../../../test/support/parties.ts';
import { keyFor } from '../../../../test/support/resellers.ts';
import { startTestService, type TestService } from '../../../../test/support/service.ts';

let t: TestService;
let child: string;
const password = 'a long enough one';
beforeAll(async () => {
  t = await startTestService();
  const form = person({ email: 'child@made.example', password, selling_currency: 'USD' });
  const made = await t.call('POST', '/v1/resellers', { form });
  expect(made.status, made.text).toBe(200);
  child = made.body.reseller_id;
});
afterAll(() => t.stop());

const invite = async (): Promise<string> => {
  const made = await t.call('POST', `/v1/resellers/${child}/invitations`, { json: {} });
  expect(made.status, made.text).toBe(200);
  return made.body.token;
};
const accept = (token: string, changes: object = {}) =>
  t.call('POST', '/v1/invitations/accept', {
    as: '',
    json: { token, password, label: 'first', ip_whitelist: ['127.0.0.0/8', '::1'], ...changes },
  });
const list = async () => (await t.call('GET', `/v1/resellers/${child}/invitations`)).body;
const keysOfChild = async () =>
  Number(
    (
      await t.ctx.db
        .as(allTenants)
        .one<{ n: string }>(sql`select count(*) as n from api_key where reseller_id = ${child}`)
    ).n,
  );

test('creates the first key of a child by invitation and password, once, and notifies both sides', async () => {
  const token = await invite();
  const accepted = await accept(token);
  expect(accepted.status, accepted.text).toBe(200);
  expect(accepted.body).toMatchObject({ reseller_id: child, scopes: ['full'] });
  expect(accepted.headers.get('cache-control')).toBe('no-store');
  const own = `${child}:${accepted.body.api_key}`;
  expect((await t.call('GET', '/v1/account/profile', { as: own })).body.reseller_id).toBe(child);
  expect((await accept(token)).status).toBe(401);
  expect(await keysOfChild()).toBe(1);
  const [shown] = await list();
  expect(shown).toMatchObject({ status: 'accepted', key_id: accepted.body.key_id });
  expect(shown.accepted_address).toMatch(/127\.0\.0\.1|::1/);
  for (const as of [own, t.demo]) {
    const events = (await t.call('GET', '/v1/events', { as })).body as { type: string; payload: object }[];
    expect(JSON.stringify(events)).toContain('invitation.accepted');
    const audit = await t.call('GET', '/v1/account/audit', { as, query: { action: 'invitation.accept' } });
    expect(audit.text).toContain(shown.invitation_id);
    expect(audit.text).not.toContain(token);
  }
});

test('accepts an invitation with a temporary password', async () => {
  const { body } = await t.call('GET', '/v1/resellers/temp_password', { query: { reseller_id: child } });
  expect((await accept(await invite(), { password: body.temp_password })).status).toBe(200);
});

test('refuses a key of the parent without full a password or invitation, and notifies the child', async () => {
  const narrow = await keyFor(t, '1000', ['resellers:write', 'account:write', 'read']);
  const refused = [
    await t.call('GET', '/v1/resellers/temp_password', { query: { reseller_id: child }, as: narrow }),
    await t.call('GET', '/v1/resellers/temp_password', { query: { reseller_id: '1000' }, as: narrow }),
    await t.call('POST', `/v1/resellers/${child}/invitations`, { json: {}, as: narrow }),
  ];
  expect(refused.map(({ status, body }) => `${status} ${body.code}`)).toEqual(Array(3).fill('403 scope_missing'));
  const own = await keyFor(t, child);
  const passwordEvents = async () =>
    (
      (await t.call('GET', '/v1/events', { as: own, query: { type: 'account.temp_password_made' } })).body.events as {
        payload: object;
      }[]
    ).map(({ payload }) => payload);
  const before = (await passwordEvents()).length;
  await t.call('GET', '/v1/resellers/temp_password', { query: { reseller_id: child } });
  await t.call('GET', '/v1/resellers/temp_password', { query: { reseller_id: child }, as: own });
  const payload = { reseller_id: child, expires_at: expect.stringMatching(/Z$/) };
  expect((await passwordEvents()).slice(before)).toEqual([
    { ...payload, by_parent: true },
    { ...payload, by_parent: false },
  ]);
});

test('returns one refusal for a wrong token or password, and ends after five wrong passwords', async () => {
  const token = await invite();
  const before = await keysOfChild();
  const texts = new Set<string>();
  const wrong = [await accept(`nh_${'A'.repeat(43)}`)];
  for (let tries = 0; tries < 5; tries++) wrong.push(await accept(token, { password: 'not the password' }));
  wrong.push(await accept(token));
  for (const called of wrong) {
    expect(called.status).toBe(401);
    texts.add(called.body.message);
  }
  expect(texts.size).toBe(1);
  expect((await list())[0].status).toBe('dead');
  expect(await keysOfChild()).toBe(before);
});

test('does not count an attempt with an invalid whitelist', async () => {
  const token = await invite();
  for (let tries = 0; tries < 6; tries++) {
    const called = await accept(token, { ip_whitelist: ['everywhere'] });
    expect([called.status, called.body.errors[0].field]).toEqual([400, 'ip_whitelist']);
  }
  expect((await accept(token)).status).toBe(200);
});

test('creates one key for four concurrent uses', async () => {
  const token = await invite();
  const before = await keysOfChild();
  const all = await Promise.all(Array.from({ length: 4 }, () => accept(token)));
  expect(all.filter((called) => called.status === 200)).toHaveLength(1);
  expect(await keysOfChild()).toBe(before + 1);
});

test("refuses an expired invitation, a suspended child, another account's child and the own account", async () => {
  const late = await invite();
  await t.ctx.db.transaction(allTenants, (tx) =>
    tx.run(sql`update invitation set expires_at = now() - interval '1 second' where accepted_at is null`),
  );
  expect((await accept(late)).status).toBe(401);
  const suspended = await invite();
  await t.call('POST', `/v1/resellers/${child}/suspend`, { json: { reason: 'test' } });
  expect((await accept(suspended)).status).toBe(401);
  expect((await t.call('POST', '/v1/resellers/999999/invitations', { json: {} })).status).toBe(404);
  expect((await t.call('POST', '/v1/resellers/1000/invitations', { json: {} })).status).toBe(409);
  expect((await t.call('POST', `/v1/resellers/${child}/invitations`, { as: t.operator, json: {} })).status).toBe(404);
});

describe('revoking the key that made an invitation', () => {
  // The test above suspended the other child.
  let child: string;
  beforeAll(async () => {
    const form = person({ email: 'real@made.example', password, selling_currency: 'USD' });
    child = (await t.call('POST', '/v1/resellers', { form })).body.reseller_id;
  });
  const here = ['127.0.0.0/8', '::1'];
  const status = async (as: string) => (await t.call('GET', '/v1/account/profile', { as })).status;
  async function made(as = t.demo) {
    const { body } = await t.call('POST', '/v1/account/keys', { json: { label: 'x', ip_whitelist: here }, as });
    return { id: body.key_id as string, as: `${as.split(':')[0]}:${body.api_key}` };
  }
  const revoke = (id: string, with_issued: boolean) =>
    t.call('DELETE', `/v1/account/keys/${id}`, { query: { revoke_issued_keys: String(with_issued) } });

  /** A key of the child through an invitation and a temporary password, and a key that it created. */
  async function backDoor(inviting: string, password_of: string) {
    const { token } = (await t.call('POST', `/v1/resellers/${child}/invitations`, { json: {}, as: inviting })).body;
    const query = { reseller_id: child };
    const { temp_password } = (await t.call('GET', '/v1/resellers/temp_password', { query, as: password_of })).body;
    const { body, status: accepted, text } = await accept(token, { password: temp_password });
    expect(accepted, text).toBe(200);
    const first = { id: body.key_id as string, as: `${child}:${body.api_key}`, issued_by: body.issued_by };
    return { first, further: await made(first.as) };
  }

  test('ends issued keys of sub-resellers too if requested, and names them', async () => {
    const stolen = await made();
    const issued = await made(stolen.as);
    const { first, further } = await backDoor(issued.as, t.demo);
    expect(first.issued_by).toBe(issued.id);
    const query = { action: 'key.create', object_id: first.id };
    expect((await t.call('GET', '/v1/account/audit', { as: further.as, query })).text).toContain(issued.id);
    const other = await backDoor(t.demo, t.demo);
    const kept = await revoke((await made()).id, true);
    expect(kept.body).toMatchObject({ issued_keys_of_sub_accounts: [], waiting_operations: [] });
    const called = await revoke(stolen.id, true);
    expect(called.status, called.text).toBe(200);
    expect(called.body.issued_keys.map((key: { key_id: string }) => key.key_id)).toEqual([issued.id]);
    expect(called.body.issued_keys_of_sub_accounts).toEqual(
      [first, further].map(({ id }) => ({ reseller_id: child, key_id: id, status: 'revoked' })),
    );
    for (const { as } of [first, further]) await expect.poll(() => status(as)).toBe(401);
    expect(await status(other.first.as)).toBe(200);
    const log = { action: 'key.revoke', object_id: first.id };
    for (const as of [other.first.as, t.demo])
      expect((await t.call('GET', '/v1/account/audit', { as, query: log })).text).toContain(first.id);
  });

  test('ends an issued key that was created before its origin was recorded', async () => {
    const stolen = await made();
    const { first } = await backDoor(stolen.as, stolen.as);
    await t.ctx.db.transaction(allTenants, (tx) =>
      tx.run(sql`update api_key set issued_by = null where id = ${first.id}`),
    );
    expect((await revoke(stolen.id, true)).body.issued_keys_of_sub_accounts).toHaveLength(2);
    await expect.poll(() => status(first.as)).toBe(401);
  });

  test('names the keys of sub-resellers, which stay valid if not requested otherwise', async () => {
    const stolen = await made();
    const { first, further } = await backDoor(stolen.as, stolen.as);
    const { issued_keys_of_sub_accounts } = (await revoke(stolen.id, false)).body;
    expect(issued_keys_of_sub_accounts).toEqual(
      [first, further].map(({ id }) => ({ reseller_id: child, key_id: id, status: 'active' })),
    );
    expect(await status(first.as)).toBe(200);
  });
});

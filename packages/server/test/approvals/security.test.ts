import { allTenants, sql } from '@namehold/postgres';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { person } from '../../../../test/support/parties.ts';
import { keyFor, makeReseller } from '../../../../test/support/resellers.ts';
import { startTestService, type TestService } from '../../../../test/support/service.ts';
import { openSession } from '../../../../test/support/users.ts';
import { scopeNames } from '../../src/core/keys/key.ts';

/** An account raises its protection at once, and lowers it only with an approval. */
let t: TestService;
beforeAll(async () => {
  t = await startTestService();
});
afterAll(() => t.stop());

const security = '/v1/account/security';
const read = async (as: string) => (await t.call('GET', security, { as })).body;
const change = (json: object, as: string, more: object = {}) => t.call('PUT', security, { json, as, ...more });

async function account() {
  const first = await makeReseller(t);
  const id = first.split(':')[0]!;
  return { id, first, second: await keyFor(t, id) };
}

test('requires no approvals by default, and protects new domains as the operator configured', async () => {
  expect(await read((await account()).first)).toEqual({ approvals: [], second_yes: [], theft_protection: 'default' });
});

test('refuses changes of the security settings by a key without the full scope', async () => {
  const { id, first } = await account();
  for (const scope of scopeNames.filter((each) => each !== 'full')) {
    const weak = await keyFor(t, id, [scope]);
    for (const json of [{ second_yes: [] }, { second_yes: ['ds'] }, { theft_protection: 'off' }])
      expect((await change(json, weak)).body.code, scope).toBe('scope_missing');
  }
  expect(await read(first)).toEqual({ approvals: [], second_yes: [], theft_protection: 'default' });
});

test('refuses to enable approvals for an account with a single principal', async () => {
  const first = await makeReseller(t);
  const made = await t.call('POST', '/v1/account/keys', {
    json: { label: 'x', ip_whitelist: ['127.0.0.1'] },
    as: first,
  });
  expect(made.status).toBe(200);
  await keyFor(t, first.split(':')[0]!, ['domains:write']);
  const tried = await change({ second_yes: ['unlock'] }, first);
  expect(tried.status).toBe(409);
  expect(tried.body.message).toContain('invitation');
});

test('refuses unknown kinds of change', async () => {
  const { first } = await account();
  expect((await change({ second_yes: ['everything'] }, first)).body.errors[0].field).toBe('second_yes');
});

test('applies stricter settings at once, holds looser ones for approval, and emits events', async () => {
  const { id, first, second } = await account();
  expect((await change({ second_yes: ['unlock', 'ds'] }, first)).body.second_yes).toEqual(['ds', 'unlock']);
  expect((await change({ second_yes: ['unlock', 'ds', 'nameservers'], theft_protection: 'on' }, first)).status).toBe(
    200,
  );
  for (const json of [
    { second_yes: [] },
    { second_yes: ['unlock', 'nameservers', 'auth_code'] },
    { theft_protection: 'off' },
  ]) {
    const before = await read(first);
    const less = await change(json, first);
    expect(less.status, less.text).toBe(202);
    expect(less.body).toMatchObject({ operation_state: 'action_required', domain_id: null });
    expect(await read(first)).toEqual(before);
    const { operation_id } = less.body;
    const own = await t.call('POST', `/v1/operations/${operation_id}/approve`, { as: first });
    expect(own.status).toBe(409);
    const weak = await keyFor(t, id, ['account:write', 'domains:write']);
    for (const verb of ['approve', 'decline'])
      expect((await t.call('POST', `/v1/operations/${operation_id}/${verb}`, { as: weak })).body.code).toBe(
        'scope_missing',
      );
    expect((await t.call('POST', `/v1/operations/${operation_id}/decline`, { as: second })).status).toBe(200);
    expect(await read(first)).toEqual(before);
  }
  const off = await change({ second_yes: [] }, first, { headers: { 'Idempotency-Key': 'off' } });
  const approved = await t.call('POST', `/v1/operations/${off.body.operation_id}/approve`, { as: second });
  expect(approved.body).toMatchObject({ state: 'done', kind: 'account_security', approval: { change: 'security' } });
  expect(await read(first)).toEqual({ approvals: [], second_yes: [], theft_protection: 'on' });
  const again = await change({ second_yes: [] }, first, { headers: { 'Idempotency-Key': 'off' } });
  expect(again.body).toEqual({ approvals: [], second_yes: [], theft_protection: 'on' });
  const events = await t.ctx.db
    .as(allTenants)
    .many<{ type: string }>(
      sql`select type from event where reseller_id = ${id} and type <> 'approval.requested' order by number`,
    );
  expect(events.map((each) => each.type)).toEqual([
    'account.security_changed',
    'account.security_changed',
    ...Array(3).fill('approval.declined'),
    'approval.given',
    'account.security_changed',
  ]);
});

test('refuses an approval when the settings were changed after the request', async () => {
  const { first, second } = await account();
  await change({ second_yes: ['ds'] }, first);
  const off = await change({ second_yes: [] }, first);
  await change({ second_yes: ['ds', 'unlock'] }, second);
  const late = await t.call('POST', `/v1/operations/${off.body.operation_id}/approve`, { as: second });
  expect(late.status).toBe(409);
  expect((await read(first)).second_yes).toEqual(['ds', 'unlock']);
});

test('denies the service role direct writes to the security settings', async () => {
  const { id } = await account();
  for (const column of [`second_yes = '{}'`, 'theft_protection = false'])
    await expect(
      t.ctx.db.transaction(id, (tx) => tx.run(sql`update reseller set ${sql.raw(column)} where id = ${id}`)),
    ).rejects.toThrow(/permission denied/);
});

test('holds a change that a user requested, and refuses approval by that user and by keys it created', async () => {
  const id = (await makeReseller(t)).split(':')[0]!;
  const [one, other] = [await openSession(t, id), await openSession(t, id)];
  const put = (json: object, session: string) => t.call('PUT', security, { json, session });
  const approve = (operation: string, by: object) => t.call('POST', `/v1/operations/${operation}/approve`, by);
  expect((await put({ second_yes: ['ds', 'unlock'] }, one)).status).toBe(200);
  const json = { label: 'made by a user', ip_whitelist: ['127.0.0.1'] };
  const made = await t.call('POST', '/v1/account/keys', { json, session: one });
  const requested = await put({ second_yes: ['ds'] }, one);
  expect(requested.status, requested.text).toBe(202);
  const operation = requested.body.operation_id as string;
  const late = await openSession(t, id);
  for (const by of [{ session: one }, { as: `${id}:${made.body.api_key}` }, { session: late }])
    expect((await approve(operation, by)).body.code).toBe('conflict');
  // The principal that rotates a key has seen its secret.
  const { key_id } = (await t.call('GET', '/v1/account/keys', { session: other })).body.find(
    (key: { label: string }) => key.label === 'test',
  );
  const rotated = await t.call('POST', `/v1/account/keys/${key_id}/rotate`, { json: {}, session: one });
  expect((await approve(operation, { as: `${id}:${rotated.body.api_key}` })).body.code).toBe('conflict');
  const given = await approve(operation, { session: other });
  expect(given.status, given.text).toBe(200);
  expect((await t.call('GET', security, { session: one })).body.second_yes).toEqual(['ds']);
  const { body } = await t.call('GET', '/v1/account/audit', { session: one, query: { action: 'account.security' } });
  const signedIn = (await t.call('GET', '/v1/session', { session: one })).body;
  expect(body[0]).toMatchObject({ person_id: signedIn.person.person_id, address: 'operation' });
});

test('counts a key and a user as two principals, and two keys created by one user as one', async () => {
  const form = person({ email: 'lone@made.example' });
  const parent = await makeReseller(t);
  const id = (
    await t.call('POST', '/v1/resellers', {
      form: { ...form, password: 'a long enough one', selling_currency: 'USD' },
      as: parent,
    })
  ).body.reseller_id as string;
  const session = await openSession(t, id);
  const json = { label: 'x', ip_whitelist: ['127.0.0.1'] };
  for (let n = 0; n < 2; n++) expect((await t.call('POST', '/v1/account/keys', { json, session })).status).toBe(200);
  const on = () => t.call('PUT', security, { json: { second_yes: ['ds'] }, session });
  expect((await on()).status).toBe(409);
  await keyFor(t, id);
  expect((await on()).status).toBe(200);
});

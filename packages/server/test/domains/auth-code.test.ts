import { allTenants, sql } from '@namehold/postgres';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestService, type TestService } from '../../../../test/support/service.ts';
import { expireAuthCodes } from '../../src/core/domains/change/auth-code.ts';
import { lifeOf } from './life.ts';

let t: TestService;
let life: ReturnType<typeof lifeOf>;
beforeAll(async () => {
  t = await startTestService({ sandbox: true });
  life = lifeOf(t);
});
afterAll(async () => {
  await life.ledgerIsSound();
  await life.expectReconciled();
  await t.stop();
});

const isSet = async (name: string) => (await t.control('GET', `/domains/${name}`)).body.auth_info_set as boolean;
const encryptedOf = (name: string) =>
  t.ctx.db
    .as(allTenants)
    .one<{ auth_code_sealed: string | null; auth_code_expires_at: Date | null }>(
      sql`select auth_code_sealed, auth_code_expires_at from domain where name = ${name}`,
    );

async function keyWith(scopes: string[]): Promise<string> {
  const made = await t.call('POST', '/v1/account/keys', {
    json: { label: scopes.join(), ip_whitelist: ['127.0.0.0/8'], scopes },
  });
  expect(made.status, made.text).toBe(200);
  return `1000:${made.body.api_key}`;
}

test('creates the code on request, returns it as text, stores it encrypted and removes it after two weeks', async () => {
  const id = await life.buy('code.com');
  expect(await isSet('code.com')).toBe(false);
  const first = await t.call('GET', `/v1/domains/${id}/auth_code`);
  expect(first.status, first.text).toBe(200);
  expect(first.body).toMatch(/^[\x21-\x7e]{20,64}$/);
  expect(first.headers.get('cache-control')).toBe('no-store');
  expect(await isSet('code.com')).toBe(true);
  const again = await t.call('GET', '/v1/domains/code.com/auth_code');
  expect(again.body).toBe(first.body);
  const kept = await encryptedOf('code.com');
  expect(kept.auth_code_sealed).not.toContain(first.body);
  const everything = await t.ctx.db.as(allTenants).many<{ text: string }>(sql`
    select row_to_json(o)::text as text from operation o union all select row_to_json(a)::text from audit a
    union all select row_to_json(e)::text from event e union all select row_to_json(c)::text from registry_command c`);
  expect(everything.some((row) => row.text.includes(first.body))).toBe(false);
  t.moveClock('+13d');
  await expireAuthCodes(t.ctx);
  expect(await isSet('code.com')).toBe(true);
  t.moveClock('+2d');
  await expireAuthCodes(t.ctx);
  expect(await isSet('code.com')).toBe(false);
  expect(await encryptedOf('code.com')).toEqual({ auth_code_sealed: null, auth_code_expires_at: null });
  const { n } = await t.ctx.db
    .as(allTenants)
    .one<{ n: string }>(sql`select count(*) as n from operation where secrets_sealed is not null`);
  expect(n).toBe('0');
  const newCode = await t.call('GET', `/v1/domains/${id}/auth_code`);
  expect(newCode.body).not.toBe(first.body);
});

test('returns the same code for two concurrent requests', async () => {
  const id = await life.buy('code-twice.com');
  const responses = await Promise.all([1, 2, 3, 4].map(() => t.call('GET', `/v1/domains/${id}/auth_code`)));
  const codes = responses.filter((each) => each.status === 200).map((each) => each.body as string);
  expect(new Set(codes).size).toBe(1);
  expect(responses.every((each) => each.status === 200 || each.status === 409)).toBe(true);
});

test('refuses to return a code to a key with only the read scope', async () => {
  const id = await life.buy('code-scope.com');
  for (const scopes of [['read'], ['domains:read'], ['customers:write']]) {
    const refused = await t.call('GET', `/v1/domains/${id}/auth_code`, { as: await keyWith(scopes) });
    expect(refused.status).toBe(403);
    expect(refused.body.code).toBe('scope_missing');
  }
  for (const scopes of [['domains:auth_code'], ['domains:write'], ['full']]) {
    const given = await t.call('GET', `/v1/domains/${id}/auth_code`, { as: await keyWith(scopes) });
    expect(given.status).toBe(200);
  }
});

test('accepts a strong code of the caller and refuses a weak one', async () => {
  const id = await life.buy('code-own.com');
  const code = 'Kx7-pQ2m<Wz9&Lr4"tY';
  const headers = { 'Idempotency-Key': 'own-code' };
  const set = await t.call('PUT', `/v1/domains/${id}/auth_code`, { form: { auth_code: code }, headers });
  expect(set.status, set.text).toBe(200);
  expect(set.body).toEqual({ domain_id: id, auth_code: code });
  expect(set.headers.get('cache-control')).toBe('no-store');
  const replayed = await t.call('PUT', `/v1/domains/${id}/auth_code`, { form: { auth_code: code }, headers });
  expect(replayed.body).toEqual(set.body);
  expect((await t.call('GET', `/v1/domains/${id}/auth_code`)).body).toBe(code);
  for (const weak of [
    'short1A',
    'aaaaaaaaaaaaaaaaaaaa',
    'abcdefghijklmnopqrst',
    `${'Ab1-'.repeat(20)}xyzw`,
    'has a space in It 1234',
  ]) {
    const refused = await t.call('PUT', `/v1/domains/${id}/auth_code`, { form: { auth_code: weak } });
    expect(refused.status, weak).toBe(400);
    expect(refused.body.errors[0].field).toBe('auth_code');
  }
  expect((await t.call('PUT', `/v1/domains/${id}/auth_code`, { form: {} })).status).toBe(400);
});

test("keeps the code when the registry's answer is lost", async () => {
  const id = await life.buy('code-lost.com');
  await t.control('POST', '/faults', {
    kind: 'drop-after-commit',
    rate: 1,
    seed: 1,
    commands: ['domain:update'],
    how: 'close',
    limit: 1,
  });
  const made = await t.call('GET', `/v1/domains/${id}/auth_code`);
  expect(made.status, made.text).toBe(200);
  expect(await isSet('code-lost.com')).toBe(true);
});

test('returns no code for a domain that is not active', async () => {
  const id = await life.buy('code-gone.com');
  await t.call('DELETE', `/v1/domains/${id}`);
  expect((await t.call('GET', `/v1/domains/${id}/auth_code`)).status).toBe(409);
  expect((await t.call('GET', '/v1/domains/never-was.com/auth_code')).status).toBe(404);
});

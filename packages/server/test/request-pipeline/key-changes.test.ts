import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { keyFor, makeReseller } from '../../../../test/support/resellers.ts';
import { startTestService, type TestService } from '../../../../test/support/service.ts';
import { credentialCacheTtlMs } from '../../src/http/identity/credential-cache.ts';

/** Two processes on one database: a change in one must take effect in the other in time. */
const profile = '/v1/account/profile';
const keys = '/v1/account/keys';
let t: TestService;
let other: TestService;
beforeAll(async () => {
  t = await startTestService();
  other = await t.second();
});
afterAll(async () => {
  await other.stop();
  await t.stop();
});

async function made(more: object = {}) {
  const called = await t.call('POST', keys, { json: { label: 'x', ip_whitelist: ['127.0.0.1'], ...more } });
  return { id: called.body.key_id as string, as: `1000:${called.body.api_key}` };
}

/** Both have the key cached, so that the change has something to evict. */
async function warm(as: string): Promise<void> {
  for (const service of [t, other]) expect((await service.call('GET', profile, { as })).status).toBe(200);
}

async function expectSoon(as: string, status: number, path = profile): Promise<void> {
  const arrived = async () => expect((await other.call('GET', path, { as })).status).toBe(status);
  // Not `expect.poll`, because these tests run concurrently.
  await vi.waitFor(arrived, { timeout: 300_000, interval: 100 });
}

test('caches a key for at most five seconds', () => {
  expect(credentialCacheTtlMs).toBeLessThanOrEqual(5_000);
});

describe.concurrent('a change applies at once in the same process and soon in others', () => {
  test('refuses a revoked key', async () => {
    const key = await made();
    await warm(key.as);
    await t.call('DELETE', `${keys}/${key.id}`);
    expect((await t.call('GET', profile, { as: key.as })).status).toBe(401);
    await expectSoon(key.as, 401);
  });
  test('applies a changed whitelist', async () => {
    const key = await made();
    await warm(key.as);
    await t.call('PUT', `${keys}/${key.id}`, { json: { ip_whitelist: ['192.0.2.1'] } });
    expect((await t.call('GET', profile, { as: key.as })).status).toBe(403);
    await expectSoon(key.as, 403);
  });
  test('applies changed scopes', async () => {
    const key = await made();
    await warm(key.as);
    await t.call('PUT', `${keys}/${key.id}`, { json: { scopes: ['dns:read'] } });
    expect((await t.call('GET', '/v1/customers', { as: key.as })).status).toBe(403);
    await expectSoon(key.as, 403, '/v1/customers');
  });
  test('refuses the old secret of a key rotated without an overlap', async () => {
    const key = await made();
    await warm(key.as);
    const rotated = await t.call('POST', `${keys}/${key.id}/rotate`, { json: { overlap_seconds: 0 } });
    expect((await other.call('GET', profile, { as: `1000:${rotated.body.api_key}` })).status).toBe(200);
    expect((await t.call('GET', profile, { as: key.as })).status).toBe(401);
    await expectSoon(key.as, 401);
  });
  test('applies suspension and activation', async () => {
    const as = await makeReseller(t);
    const id = as.split(':')[0]!;
    await warm(as);
    await t.call('POST', `/v1/resellers/${id}/suspend`, { form: { reason: 'unpaid' }, as: t.operator });
    const refused = await t.call('GET', profile, { as });
    expect(refused.status).toBe(403);
    expect(refused.body.code).toBe('account_suspended');
    await expectSoon(as, 403);
    await t.call('POST', `/v1/resellers/${id}/activate`, { as: t.operator });
    await expectSoon(as, 200);
  });
  test('accepts a new key at once in every process', async () => {
    const as = await keyFor(t, '1000');
    expect((await other.call('GET', profile, { as })).status).toBe(200);
  });
});

test('writes the last use of a key in batches, with time and address', async () => {
  const key = await made();
  await warm(key.as);
  await other.stop();
  other = await t.second();
  const read = await t.call('GET', `${keys}/${key.id}`);
  expect(read.body.last_used_address).toBe('127.0.0.1');
  expect(Date.now() - Date.parse(read.body.last_used_at)).toBeLessThan(60_000);
});

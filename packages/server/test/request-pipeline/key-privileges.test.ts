import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startTestService, type TestService } from '../../../../test/support/service.ts';

/** A key can only manage keys that have no more permissions than itself. */
const keys = '/v1/account/keys';
const here = ['127.0.0.0/8', '2001:db8::/48'];
const soon = '2031-01-01T00:00:00Z';
let t: TestService;
beforeAll(async () => {
  t = await startTestService();
});
afterAll(() => t.stop());

async function made(more: object = {}, as = t.demo) {
  const called = await t.call('POST', keys, { json: { label: 'x', ip_whitelist: here, ...more }, as });
  return { ...called, id: called.body.key_id as string, as: `1000:${called.body.api_key}` };
}
const manager = (more: object = {}) => made({ scopes: ['account:write', 'dns:read'], expires_at: soon, ...more });

describe('a key with only account:write', () => {
  test.each([
    ['scopes', { scopes: ['full'], expires_at: soon }, 'beyond_own_scope'],
    ['the default scopes', { expires_at: soon }, 'beyond_own_scope'],
    ['all read scopes', { scopes: ['read'], expires_at: soon }, 'beyond_own_scope'],
    ['a scope of another area', { scopes: ['dns:write'], expires_at: soon }, 'beyond_own_scope'],
    [
      'a wider whitelist',
      { scopes: ['dns:read'], ip_whitelist: ['0.0.0.0/0'], expires_at: soon },
      'beyond_own_whitelist',
    ],
    [
      'an address outside its whitelist',
      { scopes: ['dns:read'], ip_whitelist: ['192.0.2.1'], expires_at: soon },
      'beyond_own_whitelist',
    ],
    [
      'a wider IPv6 range',
      { scopes: ['dns:read'], ip_whitelist: ['2001:db8::/32'], expires_at: soon },
      'beyond_own_whitelist',
    ],
    ['a later expiry', { scopes: ['dns:read'], expires_at: '2031-01-01T00:00:01Z' }, 'beyond_own_life'],
    ['no expiry', { scopes: ['dns:read'] }, 'beyond_own_life'],
  ])('cannot create a key with %s', async (_, more, code) => {
    const called = await made(more, (await manager()).as);
    expect(called.status).toBe(400);
    expect(called.body.errors.map((each: { code: string }) => each.code)).toContain(code);
  });

  test('cannot change, rotate or revoke a key with more permissions', async () => {
    const { as } = await manager();
    for (const stronger of [
      await made({ scopes: ['full'] }),
      await made({ scopes: ['dns:write'], expires_at: soon }),
      await made({ scopes: ['dns:read'], expires_at: soon, ip_whitelist: ['192.0.2.0/24'] }),
      await made({ scopes: ['dns:read'] }),
    ]) {
      const tries = [
        await t.call('PUT', `${keys}/${stronger.id}`, { json: { ip_whitelist: ['0.0.0.0/0'] }, as }),
        await t.call('PUT', `${keys}/${stronger.id}`, { json: { label: 'mine' }, as }),
        await t.call('POST', `${keys}/${stronger.id}/rotate`, { json: {}, as }),
        await t.call('DELETE', `${keys}/${stronger.id}`, { as }),
      ];
      for (const tried of tries) {
        expect(tried.status, tried.text).toBe(403);
        expect(tried.body).toMatchObject({ code: 'scope_missing', scope: 'full' });
        expect(tried.text).not.toContain('nh_');
      }
      expect((await t.call('GET', `${keys}/${stronger.id}`)).body).toMatchObject({ label: 'x', status: 'active' });
    }
  });

  test('cannot widen its own permissions', async () => {
    const own = await manager();
    for (const json of [{ scopes: ['full'] }, { ip_whitelist: ['0.0.0.0/0'] }])
      expect((await t.call('PUT', `${keys}/${own.id}`, { json, as: own.as })).status).toBe(400);
    expect((await t.call('GET', `${keys}/${own.id}`)).body.ip_whitelist).toEqual(here);
  });

  test('can manage keys with no more permissions', async () => {
    const { as, id } = await manager();
    const lesser = await made({ scopes: ['dns:read'], ip_whitelist: ['127.0.0.1'], expires_at: soon }, as);
    expect(lesser.status, lesser.text).toBe(200);
    expect((await t.call('PUT', `${keys}/${lesser.id}`, { json: { scopes: ['account:read'] }, as })).status).toBe(200);
    expect((await t.call('POST', `${keys}/${lesser.id}/rotate`, { json: {}, as })).status).toBe(200);
    expect((await t.call('DELETE', `${keys}/${lesser.id}`, { as })).status).toBe(200);
    expect((await t.call('POST', `${keys}/${id}/rotate`, { json: {}, as })).status).toBe(200);
  });
});

test('a key with the scope full can manage every key, even if it expires itself', async () => {
  const { as } = await made({ scopes: ['full'], expires_at: soon });
  const stronger = await made({}, as);
  expect(stronger.status, stronger.text).toBe(200);
  expect((await t.call('POST', `${keys}/${stronger.id}/rotate`, { json: {}, as })).status).toBe(200);
});

test('returns a stored secret only to the same key of the account', async () => {
  const headers = { 'Idempotency-Key': 'once-and-again' };
  const json = { label: 'kept', ip_whitelist: ['127.0.0.1'], scopes: ['account:write'], expires_at: soon };
  const first = await t.call('POST', keys, { json, headers });
  const again = await t.call('POST', keys, { json, headers });
  expect(again.body.api_key).toBe(first.body.api_key);
  const other = await t.call('POST', keys, { json, headers, as: (await manager()).as });
  expect(other.status).toBe(422);
  expect(other.text).not.toContain('nh_');
});

describe('revoking a key', () => {
  const profile = (as: string) => t.call('GET', '/v1/account/profile', { as });
  const ids = (called: { body: { issued_keys: { key_id: string }[] } }) =>
    called.body.issued_keys.map(({ key_id }) => key_id).sort();
  /** A key that issued one, which issued another, and that rotated an unrelated one. */
  async function family() {
    const stolen = await made();
    const issued = await made({ label: 'issued' }, stolen.as);
    const further = await made({ label: 'further' }, issued.as);
    const rotated = await made({ label: 'rotated' });
    const json = { overlap_seconds: 0 };
    const turned = await t.call('POST', `${keys}/${rotated.id}/rotate`, { json, as: further.as });
    const unrelated = await made({ label: 'unrelated' });
    return { stolen, issued, further, rotated: { ...rotated, as: `1000:${turned.body.api_key}` }, unrelated };
  }

  test('returns the keys that it issued, which stay valid, with their issuers', async () => {
    const { stolen, issued, further, rotated, unrelated } = await family();
    const called = await t.call('DELETE', `${keys}/${stolen.id}`);
    expect(called.body).toMatchObject({ status: 'revoked' });
    expect(ids(called)).toEqual([issued.id, further.id, rotated.id].sort());
    expect(called.body.issued_keys[0].status).toBe('active');
    expect((await t.call('GET', `${keys}/${issued.id}`)).body.issued_by).toBe(stolen.id);
    expect((await t.call('GET', `${keys}/${rotated.id}`)).body.issued_by).toBe(further.id);
    for (const { as } of [issued, further, rotated, unrelated]) expect((await profile(as)).status).toBe(200);
  });

  test('revokes issued keys too with revoke_issued_keys, and no others', async () => {
    const { stolen, issued, further, rotated, unrelated } = await family();
    const query = { revoke_issued_keys: 'true' };
    const called = await t.call('DELETE', `${keys}/${stolen.id}`, { query });
    expect(ids(called)).toEqual([issued.id, further.id, rotated.id].sort());
    for (const key of called.body.issued_keys) expect(key.status).toBe('revoked');
    for (const { as } of [stolen, issued, further, rotated])
      await expect.poll(async () => (await profile(as)).status).toBe(401);
    expect((await profile(unrelated.as)).status).toBe(200);
    const log = await t.call('GET', '/v1/account/audit', { query: { object_id: rotated.id } });
    expect(JSON.stringify(log.body)).toContain('key.revoke');
  });

  test('lists the keys that would end with dry_run and revokes nothing', async () => {
    const { stolen, issued, further, rotated } = await family();
    const query = { revoke_issued_keys: 'true', dry_run: 'true' };
    const called = await t.call('DELETE', `${keys}/${stolen.id}`, { query });
    expect([called.status, called.body.status]).toEqual([200, 'active']);
    const wouldEnd = [issued.id, further.id, rotated.id].sort();
    expect(ids(called)).toEqual(wouldEnd);
    t.service.evictCachedKeys();
    for (const { as } of [stolen, issued, further, rotated]) expect((await profile(as)).status).toBe(200);
    expect((await t.call('DELETE', `${keys}/key_nothing`, { query })).status).toBe(404);
    expect(ids(await t.call('DELETE', `${keys}/${stolen.id}`, { query: { revoke_issued_keys: 'true' } }))).toEqual(
      wouldEnd,
    );
  });

  test('finds issued keys whose issuer was rotated, rotated itself or was already revoked', async () => {
    const { stolen, issued, further } = await family();
    const json = { overlap_seconds: 0 };
    const own = await t.call('POST', `${keys}/${issued.id}/rotate`, { json, as: issued.as });
    await t.call('POST', `${keys}/${stolen.id}/rotate`, { json, as: `1000:${own.body.api_key}` });
    await t.call('DELETE', `${keys}/${issued.id}`);
    const called = await t.call('DELETE', `${keys}/${stolen.id}`, { query: { revoke_issued_keys: 'true' } });
    expect(ids(called)).toContain(further.id);
    expect(ids(called)).not.toContain(issued.id);
  });

  test('is refused completely if an issued key has more permissions than the caller', async () => {
    const weak = await manager();
    const issued = await made({ scopes: ['dns:read'], ip_whitelist: ['127.0.0.1'], expires_at: soon }, weak.as);
    await t.call('PUT', `${keys}/${issued.id}`, { json: { scopes: ['full'] } });
    const query = { revoke_issued_keys: 'true' };
    const called = await t.call('DELETE', `${keys}/${weak.id}`, { as: weak.as, query });
    expect([called.status, called.body.code]).toEqual([403, 'scope_missing']);
    expect((await profile(weak.as)).status).toBe(200);
  });
});

import { allTenants, sql } from '@namehold/postgres';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestService, type TestService } from '../../../../test/support/service.ts';
import { requireDomain } from '../../src/core/domains/find.ts';
import { patchRRsets } from '../../src/core/zones/rrsets/patch-rrsets.ts';
import { makeDomain, patch } from './support.ts';

let t: TestService;
beforeAll(async () => {
  t = await startTestService();
});
afterAll(() => t.stop());

test('returns the whole zone at each serial, also after it was deleted', async () => {
  const id = await makeDomain(t, 'old.com');
  const first = await patch(t, id, [{ name: 'www', type: 'A', records: ['192.0.2.1', '192.0.2.2'] }]);
  const second = await patch(t, id, [
    { name: 'www', type: 'A', ttl: 300, records: ['192.0.2.2', '192.0.2.3'] },
    { name: '@', type: 'TXT', records: ['"new"'] },
  ]);
  const third = await patch(t, id, [{ name: 'www', action: 'delete', type: 'A' }]);
  const at = (serial: number) => t.call('GET', `/v1/domains/${id}/zone/history/${serial}`);
  const one = await at(first.body.serial);
  expect(one.status, one.text).toBe(200);
  expect(one.headers.get('etag')).toBe(`"${first.body.serial}"`);
  expect(one.text).toContain(`hostmaster.old.com. ${first.body.serial} `);
  expect(one.text).toMatch(/192\.0\.2\.1\n[\s\S]*192\.0\.2\.2\n/);
  expect(one.text).not.toMatch(/192\.0\.2\.3|TXT/);
  const two = (await at(second.body.serial)).text;
  expect(two).toMatch(/^\$TTL 300\n[\s\S]*www\tIN\tA\t192\.0\.2\.2\n\tIN\tA\t192\.0\.2\.3\n/m);
  expect(two).not.toContain('192.0.2.1\n');
  const now = (await at(third.body.serial)).text;
  expect(now).toBe((await t.call('GET', `/v1/domains/${id}/zone/file`)).text);
  await t.call('DELETE', `/v1/domains/${id}/zone`, { query: { confirm: 'true' } });
  expect((await at(second.body.serial)).text).toBe(two);
  const never = await at(7);
  expect(never.status).toBe(400);
  expect(never.body.errors[0]).toMatchObject({ field: 'serial', code: 'not_found' });
});

test('names the author in the history: a user by name, a key by its id', async () => {
  const id = await makeDomain(t, 'hands.com');
  await patch(t, id, [{ name: 'www', type: 'A', records: ['192.0.2.1'] }]);
  const actor = {
    resellerId: '1000',
    keyId: null,
    user: { id: 'per_1', name: 'Budi', sessionId: 'ses_1' },
    address: '127.0.0.1',
    requestId: 'req_1',
    scopes: ['full'],
    isOperator: false,
  };
  const order = { rrsets: [{ name: 'www', type: 'A', records: ['192.0.2.2'] }] };
  await patchRRsets(t.ctx, actor, await requireDomain(t.ctx, actor, id), order);
  const { body } = await t.call('GET', `/v1/domains/${id}/zone/history`);
  expect(body[0].actor).toMatchObject({ kind: 'person', id: 'per_1', name: 'Budi', key_id: null });
  expect(body[1].actor).toMatchObject({ kind: 'key', name: null });
  expect(body[1].actor.id).toBe(body[1].actor.key_id);
});

test('queries nameservers on request, and marks one without an answer as unreachable', async () => {
  const id = await makeDomain(t, 'asked.com');
  expect((await t.call('POST', `/v1/domains/${id}/zone/check`)).status).toBe(404);
  await patch(t, id, [{ name: 'www', type: 'A', records: ['192.0.2.1'] }]);
  await t.ctx.db.transaction(allTenants, (tx) =>
    tx.run(sql`
      insert into nameserver (id, engine, address, port, allow_unsigned, is_active, created_at)
      values ('gone', 'other', '127.0.0.1', 9, true, true, now())`),
  );
  const checked = await t.call('POST', `/v1/domains/${id}/zone/check`);
  expect(checked.status, checked.text).toBe(200);
  const gone = checked.body.publication.nameservers.find((one: { name: string }) => one.name === 'gone');
  expect(gone).toMatchObject({ state: 'unreachable', error: 'no answer', serial: null });
  expect(gone.checked_at).not.toBeNull();
});

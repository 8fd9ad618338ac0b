import { allTenants, sql } from '@namehold/postgres';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { startTestService, type TestService } from '../../../../test/support/service.ts';
import { lifeOf } from './life.ts';

/** Changes that a thief would make cause an event when they are ordered, whatever their outcome. */
let t: TestService;
let life: ReturnType<typeof lifeOf>;
beforeAll(async () => {
  t = await startTestService({ sandbox: true });
  life = lifeOf(t);
});
afterEach(() => t.control('DELETE', '/faults'));
afterAll(() => t.stop());

const eventsOf = (name: string) =>
  t.ctx.db.as(allTenants).many<{ type: string; request_id: string; payload: Record<string, unknown> }>(sql`
    select type, request_id, payload from event where payload->>'domain_name' = ${name} and type like 'domain.%' and type <> 'domain.registered' order by number`);
/** The registry fails, so nothing is executed. */
const refuseUpdates = () =>
  t.control('POST', '/faults', { kind: '2400', commands: ['domain:update', 'host:create'], rate: 1, when: 'before' });

test.each([
  [
    'nameservers',
    'PUT',
    '/ns',
    { ns: 'ns1.thief.net,ns2.thief.net' },
    { nameservers: ['ns1.thief.net', 'ns2.thief.net'] },
  ],
  [
    'ds',
    'POST',
    '/dnssec',
    { keytag: '1', algorithm: '13', digesttype: '2', digest: 'AB'.repeat(32) },
    { remove_ds: [] },
  ],
  ['unlock', 'DELETE', '/theft_protection', undefined, { theft_protection: false }],
  ['auth_code', 'PUT', '/auth_code', { auth_code: 'xK7-pQ2mWz9_Lr4tYb8.Hn3c' }, {}],
  ['nameservers', 'POST', '/childns', { hostname: 'ns1.NAME', ip_address: '192.0.2.9' }, { addresses: ['192.0.2.9'] }],
])(
  'emits one event for an ordered change before it is sent (%s): %s %s',
  async (change, method, path, form, wanted) => {
    const name = `changed-${change.replace('_', '-')}-${path.slice(1, 4)}.com`;
    const id = await life.buy(name);
    await refuseUpdates();
    const given =
      form && Object.fromEntries(Object.entries(form).map(([key, value]) => [key, value.replace('NAME', name)]));
    const headers = { Prefer: 'respond-async' };
    const called = await t.call(method, `/v1/domains/${id}${path}`, given ? { form: given, headers } : { headers });
    expect(called.status, called.text).toBe(202);
    const [ordered, ...more] = await eventsOf(name);
    expect(more).toEqual([]);
    expect(ordered).toMatchObject({
      type: 'domain.update_ordered',
      request_id: called.headers.get('x-request-id'),
      payload: { change, wanted, key_id: expect.stringMatching(/^key_/), domain_id: id },
    });
    expect(JSON.stringify(ordered)).not.toContain('xK7-pQ2mWz9');
  },
);

test('emits an event when the lock is removed, not when it is set', async () => {
  const id = await life.buy('changed-lock.com');
  expect((await t.call('PUT', `/v1/domains/${id}/locked`)).status).toBe(200);
  expect((await t.call('DELETE', `/v1/domains/${id}/locked`)).status).toBe(200);
  expect((await eventsOf('changed-lock.com')).map((each) => each.type)).toEqual([
    'domain.updated',
    'domain.update_ordered',
    'domain.updated',
  ]);
});

test('emits an event with the key each time an auth code is shown', async () => {
  const id = await life.buy('changed-code.com');
  const first = await t.call('GET', `/v1/domains/${id}/auth_code`);
  expect((await t.call('GET', `/v1/domains/${id}/auth_code`)).body).toBe(first.body);
  const events = await eventsOf('changed-code.com');
  expect(events.map((each) => each.type)).toEqual([
    'domain.update_ordered',
    'domain.updated',
    'domain.auth_code_given',
    'domain.auth_code_given',
  ]);
  expect(events[3]!.payload.key_id).toMatch(/^key_/);
  expect(JSON.stringify(events)).not.toContain(first.body);
  const audited = await t.ctx.db
    .as(allTenants)
    .one<{ n: string }>(sql`select count(*) as n from audit where action = 'domain.code_given' and object_id = ${id}`);
  expect(Number(audited.n)).toBe(2);
});

import { allTenants, sql } from '@namehold/postgres';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestService, type TestService } from '../../../../test/support/service.ts';
import { lifeOf } from './life.ts';

let t: TestService;
let life: ReturnType<typeof lifeOf>;
let id: string;
beforeAll(async () => {
  t = await startTestService({ sandbox: true });
  life = lifeOf(t);
  id = await life.buy('glue.com');
});
afterAll(async () => {
  const { n } = await t.ctx.db.as(allTenants).one<{ n: string }>(sql`select count(*) as n from child_host`);
  expect(n).toBe('1');
  await life.ledgerIsSound();
  await life.expectReconciled();
  await t.stop();
});

const add = (hostname: string, ip_address: string) =>
  t.call('POST', `/v1/domains/${id}/childns`, { form: { hostname, ip_address } });
const hostAtRegistry = async (hostname: string) => {
  const reply = await (await t.ctx.registries.of('sandbox')).hostInfo(hostname);
  return reply.kind === 'done' ? reply.data : undefined;
};

test('creates a host with an address, adds another one, and lists each address as a line', async () => {
  const made = await add('NS1.glue.com', '192.0.2.1');
  expect(made.status, made.text).toBe(200);
  expect(made.body).toEqual({ hostname: 'ns1.glue.com', ip: '192.0.2.1' });
  expect((await add('ns1.glue.com', '2001:DB8:0::1')).body.ip).toBe('2001:db8::1');
  const listed = await t.call('GET', `/v1/domains/${id}/childns`);
  expect(listed.body).toEqual([
    { hostname: 'ns1.glue.com', ip: '192.0.2.1' },
    { hostname: 'ns1.glue.com', ip: '2001:db8::1' },
  ]);
  expect((await hostAtRegistry('ns1.glue.com'))?.addresses.toSorted()).toEqual(['192.0.2.1', '2001:db8::1']);
  expect((await add('ns1.glue.com', '192.0.2.1')).status).toBe(409);
});

test.each([
  ['a host of another name', 'ns1.elsewhere.com', '192.0.2.1', 'hostname'],
  ['the domain itself', 'glue.com', '192.0.2.1', 'hostname'],
  ['no host name at all', 'ns_1.glue.com', '192.0.2.1', 'hostname'],
  ['no address', 'ns9.glue.com', '192.0.2.300', 'ip_address'],
])('refuses %s', async (_, hostname, ip, field) => {
  const refused = await add(hostname, ip);
  expect(refused.status).toBe(400);
  expect(refused.body.errors[0].field).toBe(field);
});

test('replaces an address, also when the path contains IPv6 with unencoded colons', async () => {
  const changed = await t.call('PUT', `/v1/domains/${id}/childns/ns1.glue.com/2001:db8::1`, {
    form: { hostname: 'ns1.glue.com', ip_address: '2001:db8::2', 'old-ip': 'ignored' },
  });
  expect(changed.status, changed.text).toBe(200);
  expect((await hostAtRegistry('ns1.glue.com'))?.addresses.toSorted()).toEqual(['192.0.2.1', '2001:db8::2']);
  const missing = await t.call('PUT', `/v1/domains/${id}/childns/ns1.glue.com/192.0.2.99`, {
    form: { hostname: 'ns1.glue.com', ip_address: '192.0.2.5' },
  });
  expect(missing.status).toBe(404);
});

test('renames a host for the domains that use it', async () => {
  const user = await life.buy('uses-glue.com');
  for (const name of [id, user]) {
    const set = await t.call('PUT', `/v1/domains/${name}/ns`, {
      form: { ns: 'ns1.glue.com,ns1.elsewhere.example' },
    });
    expect(set.status, set.text).toBe(200);
  }
  const inUse = await t.call('DELETE', `/v1/domains/${id}/childns/ns1.glue.com/192.0.2.1`);
  expect(inUse.status, inUse.text).toBe(200);
  const last = await t.call('DELETE', `/v1/domains/${id}/childns/ns1.glue.com/2001:db8::2`);
  expect(last.status).toBe(409);
  expect(last.body.code).toBe('in_use');
  const renamed = await t.call('PUT', `/v1/domains/${id}/childns/ns1.glue.com/2001:db8::2`, {
    form: { hostname: 'dns.glue.com', ip_address: '192.0.2.8' },
  });
  expect(renamed.body).toEqual({ hostname: 'dns.glue.com', ip: '192.0.2.8' });
  expect(await hostAtRegistry('ns1.glue.com')).toBeNull();
  expect((await hostAtRegistry('dns.glue.com'))?.addresses).toEqual(['192.0.2.8']);
  for (const name of [id, user]) {
    const { body } = await t.call('GET', `/v1/domains/${name}/ns`);
    expect(Object.values(body)).toContain('dns.glue.com');
  }
  const other = await t.call('PUT', `/v1/domains/${id}/ns`, { form: { ns: 'ns1.elsewhere.example' } });
  expect(other.status).toBe(200);
  // The other domain still points at it, which only the registry knows and reports.
  const linked = await t.call('DELETE', `/v1/domains/${id}/childns/dns.glue.com/192.0.2.8`);
  expect(linked.status).toBe(409);
  expect(linked.body).toMatchObject({ code: 'in_use', registry_code: 2305 });
});

test('deletes an unused host with its last address, and changes nothing after a lost answer', async () => {
  await add('spare.glue.com', '192.0.2.20');
  await t.control('POST', '/faults', {
    kind: 'drop-after-commit',
    rate: 1,
    seed: 1,
    commands: ['host:delete'],
    how: 'close',
    limit: 1,
  });
  const gone = await t.call('DELETE', `/v1/domains/${id}/childns/spare.glue.com/192.0.2.20`);
  expect(gone.body).toEqual({ deleted: true, hostname: 'spare.glue.com', ip: '192.0.2.20' });
  expect(await hostAtRegistry('spare.glue.com')).toBeNull();
  const steps = await t.ctx.db.as(allTenants).one<{ steps: { result: string }[] }>(sql`
    select steps from operation where kind = 'child_host' order by id desc limit 1`);
  expect(steps.steps.map((step) => step.result)).toContain('found out: done');
});

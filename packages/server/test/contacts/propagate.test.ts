import { allTenants, openDatabase, sql } from '@namehold/postgres';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestService, type TestService } from '../../../../test/support/service.ts';
import { lifeOf } from '../domains/life.ts';

let t: TestService;
let life: ReturnType<typeof lifeOf>;
let registry: ReturnType<typeof openDatabase>;
beforeAll(async () => {
  t = await startTestService({ sandbox: true });
  life = lifeOf(t);
  registry = openDatabase({ url: t.ctx.config.sandboxDatabaseUrl! });
});
afterAll(async () => {
  await life.ledgerIsSound();
  await registry.close();
  await t.stop();
});

const party = {
  email: 'budi@customer.example',
  name: 'Budi Santoso',
  company: 'Santoso Coffee',
  address_line_1: 'Jalan Contoh 1',
  city: 'Jakarta',
  state: 'Jakarta Raya',
  country_code: 'ID',
  zipcode: '10110',
  tel_cc_no: '62',
  tel_no: '2150001000',
};
const change = (more: object, headers: Record<string, string> = {}) =>
  t.call('PUT', '/v1/customers/2001/contacts/3001', { form: { ...party, ...more } as Record<string, string>, headers });
const detailsAtRegistry = async () => {
  const { handle } = await t.ctx.db
    .as(allTenants)
    .one<{ handle: string }>(sql`select handle from registry_contact where contact_id = 3001`);
  const { details } = await registry
    .as(allTenants)
    .one<{ details: { email: string; postal: { name: string }[] } }>(
      sql`select details from contact where handle = ${handle}`,
    );
  return details;
};
const operations = () =>
  t.ctx.db.as(allTenants).many<{ state: string; request: { domains: string[] }; result_code: number | null }>(sql`
    select state, request, result_code from operation where kind = 'contact_update' order by id`);
const allDone = async () => (await operations()).every((operation) => operation.state === 'done');

test('sends nothing if no registry has the contact yet', async () => {
  expect((await change({ name: 'Budi S.' })).status).toBe(200);
  expect(await operations()).toEqual([]);
});

test('updates the handle of a changed contact, by an operation that names the domains', async () => {
  await life.buy('his-first.org');
  await life.buy('his-second.org', { registrant_contact_id: '3002' });
  expect((await detailsAtRegistry()).postal[0]?.name).toBe('Budi S.');
  const headers = { 'Idempotency-Key': 'change-budi' };
  const changed = await change({ name: 'Budi Baru', email: 'baru@customer.example' }, headers);
  expect(changed.status, changed.text).toBe(200);
  expect(changed.body).toMatchObject({ contact_id: '3001', name: 'Budi Baru' });
  const replayed = await change({ name: 'Budi Baru', email: 'baru@customer.example' }, headers);
  expect(replayed.body).toEqual(changed.body);
  await expect.poll(allDone).toBe(true);
  const done = await operations();
  expect(done).toHaveLength(1);
  expect(done[0]).toMatchObject({ result_code: 1000, request: { domains: ['his-first.org', 'his-second.org'] } });
  const listed = await t.call('GET', '/v1/operations', { query: { kind: 'contact_update' } });
  expect(listed.body[0]).toMatchObject({ contact_id: '3001', domains: ['his-first.org', 'his-second.org'] });
  expect(await detailsAtRegistry()).toMatchObject({ email: 'baru@customer.example', postal: [{ name: 'Budi Baru' }] });
  const events = await t.call('GET', '/v1/events', { query: { limit: '100' } });
  expect(JSON.stringify(events.body)).toContain('contact.updated');
});

test('sends nothing if the data did not change', async () => {
  const before = (await operations()).length;
  await change({ name: 'Budi Baru', email: 'baru@customer.example' });
  expect(await operations()).toHaveLength(before);
});

test('sends the last of many concurrent changes to the registry', async () => {
  await t.control('POST', '/faults', { kind: 'delay', rate: 0.5, seed: 3, commands: ['contact:update'], ms: 150 });
  for (let n = 1; n <= 8; n++) expect((await change({ name: `Budi ${n}` })).status).toBe(200);
  await expect.poll(async () => (await allDone()) && (await detailsAtRegistry()).postal[0]?.name).toBe('Budi 8');
  await t.control('DELETE', '/faults');
  const { n } = await t.ctx.db.as(allTenants).one<{ n: string }>(sql`
    select count(*) as n from registry_contact h join contact c on c.id = h.contact_id where h.fingerprint <> c.fingerprint and c.id = 3001`);
  expect(n).toBe('0');
});

test('repeats the command after a lost answer', async () => {
  await t.control('POST', '/faults', {
    kind: 'drop-after-commit',
    rate: 1,
    seed: 1,
    commands: ['contact:update'],
    how: 'close',
    limit: 1,
  });
  await change({ name: 'Budi Kembali' });
  await expect.poll(allDone).toBe(true);
  expect((await detailsAtRegistry()).postal[0]?.name).toBe('Budi Kembali');
});

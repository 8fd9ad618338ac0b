import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestService, type TestService } from '../../../../test/support/service.ts';
import { openSession } from '../../../../test/support/users.ts';
import { snapshot } from '../../../../test/tenants/snapshot.ts';
import { pathParameters } from '../../src/http/route.ts';
import { routes } from '../../src/http/v1/index.ts';
import { makeDomain, patch, zoneRows } from '../zones/support.ts';

let t: TestService;
let session: string;
beforeAll(async () => {
  t = await startTestService();
  session = await openSession(t, '1000');
});
afterAll(() => t.stop());

const knowsDryRun = (route: (typeof routes)[number]) => Object.hasOwn(route.input.shape, 'dry_run');
const changing = routes.filter((route) => route.method !== 'GET');

test('refuses dry_run=true on an operation without a dry run, and changes nothing', async () => {
  const before = await snapshot(t, '1000');
  const walked: string[] = [];
  for (const route of changing.filter((each) => !knowsDryRun(each))) {
    const ids = Object.fromEntries(pathParameters(route.path).map((name) => [name, '1']));
    const path = `/v1${route.path.replaceAll(/\{(\w+)\}/g, (_, name: string) => ids[name]!)}`;
    const spellings = [
      { query: { dry_run: 'true' } },
      { json: { 'dry-run': true } },
      ...(route.rawBody ? [] : [{ form: { dry_run: '1' } }, { form: { 'dry_run[]': 'true' } }]),
    ];
    for (const spelling of spellings) {
      const by = route.forUsers ? { session } : { as: t.operator };
      const called = await t.call(route.method, path, { ...by, ...spelling });
      const title = `${route.method} ${route.path} ${JSON.stringify(spelling)}: ${called.text}`;
      expect(called.status, title).toBe(400);
      expect(called.text, title).toMatch(/dry[_-]run/);
    }
    walked.push(route.path);
  }
  expect(walked.length).toBeGreaterThan(60);
  expect(await snapshot(t, '1000')).toEqual(before);
});

test('refuses another spelling of dry_run instead of executing the operation', async () => {
  for (const route of changing.filter((each) => knowsDryRun(each) && !each.rawBody)) {
    const path = `/v1${route.path.replaceAll(/\{\w+\}/g, '1')}`;
    for (const name of ['dry_run[]', 'DRY_RUN']) {
      const called = await t.call(route.method, path, { as: t.operator, form: { [name]: 'true' } });
      expect(called.status, `${route.method} ${route.path} ${name}: ${called.text}`).toBe(400);
      expect(called.body.errors.map(({ field }: { field: string }) => field)).toContain(name);
    }
  }
});

test('stores nothing for dry_run=true of a contract record call, and executes dry_run=false', async () => {
  const id = await makeDomain(t, 'dry-dns.com');
  await patch(t, id, [{ name: 'a', type: 'A', records: ['192.0.2.1'] }]);
  const before = await zoneRows(t);
  const form = { hostname: 'www', value: '192.0.2.1' };
  const dry = await t.call('POST', `/v1/domains/${id}/dns/ip`, { form: { ...form, dry_run: 'true' } });
  expect(dry.body).toMatchObject({ code: 'invalid_argument', errors: [{ field: 'dry_run', code: 'unknown' }] });
  expect(await zoneRows(t)).toEqual(before);
  const real = await t.call('POST', `/v1/domains/${id}/dns/ip`, { form: { ...form, dry_run: 'false' } });
  expect(real.body).toMatchObject({ hostname: 'www.dry-dns.com', val: '192.0.2.1', value: '192.0.2.1' });
});

test('stores nothing in a dry run of a rollback, also for a deleted zone', async () => {
  const id = await makeDomain(t, 'dry-back.com');
  const first = await patch(t, id, [{ name: 'a', type: 'A', records: ['192.0.2.1'] }]);
  await patch(t, id, [{ name: 'a', type: 'A', records: ['192.0.2.2'] }]);
  for (const isDeleted of [false, true]) {
    if (isDeleted) await t.call('DELETE', `/v1/domains/${id}/zone`, { query: { confirm: 'true' } });
    const before = await zoneRows(t);
    const json = { serial: first.body.serial, dry_run: true };
    const dry = await t.call('POST', `/v1/domains/${id}/zone/rollback`, { json });
    expect(dry.body, dry.text).toMatchObject({ dry_run: true, is_changed: true });
    expect(await zoneRows(t)).toEqual(before);
  }
});

/** Dry runs of orders are tested with the orders: renew, restore and privacy.test.ts. */
test('lists the operations that offer a dry run', () => {
  expect(changing.filter(knowsDryRun).map((route) => `${route.method} ${route.path}`)).toEqual([
    'DELETE /account/keys/{key_id}',
    'PUT /account/price_rules',
    'PUT /customers/{customer_id}/contacts/{contact_id}',
    'POST /domains',
    'POST /domains/{domain_id}/renew',
    'POST /domains/{domain_id}/restore',
    'POST /domains/transfer',
    'PUT /domains/{domain_id}/contacts',
    'POST /domains/{domain_id}/privacy_protection/buy',
    'PUT /domains/{domain_id}/renewal_mode',
    'PUT /domains/{domain_id}/forwarding',
    'PATCH /domains/{domain_id}/forwarding',
    'PUT /domains/{domain_id}/mail_forwarding',
    'POST /operator/operations/{operation_id}/settle',
    'PUT /operator/routes/{tld}',
    'POST /operator/upstreams',
    'POST /operator/reconciliation/repair',
    'POST /payments/import',
    'PATCH /domains/{domain_id}/zone/rrsets',
    'PUT /domains/{domain_id}/zone/rrsets',
    'PUT /domains/{domain_id}/zone/file',
    'POST /domains/{domain_id}/zone/rollback',
    'POST /domains/{domain_id}/zone/apply_template',
    'POST /zone_templates',
    'PUT /zone_templates/{template_id}',
  ]);
});

import { allTenants, sql } from '@namehold/postgres';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { insertDomainRow } from '../../../../test/support/domain-row.ts';
import { makeCustomer } from '../../../../test/support/parties.ts';
import { makeReseller } from '../../../../test/support/resellers.ts';
import { startTestService, type TestService } from '../../../../test/support/service.ts';
import { openAlarms } from '../../src/core/alarms/alarm.ts';
import type { CertificateToCheck } from '../../src/core/certificates/certificate.sql.ts';
import { wantedNames } from '../../src/core/certificates/certificate.ts';
import { checkCertificate, type Round } from '../../src/core/certificates/check-certificate.ts';
import { orderCertificates } from '../../src/core/certificates/order-certificates.ts';
import type { Rule } from '../../src/core/forwarding/rule.ts';
import { edgeAddresses } from '../../src/core/forwarding/target.ts';
import { statusAt } from '../../src/core/model/certificate.ts';
import type { CertificateAuthority } from '../../src/core/ports/certificate-authority.ts';

let t: TestService;
beforeAll(async () => {
  t = await startTestService();
});
afterAll(() => t.stop());

const run = (query: ReturnType<typeof sql>) => t.ctx.db.transaction(allTenants, (tx) => tx.run(query));
const authority = {
  name: 'https://budget.example/directory',
  isTrusting: false,
  caaNames: async () => [],
} as unknown as CertificateAuthority;
const rule = (host: string): Rule => ({
  host,
  path: '/',
  match: 'prefix',
  target: 'https://target.example/',
  code: 301,
  path_mode: 'drop',
  query_mode: 'drop',
  masking: null,
  enabled: true,
});

async function makeDomain(reseller: string, name: string): Promise<string> {
  const resellerId = reseller.split(':')[0]!;
  const customerId = await makeCustomer(t, reseller);
  const id = await insertDomainRow(t, { resellerId, customerId, name });
  await run(sql`update domain set nameservers = ${['ns1.other.example', 'ns2.other.example']} where id = ${id}`);
  return id;
}

/** Orders that the authority made for the account. */
const addOrders = (resellerId: string, domainId: string, count: number) =>
  run(sql`
    insert into certificate_order (id, domain_id, reseller_id, authority, method, names, state, url, ended_at, due_at)
    select 'crt_' || ${domainId}::text || '_' || n, ${domainId}, ${resellerId}, ${authority.name}, 'http-01', array['x.example'], 'failed', 'https://budget.example/' || n, now(), null
    from generate_series(1, ${count}) n`);

/** Looks at the certificate of a domain whose hosts lead to an edge. */
async function check(domainId: string, more: Partial<CertificateToCheck> = {}): Promise<string[]> {
  const ctx = {
    ...t.ctx,
    authorities: [authority],
    lookup: { ...t.ctx.lookup, addresses: async () => [...edgeAddresses(t.ctx.config)] },
  } as TestService['ctx'];
  const round: Round = { authorities: [authority], isUnreachable: false };
  await run(sql`
    insert into certificate (domain_id, reseller_id, look_at) select id, reseller_id, 'infinity' from domain where id = ${domainId} on conflict do nothing`);
  const row: CertificateToCheck = {
    subject: domainId,
    look_at: 'infinity',
    domain_id: domainId,
    host: null,
    rules: [rule('@')],
    has_policy: false,
    names: [],
    id: null,
    chain: null,
    is_due: true,
    authority: null,
    state: 'waiting',
    reason: null,
    failures: 0,
    ...more,
  };
  await checkCertificate(ctx, round, row);
  const found = await t.ctx.db
    .as(allTenants)
    .one<{ state: string; reason: string | null }>(
      sql`select state, reason from certificate where domain_id = ${domainId}`,
    );
  // An open order would be processed by the service, which does not know this authority.
  await run(sql`delete from certificate_order where domain_id = ${domainId} and state = 'open'`);
  return [found.state, found.reason ?? ''];
}

describe('the certificate budget', () => {
  const idOf = (reseller: string) => reseller.split(':')[0]!;
  const own = (count: number) =>
    `this account and the accounts below it have made ${count} certificate orders in three hours, which is their limit: this one waits its turn`;
  const above = (count: number) =>
    `the accounts below a parent of this account have made ${count} certificate orders in three hours, which is their limit: this one waits its turn`;

  test('limits all accounts below one top account to a quarter of the orders of three hours', async () => {
    const attacker = await makeReseller(t);
    const child = await makeReseller(t, attacker);
    const [ofTop, ofChild] = [await makeDomain(attacker, 'attacker.com'), await makeDomain(child, 'child.com')];
    const victim = await makeDomain(await makeReseller(t), 'victim.com');
    await addOrders(idOf(attacker), ofTop, 59);
    expect(await check(ofChild)).toEqual(['ordering', '']);
    await addOrders(idOf(child), ofChild, 1);
    expect(await check(ofChild)).toEqual(['waiting', above(60)]);
    expect(await check(ofTop)).toEqual(['waiting', own(60)]);
    expect(await check(victim)).toEqual(['ordering', '']);
  });

  test('limits a sub-reseller, with all accounts below it, to a third of what its parent has', async () => {
    const top = await makeReseller(t);
    const [failing, sibling] = [await makeReseller(t, top), await makeReseller(t, top)];
    const [below, beside] = [await makeReseller(t, failing), await makeReseller(t, failing)];
    const domains = await Promise.all(
      [top, failing, sibling, below, beside].map((reseller, n) => makeDomain(reseller, `share${n}.com`)),
    );
    const [ofTop, ofFailing, ofSibling, ofBelow, ofBeside] = domains as [string, string, string, string, string];

    await addOrders(idOf(below), ofBelow, 7);
    expect(await check(ofBelow)).toEqual(['waiting', own(7)]);
    for (const domain of [ofBeside, ofFailing, ofSibling, ofTop]) expect(await check(domain)).toEqual(['ordering', '']);

    await addOrders(idOf(failing), ofFailing, 13);
    expect(await check(ofFailing)).toEqual(['waiting', own(20)]);
    expect(await check(ofBeside)).toEqual(['waiting', above(20)]);
    for (const domain of [ofSibling, ofTop]) expect(await check(domain)).toEqual(['ordering', '']);
  });

  test('combines changes of a domain within ten minutes after an order into the next order', async () => {
    const reseller = await makeReseller(t);
    const domain = await makeDomain(reseller, 'deep.com');
    await run(sql`
      insert into certificate_order (id, domain_id, reseller_id, authority, method, names, state, url, begun_at, ended_at, due_at)
      values ('crt_deep', ${domain}, ${reseller.split(':')[0]!}, ${authority.name}, 'http-01', array['deep.com'], 'issued', 'https://budget.example/deep', now() - interval '9 minutes', now(), null)`);
    const changed = { chain: 'a chain', id: 'crt_deep', names: ['deep.com'], is_due: false, authority: authority.name };
    const rules = [rule('@'), rule('a.b')];
    expect(await check(domain, { ...changed, rules })).toEqual([
      'live',
      'a certificate was ordered minutes ago: changes since then are ordered together',
    ]);
    // A renewal does not wait.
    expect(await check(domain, { ...changed, rules, is_due: true })).toEqual(['ordering', '']);
    await run(sql`update certificate_order set begun_at = begun_at - interval '2 minutes' where id = 'crt_deep'`);
    expect(await check(domain, { ...changed, rules })).toEqual(['ordering', '']);
  });

  test('raises an alarm at 80 percent that names the accounts, and clears it', async () => {
    const reseller = await makeReseller(t);
    const domain = await makeDomain(reseller, 'alarm.com');
    const alarms = async () => {
      await run(sql`delete from job_lease where name = 'certificates-watch'`);
      await orderCertificates({ ...t.ctx, authorities: [authority] } as TestService['ctx']);
      return (await openAlarms(t.ctx)).filter(({ key }) => key === 'certificate-budget');
    };
    await addOrders(reseller.split(':')[0]!, domain, 192);
    await vi.waitFor(
      async () =>
        expect((await alarms())[0]?.facts).toMatchObject({
          accounts: expect.arrayContaining([reseller.split(':')[0]]),
        }),
      { timeout: 300_000 },
    );
    await run(sql`delete from certificate_order where domain_id = ${domain}`);
    await vi.waitFor(async () => expect(await alarms()).toEqual([]), { timeout: 300_000 });
  });
});

describe('the host names of a certificate', () => {
  test('exclude hosts that authorities refuse', () => {
    const rules = [
      '@',
      'www',
      'a.b',
      '_acme-challenge.www',
      '_x',
      'ab--cd.e',
      'a.xn--zzzzzz99',
      'xn--bcher-kva.shop',
    ].map(rule);
    expect(wantedNames({ name: 'shop.com' }, rules, 'dns-01')).toEqual([
      'shop.com',
      '*.shop.com',
      'a.b.shop.com',
      'xn--bcher-kva.shop.shop.com',
    ]);
    expect(wantedNames({ name: 'shop.com' }, rules, 'http-01')).toEqual([
      'shop.com',
      'www.shop.com',
      'a.b.shop.com',
      'xn--bcher-kva.shop.shop.com',
    ]);
  });
});

describe('the status of a certificate', () => {
  const day = 86_400_000;
  const now = new Date('2026-11-18T12:00:00Z');
  const status = (left: number, failures: number) =>
    statusAt(
      {
        names: ['shop.com'],
        not_before: new Date(now.getTime() - 60 * day),
        not_after: new Date(now.getTime() + left * day),
        renew_at: now,
        live_since: null,
        state: 'live',
        reason: 'refused by the authority',
        failures,
      },
      now,
    );

  test('shows no error of a failed order while the certificate is live', () => {
    expect(status(30, 1)).toMatchObject({ state: 'live', reason: null });
    expect(status(-1, 1)).toMatchObject({ state: 'waiting', reason: expect.stringContaining('refused by') });
    expect(status(30, 0)).toMatchObject({ state: 'live', reason: 'refused by the authority' });
  });
});

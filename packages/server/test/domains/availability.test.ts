import { allTenants, sql } from '@namehold/postgres';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { insertDomainRow } from '../../../../test/support/domain-row.ts';
import { makeCustomer } from '../../../../test/support/parties.ts';
import { makeReseller } from '../../../../test/support/resellers.ts';
import { startTestService, type TestService } from '../../../../test/support/service.ts';
import { variantsOf } from '../../src/core/domains/search/suggest.ts';
import { lifeOf } from './life.ts';

let t: TestService;
let life: ReturnType<typeof lifeOf>;
beforeAll(async () => {
  t = await startTestService({ sandbox: true });
  life = lifeOf(t);
  await life.buy('taken.com');
});
afterAll(async () => {
  expect(await life.count('operation')).toBe(1);
  await life.ledgerIsSound();
  await t.stop();
});

const check = (domain: string, as?: string) =>
  t.call('GET', '/v1/domains/availability', { query: { domain }, ...(as ? { as } : {}) });

describe('the availability check', () => {
  test("returns a free domain with the caller's price", async () => {
    const called = await check('Free-Name.com');
    expect(called.body).toEqual([
      {
        'Free-Name.com': { status: 'available', price: { amount: '12.39', currency: 'USD' }, premium: false },
        domain: 'Free-Name.com',
        status: 'available',
      },
    ]);
  });

  test('returns one element for each domain name, in the order of the request', async () => {
    const called = await check('taken.com,free-name.net,www.com,gold.shop,free-name.net');
    expect(called.body.map((each: object) => Object.keys(each)[0])).toEqual([
      'taken.com',
      'free-name.net',
      'www.com',
      'gold.shop',
    ]);
    expect(called.body[0]['taken.com'].status).toBe('regthroughus');
    expect(called.body[1]['free-name.net'].status).toBe('available');
    expect(called.body[2]['www.com'].status).toBe('regthroughothers');
    expect(called.body[3]['gold.shop']).toMatchObject({ status: 'available', premium: true, premium_class: 'premium' });
    expect(Number(called.body[3]['gold.shop'].price.amount)).toBeGreaterThanOrEqual(2500);
  });

  test('returns status error with the reason for an invalid domain name', async () => {
    const called = await check('-bad-.com,name.nowhere,a.b.com,justaword,ab.id');
    const found = called.body.map((each: object) => Object.values(each)[0] as Record<string, string>);
    for (const { status, reason } of found) {
      expect(status).toBe('error');
      expect(reason).not.toBe('');
    }
    const codes = found.map(({ code }: Record<string, string>) => code);
    expect(codes).toEqual(['invalid_name', 'tld_not_offered', 'invalid_name', 'tld_not_offered', 'invalid_name']);
  });

  test('uses the requested spelling of an internationalised domain name as its key', async () => {
    const called = await check('MÜNCHEN.com');
    expect(Object.keys(called.body[0])).toEqual(['MÜNCHEN.com', 'domain', 'status']);
    expect(called.body[0]['MÜNCHEN.com'].status).toBe('available');
  });

  test("shows regthroughus only for domains of the caller's own tree", async () => {
    const stranger = await makeReseller(t);
    expect((await check('taken.com', stranger)).body[0]['taken.com'].status).toBe('regthroughothers');
    const child = await makeReseller(t, t.demo);
    const customer = await makeCustomer(t, child);
    await insertDomainRow(t, { resellerId: child.split(':')[0]!, customerId: customer, name: 'childs-own.com' });
    expect((await check('childs-own.com')).body[0]['childs-own.com'].status).toBe('regthroughus');
    expect((await check('childs-own.com', stranger)).body[0]['childs-own.com'].status).not.toBe('regthroughus');
    await t.ctx.db.transaction(allTenants, (tx) =>
      tx.run(
        sql`update domain set state = 'removed', removed_reason = 'deleted', removed_at = now() where name = 'childs-own.com'`,
      ),
    );
  });

  test('refuses too many domain names, or none', async () => {
    const many = Array.from({ length: 51 }, (_, index) => `n${index}.com`).join();
    expect((await check(many)).status).toBe(400);
    for (const none of ['', ',', ' , ']) expect((await check(none)).status).toBe(400);
    const fifty = await check(Array.from({ length: 50 }, (_, index) => `n${index}.com`).join());
    expect(fifty.body).toHaveLength(50);
  });

  test('returns unknown, not taken, when the registry refuses to answer', async () => {
    const fault = await t.control('POST', '/faults', {
      kind: 'drop-before',
      commands: ['domain:check'],
      how: 'close',
      limit: 20,
    });
    expect(fault.status, fault.text).toBeLessThan(300);
    const called = await check('silence.com');
    expect(called.body[0]['silence.com'].status).toBe('unknown');
    await t.control('DELETE', '/faults');
  });
});

describe('domain name suggestions', () => {
  test('are returned as a map of maps of texts', async () => {
    const called = await t.call('GET', '/v1/domains/suggestion', {
      query: { keyword: 'blue  coffee', tlds: 'com,.NET,nowhere', limit: '3', hyphen_allowed: '1' },
    });
    expect(called.status, called.text).toBe(200);
    expect(Object.keys(called.body)).toEqual(['bluecoffee', 'blue-coffee', 'mybluecoffee']);
    expect(called.body.bluecoffee).toEqual({ com: 'available', net: 'available', nowhere: 'error' });
  });

  test('are limited in number, and input without a usable word is refused', async () => {
    const all = await t.call('GET', '/v1/domains/suggestion', {
      query: { keyword: 'tree', tld: 'com', limit: '100', add_related: 'true', hyphen_allowed: 'true' },
    });
    expect(Object.keys(all.body).length).toBeLessThanOrEqual(100);
    expect(Object.keys(all.body).length).toBeGreaterThan(10);
    for (const query of [{ keyword: '!!!', tlds: 'com' }, { keyword: 'tree' }, { tlds: 'com' }]) {
      const called = await t.call('GET', '/v1/domains/suggestion', {
        query: query as unknown as Record<string, string>,
      });
      expect(called.status).toBe(400);
    }
  });

  test('are the same for the same request', () => {
    const wish = { keyword: 'Kopi Susu', hyphens: true, related: true };
    expect(variantsOf(wish)).toEqual(variantsOf(wish));
    expect(new Set(variantsOf(wish)).size).toBe(variantsOf(wish).length);
    expect(variantsOf({ ...wish, hyphens: false }).some((word) => word.includes('-'))).toBe(false);
  });
});

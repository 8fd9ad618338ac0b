import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { openAlarms } from '../../packages/server/src/core/alarms/alarm.ts';
import { reconcileNames } from '../../packages/server/src/core/domains/compare/reconcile.ts';
import { loadCatalogue } from '../../packages/server/src/core/tlds/load.ts';
import { pollNow } from '../../packages/server/src/jobs/poll-registries.ts';
import { testConnection } from '../../packages/server/src/registries/test-connection.ts';
import { done } from '../support/other-registrar.ts';
import { makeContact, makeCustomer, person } from '../support/parties.ts';
import { expectReconciled } from '../support/reconciliation.ts';
import { orderOf, Platform, Seller } from './chain.ts';

/** A seller, its upstream platform, and the registry behind that: three price levels. */
let platform: Platform;
let seller: Seller;
const code = 'a-long-auth-code-4711';
const comers = ['comes.org', 'refused.org', 'miscoded.org', 'withdrawn.org', 'dearer.org'];
beforeAll(async () => {
  platform = await Platform.start(['org', 'shop']);
  seller = await Seller.open(platform.way, ['org', 'shop']);
  await platform.asOtherRegistrar(async (otherRegistrar) => {
    for (const name of comers) await otherRegistrar.hold(name, code);
  });
  await timePasses('+61d');
});
afterAll(async () => {
  await seller?.t.stop();
  await platform?.stop();
});

/** Moves the clock of the seller, the platform and its registry. */
async function timePasses(by: string): Promise<void> {
  seller.t.moveClock(by);
  await platform.service.control('POST', '/clock', { move: by });
}

test('reads the upstream profile', async () => {
  const { ok, findings } = await testConnection(seller.t.ctx, 'up');
  expect(ok, findings.join('; ')).toBe(true);
  expect(findings).toContain('its queries are answered as expected');
});

describe('a domain', () => {
  test('is checked, bought, renewed and deleted once at each level', async () => {
    const response = await seller.t.call('GET', '/v1/domains/availability', { query: { domain: 'first.org' } });
    expect(response.body[0]['first.org']).toMatchObject({ status: 'available', price: { amount: '13.00' } });
    const bought = await seller.order('first.org', { ns: 'ns1.elsewhere.example,ns2.elsewhere.example' });
    expect(bought.status, bought.text).toBe(200);
    const there = await platform.read('first.org');
    expect(there).toMatchObject({ order_status: 'Live', ns1: 'ns1.elsewhere.example', ns2: 'ns2.elsewhere.example' });
    const here = await seller.read('first.org');
    expect(here.end_date).toBe(there.end_date);
    expect(here.registrant_contact.name).toBe((await contactThere(there.registrant_contact_id)).name);
    const renewed = await seller.renew('first.org');
    expect(renewed.status, renewed.text).toBe(200);
    expect((await seller.read('first.org')).end_date).toBe((await platform.read('first.org')).end_date);
    expect(await platform.charged('first.org')).toEqual(['charge create', 'charge renew']);
    expect(await seller.paid('first.org')).toBe(2700);
    expect(await seller.owed()).toBe(await platform.taken());
    const deleted = await seller.t.call('DELETE', '/v1/domains/first.org');
    expect(deleted.status, deleted.text).toBe(200);
    expect((await platform.read('first.org')).removed_reason).toBe('deleted');
    expect(await seller.owed()).toBe(await platform.taken());
  });

  test('is refunded at each level, each time, if deleted within its grace period', async () => {
    for (const life of [1, 2]) {
      expect((await seller.order('regretted.org')).status).toBe(200);
      const deleted = await seller.t.call('DELETE', '/v1/domains/regretted.org');
      expect(deleted.body, deleted.text).toMatchObject({
        restorable: false,
        refunded: [{ amount: '13.00', currency: 'USD' }],
      });
      const both = ['charge create', 'refund create'];
      expect(await platform.charged('regretted.org')).toEqual(life === 1 ? both : [...both, ...both]);
      expect(await seller.paid('regretted.org')).toBe(0);
    }
    expect(await seller.owed()).toBe(await platform.taken());
  });

  test('is unavailable if another registrar has it', async () => {
    expect((await platform.service.call('POST', '/v1/domains', { form: orderOf('taken.org') })).status).toBe(200);
    const refused = await seller.order('taken.org');
    expect(refused.body, refused.text).toMatchObject({ code: 'domain_not_available' });
  });
});

describe('changes of a domain', () => {
  const put = async (path: string, form: Record<string, string> = {}, method = 'PUT') => {
    const called = await seller.t.call(method, `/v1/domains/second.org/${path}`, { form });
    expect(called.status, called.text).toBe(200);
    return called.body;
  };

  test('set nameservers, hosts, keys, locks and the auth code', async () => {
    expect((await seller.order('second.org')).status).toBe(200);
    await put('ns', { ns: 'ns1.elsewhere.example,ns2.elsewhere.example' });
    await put('childns', { hostname: 'ns1.second.org', ip_address: '192.0.2.53' }, 'POST');
    await put('childns', { hostname: 'ns1.second.org', ip_address: '2001:db8::53' }, 'POST');
    await put('ns', { ns: 'ns1.second.org,ns2.elsewhere.example' });
    const ds = { keytag: '4711', algorithm: '13', digesttype: '2', digest: 'AB'.repeat(32) };
    await put('dnssec', ds, 'POST');
    const there = (await platform.service.call('GET', '/v1/domains/second.org')).body;
    expect([there.ns1, there.ns2].sort()).toEqual(['ns1.second.org', 'ns2.elsewhere.example']);
    expect(there.cns.map((host: { ip: string }) => host.ip).sort()).toEqual(['192.0.2.53', '2001:db8::53']);
    expect(there.dnssec).toMatchObject([{ keytag: 4711, digest: ds.digest }]);
    await put(`dnssec/4711/13/2/${ds.digest}`, {}, 'DELETE');
    await put('childns/ns1.second.org/2001%3Adb8%3A%3A53', {}, 'DELETE');
    await put('theft_protection');
    await put('locked', { reason: 'dispute' });
    expect(await platform.read('second.org')).toMatchObject({ locked: true, theft_protection: 'true' });
    await put('locked', {}, 'DELETE');
    expect(await platform.read('second.org')).toMatchObject({ locked: false, theft_protection: 'true' });
    await put('theft_protection', {}, 'DELETE');
    await put('suspended', { reason: 'unpaid' });
    expect(await platform.read('second.org')).toMatchObject({ suspended: true });
    await put('suspended', {}, 'DELETE');
    expect(await platform.read('second.org')).toMatchObject({ suspended: false, registry_status: ['ok'] });
  });

  test('share one contact at the platform while data are equal, and split it afterwards', async () => {
    const other = await makeCustomer(seller.t);
    const [mine, theirs] = [await makeContact(seller.t, '2001'), await makeContact(seller.t, other)];
    expect((await seller.order('mine.org', {}, mine)).status).toBe(200);
    expect((await seller.order('theirs.org', { customer_id: other }, theirs)).status).toBe(200);
    const idOf = async (name: string) => (await platform.read(name)).registrant_contact_id;
    expect(await idOf('mine.org')).toBe(await idOf('theirs.org'));
    const form = person({ name: 'Another Name' });
    const changed = await seller.t.call('PUT', `/v1/customers/2001/contacts/${mine}`, { form });
    expect([200, 202], changed.text).toContain(changed.status);
    await vi.waitFor(async () => {
      expect((await contactThere(await idOf('mine.org'))).name).toBe('Another Name');
    }, 300_000);
    expect((await contactThere(await idOf('theirs.org'))).name).toBe('Sari Dewi');
  });

  test('reports a request of another registrar at the upstream, which the seller rejects', async () => {
    const { body: code } = await seller.t.call('GET', '/v1/domains/mine.org/auth_code');
    const json = { domain_name: 'mine.org', action: 'request', auth_code: code };
    const response = await platform.service.call('POST', '/v1/sandbox/transfers', { json });
    expect(response.status, JSON.stringify(response.body)).toBe(200);
    await vi.waitFor(async () => {
      await platform.hearsNews();
      await pollNow(seller.t.ctx, 'up');
      expect((await seller.read('mine.org')).state).toBe('pending_transfer');
    }, 300_000);
    const rejected = await seller.t.call('POST', '/v1/domains/mine.org/transfer/reject', {
      form: { reason: 'holder_objects' },
    });
    expect(rejected.status, rejected.text).toBe(200);
    expect((await seller.read('mine.org')).state).toBe('live');
    expect((await platform.read('mine.org')).state).toBe('live');
  });

  test("transfer it away with the seller's approval", async () => {
    expect((await seller.order('leaving.org')).status).toBe(200);
    const { body: secret } = await seller.t.call('GET', '/v1/domains/leaving.org/auth_code');
    const json = { domain_name: 'leaving.org', action: 'request', auth_code: secret };
    expect((await platform.service.call('POST', '/v1/sandbox/transfers', { json })).status).toBe(200);
    await vi.waitFor(async () => {
      await platform.hearsNews();
      await pollNow(seller.t.ctx, 'up');
      expect((await seller.read('leaving.org')).state).toBe('pending_transfer');
    }, 300_000);
    const approved = await seller.t.call('POST', '/v1/domains/leaving.org/transfer/approve', { form: {} });
    expect(approved.status, approved.text).toBe(200);
    expect((await seller.read('leaving.org')).order_status).toBe('Transferred Away');
    expect((await platform.read('leaving.org')).order_status).toBe('Transferred Away');
    expect(await platform.service.control('GET', '/domains/leaving.org')).toMatchObject({ sponsor: 'rival' });
  });
});

describe('the registry port', () => {
  const port = () => seller.t.ctx.registries.of('up');

  test("has the platform's prices and TLDs", async () => {
    const [prices, offered] = [await (await port()).priceList!(['org', 'shop']), await (await port()).offeredTlds!()];
    if (prices.kind !== 'done' || offered.kind !== 'done') throw new Error(JSON.stringify({ prices, offered }));
    const oneYear = prices.data.filter(({ tld, years }) => tld === 'org' && years === 1);
    expect(oneYear.map(({ command, fee }) => `${command} ${fee.amount} ${fee.currency}`).sort()).toEqual([
      'create 10.40 USD',
      'renew 10.60 USD',
      'restore 70.00 USD',
      'transfer 10.20 USD',
    ]);
    expect(offered.data).toContainEqual({
      tld: 'org',
      minYears: 1,
      maxYears: 10,
      transferYears: 1,
      restoreYears: 0,
      graceDays: 45,
    });
  });

  test('switches a renewal by the platform off', async () => {
    const called = await seller.order('renews.org', { ns: 'ns1.host.example,ns2.host.example' });
    expect(called.status, called.text).toBe(200);
    const { domain_id } = await platform.read('renews.org');
    const mode = async () =>
      (await platform.service.call('GET', `/v1/domains/${domain_id}/renewal_mode`)).body.renewal_mode;
    await platform.service.call('PUT', `/v1/domains/${domain_id}/renewal_mode`, { json: { renewal_mode: 'renew' } });
    expect(await mode()).toBe('renew');
    const [repaired] = await reconcileNames(seller.t.ctx, ['renews.org']);
    expect(repaired?.drift).toMatchObject([{ field: 'auto_renewal', action: 'repaired' }]);
    expect(await mode()).toBe('manual');
  });
});

describe("a transfer of another registrar's domain", () => {
  const context = { priority: 'money' } as const;
  const readsEvents = () => platform.hearsNews();
  const decided = (name: string, verb: 'approveTransfer' | 'rejectTransfer') =>
    platform.asOtherRegistrar(async ({ registry }) => done(await registry[verb](name, context)));
  const ordered = async (name: string, more: Record<string, string> = {}) => {
    const called = await seller.order(name, { auth_code: code, ...more });
    expect(called.status, called.text).toBe(202);
    return called.body.operation_id as string;
  };

  /** An order of the seller that ended without the domain no longer counts. */
  const leftNothing = (name: string) =>
    vi.waitFor(async () => expect((await platform.read(name)).code).toBe('invalid_argument'), 300_000);

  test('waits for that registrar at each level, and arrives with our contacts', async () => {
    const contact = await makeContact(seller.t, '2001', undefined, { name: 'Coming Owner' });
    const { domain_name: _, ...parties } = orderOf('comes.org', contact);
    const operation = await ordered('comes.org', parties);
    expect(await seller.until(operation, ['waiting_registry'])).toBe('waiting_registry');
    expect((await seller.read('comes.org')).transfer).toMatchObject({ status: 'pending', from_registrar: 'rival' });
    // The order already has our contacts.
    const coming = await platform.read('comes.org');
    expect((await contactThere(coming.registrant_contact_id)).name).toBe('Coming Owner');
    await decided('comes.org', 'approveTransfer');
    expect(await seller.settled(operation, readsEvents)).toBe('done');
    const [here, there] = [await seller.read('comes.org'), await platform.read('comes.org')];
    expect(here).toMatchObject({ order_status: 'Live', end_date: there.end_date });
    expect((await contactThere(there.registrant_contact_id)).name).toBe(here.registrant_contact.name);
    expect(await platform.charged('comes.org')).toContain('charge transfer');
    expect(await seller.paid('comes.org')).toBe(1200);
    expect(await seller.owed()).toBe((await platform.taken()) - 1040);
  });

  test('costs nothing at any level if rejected', async () => {
    const operation = await ordered('refused.org');
    await decided('refused.org', 'rejectTransfer');
    await seller.age(operation);
    expect(await seller.settled(operation, readsEvents)).toBe('refused');
    expect(await seller.paid('refused.org')).toBe(0);
    await leftNothing('refused.org');
  });

  test('waits for another auth code after a wrong one, with no open order at the platform', async () => {
    const operation = await ordered('miscoded.org', { auth_code: 'a-wrong-auth-code-0815' });
    const { attention } = (await seller.t.call('GET', `/v1/operations/${operation}`)).body;
    expect(attention.choices).toEqual(['new_auth_code', 'cancel']);
    await leftNothing('miscoded.org');
    const path = '/v1/domains/miscoded.org/transfer/auth_code';
    const sent = await seller.t.call('PUT', path, { form: { auth_code: code }, headers: { Prefer: 'wait=60' } });
    expect(sent.status, sent.text).toBe(202);
    await decided('miscoded.org', 'approveTransfer');
    expect(await seller.settled(operation, readsEvents)).toBe('done');
    expect(await seller.paid('miscoded.org')).toBe(1200);
  });

  test('is cancelled if the seller cancels the order', async () => {
    const operation = await ordered('withdrawn.org');
    const cancelled = await seller.t.call('POST', '/v1/domains/withdrawn.org/transfer/cancel', { form: {} });
    expect([200, 202], cancelled.text).toContain(cancelled.status);
    expect(await seller.settled(operation)).toBe('cancelled');
    expect(await seller.paid('withdrawn.org')).toBe(0);
    expect(JSON.stringify(await platform.service.control('GET', '/domains/withdrawn.org'))).toContain(
      'clientCancelled',
    );
  });
});

describe('prices of the platform', () => {
  test('are returned, guarded and charged for a premium domain', async () => {
    const response = await seller.t.call('GET', '/v1/domains/availability', { query: { domain: 'gem-one.shop' } });
    const { premium_class, price } = response.body[0]['gem-one.shop'];
    expect(premium_class).toBe('premium');
    const bare = await seller.order('gem-one.shop');
    expect(bare.body, bare.text).toMatchObject({ code: 'price_guard_required' });
    const low = await seller.order('gem-one.shop', { max_price: '6.00' });
    expect(low.body, low.text).toMatchObject({ code: 'price_guard' });
    const bought = await seller.order('gem-one.shop', { max_price: price.amount });
    expect(bought.status, bought.text).toBe(200);
    expect(await seller.paid('gem-one.shop')).toBe(Math.round(Number(price.amount) * 100));
    expect(await platform.charged('gem-one.shop')).toEqual(['charge create']);
    const { end_date } = await seller.read('gem-one.shop');
    const form = { years: '1', current_date: end_date, invoice_option: 'no_invoice' };
    const renewed = await seller.t.call('POST', '/v1/domains/gem-one.shop/renew', { form });
    expect(renewed.body, renewed.text).toMatchObject({ code: 'price_guard_required' });
    const quote = { kind: 'renew', domain_name: 'gem-one.shop', years: '1' };
    const { total } = (await seller.t.call('POST', '/v1/quotes', { json: quote })).body;
    const guarded = { ...form, max_price: total.amount };
    const again = await seller.t.call('POST', '/v1/domains/gem-one.shop/renew', { form: guarded });
    expect(again.status, again.text).toBe(200);
    expect(await platform.charged('gem-one.shop')).toEqual(['charge create', 'charge renew']);
    expect(await seller.owed()).toBe((await platform.taken()) - 1040);
  });

  test('above our cost prevent a sale at the list price without a guard', async () => {
    await platform.setPrices('org', { create: '11.40', renew: '11.60', transfer: '11.20' });
    const guarded = { code: 'price_guard_required' };
    expect((await seller.order('dearer-new.org')).body).toMatchObject(guarded);
    expect((await seller.renew('mine.org')).body).toMatchObject(guarded);
    expect((await seller.order('dearer.org', { auth_code: code })).body).toMatchObject(guarded);
    const bought = await seller.order('dearer-new.org', { max_price: '20.00' });
    expect(bought.status, bought.text).toBe(200);
    expect(await seller.owed()).toBe((await platform.taken()) - 1040);
    await platform.setPrices('org');
    expect((await seller.order('as-ever.org')).status).toBe(200);
  });
});

test('stops all orders with an alarm if the key at the upstream is wrong or not allowed from our address', async () => {
  const json = { label: 'elsewhere', ip_whitelist: ['192.0.2.1'], scopes: ['full'] };
  const made = await platform.service.call('POST', '/v1/account/keys', { json });
  expect(made.status, JSON.stringify(made.body)).toBe(200);
  for (const [key, status] of [
    [`${platform.way.key.slice(0, -4)}0000`, 401],
    [made.body.api_key, 403],
  ] as const) {
    await seller.connect({ ...platform.way, key }, ['org', 'shop']);
    const { ok, findings } = await testConnection(seller.t.ctx, 'up');
    expect(ok).toBe(false);
    expect(findings.join()).toContain(String(status));
    expect(findings.join()).not.toContain(key);
    await vi.waitFor(async () => expect(await alarms()).toContain('registry:up:login'), 300_000);
  }
  await seller.connect(platform.way, ['org', 'shop']);
  const response = await seller.t.call('GET', '/v1/domains/availability', { query: { domain: 'let-in.org' } });
  expect(response.body[0]['let-in.org'].status).toBe('available');
  await vi.waitFor(async () => expect(await alarms()).not.toContain('registry:up:login'), 300_000);
});

test('restores a domain deleted after its grace period at the restore price', async () => {
  expect((await seller.renew('as-ever.org')).status).toBe(200);
  // Sold by the platform to another within its grace period: all later charges of the platform are ours.
  expect((await platform.service.call('DELETE', '/v1/domains/taken.org')).status).toBe(200);
  await timePasses('+6d');
  const deleted = await seller.t.call('DELETE', '/v1/domains/theirs.org');
  expect(deleted.status, deleted.text).toBe(200);
  expect((await seller.read('theirs.org')).state).toBe('redemption');
  const form = { invoice_option: 'no_invoice' };
  const restored = await seller.t.call('POST', '/v1/domains/theirs.org/restore', { form });
  expect(restored.status, restored.text).toBe(200);
  expect((await seller.read('theirs.org')).state).toBe('live');
  expect((await platform.read('theirs.org')).state).toBe('live');
  expect(await platform.charged('theirs.org')).toEqual(['charge create', 'charge restore']);
  expect(await seller.paid('theirs.org')).toBe(1300 + 9000);
});

test('refunds no charge that the platform keeps, with an alarm if our rules differ', async () => {
  const rules = { auto_renew: false, grace_days: { expired_hold: 30, renew: 30 } };
  await loadCatalogue(seller.t.ctx, JSON.stringify([{ name: 'org', registry: 'up', rules }]), 'up.json');
  const paid = await seller.paid('as-ever.org');
  const deleted = await seller.t.call('DELETE', '/v1/domains/as-ever.org');
  expect(deleted.body, deleted.text).toMatchObject({ restorable: true, refunded: [] });
  expect(await seller.paid('as-ever.org')).toBe(paid);
  expect(await alarms()).toContain(`refund:${deleted.body.operation_id}`);
});

test('the balances agree at all three levels', async () => {
  expect(await seller.owed()).toBe(await platform.taken());
  await platform.owesWhatWasTaken();
  expect((await alarms()).filter((key) => key.startsWith('charge:'))).toEqual([]);
  await expectReconciled(seller.t);
});

const alarms = async () => (await openAlarms(seller.t.ctx)).map(({ key }) => key);

const contactThere = async (id: string) =>
  (await platform.service.call('GET', `/v1/customers/2001/contacts/${id}`)).body;

import { afterAll, beforeAll, expect, test } from 'vitest';
import { testConnection } from '../../packages/server/src/registries/test-connection.ts';
import { accounts } from './far-registry.ts';
import { feeOf, newContact, newDomain, ofDomain, Registrar } from './registrar.ts';
import { Shop } from './shop.ts';

const ietf = 'urn:ietf:params:xml:ns';
const secureAuthInfo = `${ietf}:epp:secure-authinfo-transfer-1.0`;
const strong = 'kP3.vWq8-Zr5_tYm2xBn7';

/**
 * All at once: EUR, RFC 9154, assigned contact ids and restores that add a year. The profile does not state whether RFC 9154 is
 * followed.
 */
let shop: Shop;
let other: Registrar;
beforeAll(async () => {
  shop = await Shop.open(
    { NAMEHOLD_THEFT_PROTECTION: 'off' },
    {
      capabilities: { currency: 'EUR', secure_auth: true, assigns_ids: true, restore_years: 1 },
      currency: 'EUR',
      profile: { namespaces: { secureAuthInfo }, rules: { authInfoMaxLength: 64 }, contacts: { assignsIds: true } },
      rules: { restore_years: 1 },
      costs:
        'tld,action,years,currency,amount\nfar,create,1,EUR,8.10\nfar,renew,1,EUR,9.35\nfar,transfer,1,EUR,8.90\nfar,restore,1,EUR,44.00',
    },
  );
  // The greeting is known after the first login.
  const { ok, findings } = await testConnection(shop.t.ctx, 'far');
  expect(ok, findings.join('\n')).toBe(true);
  await shop.t.service.parts.registries.reload('far');
  other = await Registrar.login(shop.far, accounts.other);
});
afterAll(async () => {
  other?.close();
  await shop?.close();
});

const call: Shop['t']['call'] = (...given) => shop.t.call(...given);
const logins = async () =>
  (await shop.far.log()).filter(({ way, frame }) => way === 'in' && frame.includes('<login') && frame.includes('us-1'));
const codeOf = async (name: string) => {
  const called = await call('GET', `/v1/domains/${name}/auth_code`);
  expect(called.status, called.text).toBe(200);
  return called.body as string;
};
const transfer = (name: string, op: string, code: string) =>
  ofDomain('transfer', `<d:name>${name}</d:name><d:authInfo><d:pw>${code}</d:pw></d:authInfo>`, '', op);

test('announces RFC 9154 at login if the profile follows it', async () => {
  await shop.buy('first.far');
  expect((await logins()).at(-1)!.frame).toContain(secureAuthInfo);
});

test('creates a domain and its contacts without an auth code', async () => {
  const there = await shop.far.name('first.far');
  expect(there.auth).toBe('');
  expect((await shop.far.contact(there.registrant)).auth).toBe('');
});

test('sets a strong auth code by GET auth_code, which allows the transfer out', async () => {
  await shop.buy('leaving.far');
  await shop.moveClock('+61d');
  const code = await codeOf('leaving.far');
  expect(code).toMatch(/^[!-~]{20,64}$/);
  expect((await shop.far.name('leaving.far')).auth).toBe(code);
  expect((await other.say(transfer('leaving.far', 'request', code)))?.code).toBe(1001);
  await shop.poll();
  await expect.poll(async () => (await shop.read('leaving.far')).order_status).toBe('Pending Transfer');
  const approved = await call('POST', '/v1/domains/leaving.far/transfer/approve', { form: {} });
  expect(approved.status, approved.text).toBe(200);
  expect(await shop.far.name('leaving.far')).toMatchObject({ sponsor: accounts.other.id, auth: '' });
});

test('requires 20 characters of an auth code set by a reseller', async () => {
  const short = await call('PUT', '/v1/domains/first.far/auth_code', { form: { auth_code: 'Qw3.rtzuiopX' } });
  expect(short.status, short.text).toBe(400);
  const long = await call('PUT', '/v1/domains/first.far/auth_code', { form: { auth_code: strong } });
  expect(long.status, long.text).toBe(200);
  expect((await shop.far.name('first.far')).auth).toBe(strong);
});

test('transfers in a domain of another registrar', async () => {
  expect((await other.say(newContact('other-ada', '')))?.code).toBe(1000);
  const made = await shop.far.contactIds(accounts.other.id);
  const create = newDomain('coming.far', made[0]!, {
    auth: strong,
    extension: feeOf('create', '8.10').replace('USD', 'EUR'),
  });
  expect((await other.say(create))?.code).toBe(1000);
  await shop.moveClock('+61d');
  const ordered = await shop.order('coming.far', { auth_code: strong });
  expect(ordered.status, ordered.text).toBe(202);
  await expect.poll(async () => (await shop.far.name('coming.far')).statuses).toContain('pendingTransfer');
  const { domain_id: _, operation_id } = ordered.body;
  expect((await other.say(ofDomain('transfer', '<d:name>coming.far</d:name>', '', 'approve')))?.code).toBe(1000);
  await shop.poll();
  expect(await shop.settled(operation_id)).toBe('done');
  expect(await shop.charged('coming.far')).toEqual(['charge transfer 890']);
  await expect.poll(async () => (await shop.far.name('coming.far')).registrant).not.toBe(made[0]);
});

test('adds and charges a year with a restore', async () => {
  await shop.buy('restored.far');
  await shop.moveClock('+6d');
  const before = (await shop.far.name('restored.far')).expires_at;
  expect((await call('DELETE', '/v1/domains/restored.far')).status).toBe(200);
  const called = await call('POST', '/v1/domains/restored.far/restore', { form: { invoice_option: 'no_invoice' } });
  expect(called.status, called.text).toBe(200);
  const after = await shop.far.name('restored.far');
  expect(after.leaving).toBe('');
  expect(Number(after.expires_at.slice(0, 4))).toBe(Number(before.slice(0, 4)) + 1);
  expect((await shop.read('restored.far')).end_date.slice(0, 10)).toBe(after.expires_at.slice(0, 10));
  // 44.00 and the renewal of 9.35.
  expect(await shop.charged('restored.far')).toEqual(['charge create 810', 'charge restore 5335']);
});

test('settles a lost answer to a glue update by the addresses at the registry', async () => {
  const host = { hostname: 'ns1.first.far', ip_address: '192.0.2.1' };
  const made = await call('POST', '/v1/domains/first.far/childns', { form: host });
  expect(made.status, made.text).toBe(200);
  const linked = await call('PUT', '/v1/domains/first.far/ns', { form: { ns: 'ns1.first.far,ns2.elsewhere.example' } });
  expect(linked.status, linked.text).toBe(200);
  expect((await shop.far.name('first.far')).nameservers['ns1.first.far']).toEqual([['v4', '192.0.2.1']]);
  const updates = async () =>
    (await shop.far.log()).filter(({ way, frame }) => way === 'in' && /<update>.*192\.0\.2\.2/.test(frame)).length;
  await shop.far.fault({ on: 'domain:update', do: 'drop' });
  const changed = await call('PUT', '/v1/domains/first.far/childns/ns1.first.far/192.0.2.1', {
    form: { hostname: 'ns1.first.far', ip_address: '192.0.2.2' },
  });
  expect(changed.status, changed.text).toBe(200);
  expect((await shop.far.name('first.far')).nameservers['ns1.first.far']).toEqual([['v4', '192.0.2.2']]);
  expect(await updates(), 'the update is not sent a second time').toBe(1);
});

test('ledger and registry agree to the cent', async () => {
  expect(await shop.held()).toBe(0);
  await shop.agree();
});

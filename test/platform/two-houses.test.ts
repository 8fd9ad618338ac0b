import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { followVerifications } from '../../packages/server/src/core/verification/follow.ts';
import { booksAgree } from '../support/books.ts';
import { makeContact } from '../support/parties.ts';
import { openRival } from '../support/rival.ts';
import { startTestService, type TestService } from '../support/service.ts';
import { csv, Seller } from './chain.ts';

/** A seller and the platform that it buys from, both of which ask holders to confirm their address. */
let platform: TestService;
let seller: Seller;
const env = { NAMEHOLD_VERIFY_HOLDERS: 'hold' };
const code = 'a-long-auth-code-4711';
beforeAll(async () => {
  platform = await startTestService({ sandbox: true, env: { ...env, NAMEHOLD_THEFT_PROTECTION: 'off' } });
  const json = { target: 'reseller', csv: csv(['org'], 'costs') };
  const priced = await platform.call('POST', '/v1/account/price_list/import', { json, as: platform.operator });
  expect(priced.status, priced.text).toBe(200);
  const [reseller, key] = platform.demo.split(':') as [string, string];
  seller = await Seller.open({ port: Number(new URL(platform.url).port), reseller, key }, ['org'], {}, env);
});
afterAll(async () => {
  await seller?.t.stop();
  await platform?.stop();
});

/** For the seller, the platform and its registry alike; and what the clockworks of both do then. */
async function timePasses(by: string): Promise<void> {
  for (const t of [seller.t, platform]) t.moveClock(by);
  await platform.control('GET', '/clock');
  await clockworks();
}

async function clockworks(): Promise<void> {
  for (const t of [seller.t, platform]) await followVerifications(t.house);
}

const onRegistry = async (name: string): Promise<string[]> =>
  (await platform.control('GET', `/domains/${name}`)).body.statuses ?? [];
const raa = async (t: TestService, name: string) => (await t.call('GET', `/v1/domains/${name}/raa_verification`)).body;
const there = async (name: string) => (await platform.call('GET', `/v1/domains/${name}`)).body;

let people = 0;
const newHolder = () =>
  makeContact(seller.t, '2001', undefined, { name: `Holder ${++people}`, email: `holder${people}@customer.example` });

async function sold(name: string): Promise<string> {
  const contact = await newHolder();
  const bought = await seller.order(name, {}, contact);
  expect(bought.status, bought.text).toBe(200);
  return contact;
}

async function change(method: string, path: string, form: Record<string, string> = {}): Promise<void> {
  const changed = await seller.t.call(method, `/v1/domains/${path}`, { form });
  expect(changed.status, changed.text).toBe(200);
}

describe('a hold of the seller', () => {
  test('takes the name out of the DNS, and leaves it open to the change that cures it', async () => {
    const contact = await sold('held.org');
    await timePasses('+16d');
    await vi.waitFor(async () => expect(await raa(seller.t, 'held.org')).toMatchObject({ on_hold: true }), 300_000);
    expect(await onRegistry('held.org')).toContain('clientHold');
    expect(await there('held.org')).toMatchObject({ suspended: true });
    await change('PUT', 'held.org/ns', { ns: 'ns1.elsewhere.example,ns2.elsewhere.example' });
    await change('PUT', 'held.org/theft_protection');
    await change('DELETE', 'held.org/theft_protection');
    const roles = ['registrant', 'admin', 'tech', 'billing'].map((role) => [`${role}_contact_id`, contact]);
    const other = await newHolder();
    const form = { ...Object.fromEntries(roles), tech_contact_id: other };
    await change('PUT', 'held.org/contacts', form);
    expect((await there('held.org')).tech_contact_id).not.toBe((await there('held.org')).registrant_contact_id);
    expect(await onRegistry('held.org')).toContain('clientHold');
  });

  test('that the reseller set itself blocks changes here, in our own words', async () => {
    await sold('parked.org');
    await change('PUT', 'parked.org/suspended', { reason: 'unpaid' });
    const { domain_id: id } = await seller.read('parked.org');
    const refused = await seller.t.call('PUT', '/v1/domains/parked.org/ns', { form: { ns: 'ns1.a.net,ns2.a.net' } });
    expect(refused.body).toMatchObject({ code: 'domain_blocked' });
    expect(refused.body.message).toContain(`/v1/domains/${id}/suspended`);
    await change('DELETE', 'parked.org/suspended');
    expect(await onRegistry('parked.org')).not.toContain('clientHold');
  });

  test('and one that was set at the platform itself is refused without its ids and its calls', async () => {
    await sold('shut.org');
    const { domain_id: theirs } = await there('shut.org');
    expect((await platform.call('PUT', '/v1/domains/shut.org/suspended', { form: {} })).status).toBe(200);
    const refused = await seller.t.call('PUT', '/v1/domains/shut.org/ns', { form: { ns: 'ns1.a.net,ns2.a.net' } });
    expect(refused.body).toMatchObject({ code: 'domain_blocked', registry_code: 2304 });
    const { operation_id: operation } = refused.body;
    const shown = await seller.t.call('GET', `/v1/operations/${operation}`);
    for (const text of [refused.body.message, shown.body.result_text])
      expect(text).toMatch(/a lock or a hold at the registry forbids it/);
    for (const { text } of [refused, shown]) {
      expect(text.replaceAll(operation, '')).not.toMatch(/\/v1\/|suspension|op_/);
      expect(text).not.toContain(`domains/${theirs}`);
    }
    expect((await platform.call('DELETE', '/v1/domains/shut.org/suspended')).status).toBe(200);
  });
});

describe('whether a name may come', () => {
  const ask = async (form: Record<string, string>) =>
    (await seller.t.call('POST', '/v1/domains/transfer/validity', { form })).body;

  test('is what the platform says, with its reasons in our words', async () => {
    const rival = openRival(platform.service.credentials!.rival_registry_account!);
    try {
      await rival.hold('comer.org', code);
      await timePasses('+61d');
      await rival.hold('young.org', code);
    } finally {
      await rival.close();
    }
    const right = { transferable: true, registrar: 'rival', auth_code_is_right: true };
    expect(await ask({ domain_name: 'comer.org', auth_code: code })).toMatchObject(right);
    expect(await ask({ domain_name: 'comer.org' })).toMatchObject({ transferable: true, auth_code_is_right: null });
    expect(await ask({ domain_name: 'comer.org', auth_code: 'Wrong-1234-xxxx' })).toMatchObject({
      code: 'transfer_not_possible',
      possible_from: null,
      obstacles: [{ reason: 'wrong_auth_code', from: null }],
    });
    const young = await ask({ domain_name: 'young.org', auth_code: code });
    const { possible_from: from } = young;
    expect(young).toMatchObject({ code: 'transfer_not_possible', obstacles: [{ reason: 'too_young', from }] });
    expect(from).toMatch(/^20\d\d-/);
    expect(young.message).toMatch(/^young\.org was registered or transferred not long ago/);
    expect(await ask({ domain_name: 'nobody-has.org' })).toMatchObject({ obstacles: [{ reason: 'not_registered' }] });
    const ordered = await seller.order('young.org', { auth_code: code });
    expect(ordered.body, ordered.text).toMatchObject({ code: 'transfer_not_possible', possible_from: from });
  });
});

test('the money agrees at both houses', async () => {
  await booksAgree(seller.t);
  await booksAgree(platform);
});

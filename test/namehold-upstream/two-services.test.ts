import { allTenants, sql } from '@namehold/postgres';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { openAlarms } from '../../packages/server/src/core/alarms/alarm.ts';
import { processVerifications } from '../../packages/server/src/core/verification/process-verifications.ts';
import { reportToRegistries } from '../../packages/server/src/core/verification/report-to-registries.ts';
import { pollNow } from '../../packages/server/src/jobs/poll-registries.ts';
import { openOtherRegistrar } from '../support/other-registrar.ts';
import { makeContact } from '../support/parties.ts';
import { expectReconciled } from '../support/reconciliation.ts';
import { startTestService, type TestService } from '../support/service.ts';
import { csv, Seller } from './chain.ts';

/** A seller and its upstream platform, both of which require registrants to confirm their address. */
let platform: TestService;
let seller: Seller;
const env = { NAMEHOLD_VERIFY_REGISTRANTS: 'hold' };
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

/** Moves the clock of the seller, the platform and its registry, and runs the background jobs of both. */
async function timePasses(by: string): Promise<void> {
  for (const t of [seller.t, platform]) t.moveClock(by);
  await platform.control('GET', '/clock');
  await schedulers();
}

async function schedulers(): Promise<void> {
  for (const t of [seller.t, platform]) await processVerifications(t.ctx);
}

const onRegistry = async (name: string): Promise<string[]> =>
  (await platform.control('GET', `/domains/${name}`)).body.statuses ?? [];
const raa = async (t: TestService, name: string) => (await t.call('GET', `/v1/domains/${name}/raa_verification`)).body;
const there = async (name: string) => (await platform.call('GET', `/v1/domains/${name}`)).body;

let registrants = 0;
const newRegistrant = () =>
  makeContact(seller.t, '2001', undefined, {
    name: `Holder ${++registrants}`,
    email: `holder${registrants}@customer.example`,
  });

async function sold(name: string): Promise<string> {
  const contact = await newRegistrant();
  const bought = await seller.order(name, {}, contact);
  expect(bought.status, bought.text).toBe(200);
  return contact;
}

async function change(method: string, path: string, form: Record<string, string> = {}): Promise<void> {
  const changed = await seller.t.call(method, `/v1/domains/${path}`, { form });
  expect(changed.status, changed.text).toBe(200);
}

describe('a hold by the seller', () => {
  test('takes the domain out of the DNS, and allows the change that ends it', async () => {
    const contact = await sold('held.org');
    await timePasses('+16d');
    await vi.waitFor(async () => expect(await raa(seller.t, 'held.org')).toMatchObject({ on_hold: true }), 300_000);
    expect(await onRegistry('held.org')).toContain('clientHold');
    expect(await there('held.org')).toMatchObject({ suspended: true });
    await change('PUT', 'held.org/ns', { ns: 'ns1.elsewhere.example,ns2.elsewhere.example' });
    await change('PUT', 'held.org/theft_protection');
    await change('DELETE', 'held.org/theft_protection');
    const roles = ['registrant', 'admin', 'tech', 'billing'].map((role) => [`${role}_contact_id`, contact]);
    const other = await newRegistrant();
    const form = { ...Object.fromEntries(roles), tech_contact_id: other };
    await change('PUT', 'held.org/contacts', form);
    expect((await there('held.org')).tech_contact_id).not.toBe((await there('held.org')).registrant_contact_id);
    expect(await onRegistry('held.org')).toContain('clientHold');
  });

  test('set by the reseller blocks changes here, with our own message', async () => {
    await sold('parked.org');
    await change('PUT', 'parked.org/suspended', { reason: 'unpaid' });
    const { domain_id: id } = await seller.read('parked.org');
    const refused = await seller.t.call('PUT', '/v1/domains/parked.org/ns', { form: { ns: 'ns1.a.net,ns2.a.net' } });
    expect(refused.body).toMatchObject({ code: 'domain_blocked' });
    expect(refused.body.message).toContain(`/v1/domains/${id}/suspended`);
    await change('DELETE', 'parked.org/suspended');
    expect(await onRegistry('parked.org')).not.toContain('clientHold');
  });

  test("set at the platform is reported without the platform's ids and calls", async () => {
    await sold('shut.org');
    const { domain_id: theirs } = await there('shut.org');
    expect((await platform.call('PUT', '/v1/domains/shut.org/suspended', { form: {} })).status).toBe(200);
    const refused = await seller.t.call('PUT', '/v1/domains/shut.org/ns', { form: { ns: 'ns1.a.net,ns2.a.net' } });
    expect(refused.body).toMatchObject({ code: 'domain_blocked', registry_code: 2304 });
    const { operation_id: operation } = refused.body;
    const shown = await seller.t.call('GET', `/v1/operations/${operation}`);
    for (const text of [refused.body.message, shown.body.result_text])
      expect(text).toMatch(/a lock or hold at the registry forbids it/);
    for (const { text } of [refused, shown]) {
      expect(text.replaceAll(operation, '')).not.toMatch(/\/v1\/|suspension|op_/);
      expect(text).not.toContain(`domains/${theirs}`);
    }
    expect((await platform.call('DELETE', '/v1/domains/shut.org/suspended')).status).toBe(200);
  });
});

/** The link in the seller's latest mail to the registrant of this domain. */
async function confirmHere(name: string): Promise<void> {
  const link = await vi.waitFor(async () => {
    const { body: mails } = await seller.t.call('GET', '/v1/sandbox/mail', { query: { limit: '100' } });
    const mail = mails.find((each: { text: string }) => each.text.includes(name) && each.text.includes('/confirm/'));
    const found = /^https?:\/\/\S+\/confirm\/\S+$/m.exec(mail?.text ?? '')?.[0];
    expect(found).toBeDefined();
    return found!;
  }, 300_000);
  const clicked = await fetch(link, { method: 'POST' });
  expect(clicked.status).toBe(200);
}

/** The events of the platform have reached the seller. */
const eventually = (look: () => Promise<void>) =>
  vi.waitFor(async () => {
    await pollNow(seller.t.ctx, 'up');
    await look();
  }, 300_000);
const alarms = async () => (await openAlarms(seller.t.ctx)).map(({ key }) => key);
const mailedThere = async (name: string) =>
  (await platform.call('GET', '/v1/notices', { query: { domain_id: (await there(name)).domain_id } })).body as {
    kind: string;
  }[];
const eventsHere = async (name: string) =>
  (
    await seller.t.ctx.db.as(allTenants).many<{ because: string | null }>(sql`
      select payload->>'because' as because from event
      where type = 'domain.registry_hold' and payload->>'domain_name' = ${name} order by number`)
  ).map(({ because }) => because);

describe('a registrant that must confirm at both services', () => {
  test('reports a confirmation to the upstream, which removes its hold', async () => {
    await sold('both.org');
    expect((await mailedThere('both.org')).map(({ kind }) => kind)).toContain('holder_verification');
    await confirmHere('both.org');
    expect(await raa(seller.t, 'both.org')).toMatchObject({ status: 'Verified', on_hold: false });
    await reportToRegistries(seller.t.ctx);
    expect(await alarms()).toContain('registry:up:holders');
    await timePasses('+16d');
    await vi.waitFor(async () => expect(await onRegistry('both.org')).toContain('clientHold'), 300_000);
    await eventually(async () =>
      expect(await raa(seller.t, 'both.org')).toMatchObject({ status: 'Suspended', on_hold: true }),
    );
    expect((await seller.read('both.org')).registry_status).toContain('serverHold');
    expect(await eventsHere('both.org')).toEqual(['unverified']);
    expect(await alarms()).toContain(`hold:${(await seller.read('both.org')).domain_id}`);
    const { email } = await raa(platform, 'both.org');
    const confirmation = { email, confirmed_at: platform.ctx.clock.now().toISOString() };
    const response = await platform.call('PUT', '/v1/domains/both.org/raa_verification', { form: confirmation });
    expect(response.status).toBe(409);
    expect(response.body.looks_after_holders).toBe(false);
  });

  test('is confirmed at both after the platform leaves confirmation to the seller', async () => {
    const path = '/v1/operator/resellers/1000/holders';
    const json = { looks_after_holders: true };
    expect((await platform.call('PUT', path, { json })).body.code).toBe('operator_only');
    const left = await platform.call('PUT', path, { json, as: platform.operator });
    expect(left.body, left.text).toMatchObject({ reseller_id: '1000', looks_after_holders: true });
    await timePasses('+10m');
    await reportToRegistries(seller.t.ctx);
    await vi.waitFor(async () => expect(await onRegistry('both.org')).not.toContain('clientHold'), 300_000);
    await eventually(async () =>
      expect(await raa(seller.t, 'both.org')).toMatchObject({ status: 'Verified', on_hold: false }),
    );
    expect(await eventsHere('both.org')).toEqual(['unverified', null]);
    // Domains held at both services for the same missing confirmation raise no alarm.
    const open = await alarms();
    expect(open.filter((key) => key === 'registry:up:holders' || key.startsWith('hold:'))).toEqual([]);
    const { after } = await platform.ctx.db
      .as(allTenants)
      .one<{ after: { address: string; confirmed_at: string } }>(
        sql`select after from audit where action = 'domain.holder_vouched' order by id desc limit 1`,
      );
    expect(after.address).toBe((await raa(seller.t, 'both.org')).email);
    expect(after.confirmed_at).toMatch(/^20/);
  });

  test('is then mailed by the seller only, and the confirmation is passed on before a hold', async () => {
    await sold('cared.org');
    expect(await raa(platform, 'cared.org')).toMatchObject({ status: 'Pending' });
    await confirmHere('cared.org');
    await reportToRegistries(seller.t.ctx);
    expect(await raa(platform, 'cared.org')).toMatchObject({ status: 'Verified' });
    await timePasses('+16d');
    expect(await onRegistry('cared.org')).not.toContain('clientHold');
    const again = await platform.call('POST', '/v1/domains/cared.org/raa_verification/resend', { form: {} });
    expect(again.status).toBe(409);
    expect(await mailedThere('cared.org')).toEqual([]);
  });

  test('has the domain suspended at both without confirmation, and restored at both by one click', async () => {
    await sold('silent.org');
    await timePasses('+16d');
    await vi.waitFor(async () => expect(await raa(seller.t, 'silent.org')).toMatchObject({ on_hold: true }), 300_000);
    await vi.waitFor(async () => expect(await raa(platform, 'silent.org')).toMatchObject({ on_hold: true }), 300_000);
    await confirmHere('silent.org');
    await reportToRegistries(seller.t.ctx);
    await vi.waitFor(async () => {
      await schedulers();
      expect(await onRegistry('silent.org')).not.toContain('clientHold');
    }, 300_000);
    await eventually(async () =>
      expect(await raa(seller.t, 'silent.org')).toMatchObject({ status: 'Verified', on_hold: false }),
    );
    expect(await there('silent.org')).toMatchObject({ suspended: false, raaVerificationStatus: 'Verified' });
    expect(await mailedThere('silent.org')).toEqual([]);
  });

  test('is not reported as confirmed with another address, or too early', async () => {
    await sold('vouched.org');
    const put = (form: Record<string, string>) =>
      platform.call('PUT', '/v1/domains/vouched.org/raa_verification', { form });
    const { email } = await raa(platform, 'vouched.org');
    const now = platform.ctx.clock.now();
    expect((await put({ email: 'else@customer.example', confirmed_at: now.toISOString() })).status).toBe(409);
    const later = new Date(now.getTime() + 3_600_000).toISOString();
    expect((await put({ email, confirmed_at: later })).body.errors[0].field).toBe('confirmed_at');
    expect((await put({ email, confirmed_at: now.toISOString() })).status).toBe(200);
    expect(await raa(platform, 'vouched.org')).toMatchObject({ status: 'Verified' });
  });
});

describe('the check of a transfer in', () => {
  const ask = async (form: Record<string, string>) =>
    (await seller.t.call('POST', '/v1/domains/transfer/validity', { form })).body;

  test("returns the platform's answer, with its reasons in our terms", async () => {
    const otherRegistrar = openOtherRegistrar(platform.service.credentials!.rival_registry_account!);
    try {
      await otherRegistrar.hold('comer.org', code);
      await timePasses('+61d');
      await otherRegistrar.hold('young.org', code);
    } finally {
      await otherRegistrar.close();
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
    expect(young.message).toMatch(/^young\.org was registered or transferred recently/);
    expect(await ask({ domain_name: 'nobody-has.org' })).toMatchObject({ obstacles: [{ reason: 'not_registered' }] });
    const ordered = await seller.order('young.org', { auth_code: code });
    expect(ordered.body, ordered.text).toMatchObject({ code: 'transfer_not_possible', possible_from: from });
  });
});

test('the balances agree at both services', async () => {
  await expectReconciled(seller.t);
  await expectReconciled(platform);
});

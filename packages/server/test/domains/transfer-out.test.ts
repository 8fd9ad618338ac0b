import { allTenants, sql } from '@namehold/postgres';
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { done, type OtherRegistrar, openOtherRegistrar } from '../../../../test/support/other-registrar.ts';
import { pollAfresh } from '../../../../test/support/poll.ts';
import { expectReconciled } from '../../../../test/support/reconciliation.ts';
import { makeReseller } from '../../../../test/support/resellers.ts';
import { startTestService, type TestService } from '../../../../test/support/service.ts';
import { reconcileNames } from '../../src/core/domains/compare/reconcile.ts';
import { processExpiryOnce } from '../../src/core/domains/end/expire.ts';
import { withdrawZones } from '../../src/core/zones/life/withdraw.ts';
import { lifeOf } from './life.ts';

/** Another registrar requests our domains: events at once, with and without an answer, and a tombstone at the end. */
let t: TestService;
let life: ReturnType<typeof lifeOf>;
let otherRegistrar: OtherRegistrar;
let stranger: string;
const context = { priority: 'interactive' } as const;
beforeAll(async () => {
  t = await startTestService({ sandbox: true, env: { NAMEHOLD_THEFT_PROTECTION: 'off' } });
  life = lifeOf(t);
  otherRegistrar = openOtherRegistrar(t.service.credentials!.rival_registry_account!);
  stranger = await makeReseller(t);
});
beforeEach(() => t.control('DELETE', '/faults'));
afterAll(async () => {
  await expectReconciled(t);
  await otherRegistrar.close();
  await t.stop();
});

const pollNow = () => pollAfresh(t.ctx, 'sandbox');
const read = async (name: string) => (await t.call('GET', `/v1/domains/${name}`)).body;
const payload = async (name: string, type: string) => {
  const rows = await t.ctx.db.as(allTenants).many<{ payload: Record<string, unknown> }>(sql`
    select payload from event where type = ${type} and payload ->> 'domain_name' = ${name} order by number`);
  return rows.map((row) => row.payload);
};

async function request(name: string): Promise<void> {
  const { body: authCode } = await t.call('GET', `/v1/domains/${name}/auth_code`);
  done(await otherRegistrar.registry.requestTransfer({ name, authCode, years: 1 }, context));
}

async function requestTransfer(name: string): Promise<void> {
  await life.buy(name);
  await request(name);
  await pollNow();
  // The service's background job may have taken the message and still be processing it.
  await vi.waitFor(async () => expect((await read(name)).order_status).toBe('Pending Transfer'), 300_000);
}

const answer = (name: string, verb: 'approve' | 'reject', more: Record<string, string> = {}, rest: object = {}) =>
  t.call('POST', `/v1/domains/${name}/transfer/${verb}`, { form: more, ...rest });
const timeline = async (name: string) => (await t.call('GET', `/v1/domains/${name}/timeline`)).body;

test('emits an event with the registrar and dates for a request, and shows the next action', async () => {
  await requestTransfer('requested.com');
  const [requested, ...more] = await payload('requested.com', 'domain.transfer_requested');
  expect(more).toEqual([]);
  expect(requested).toMatchObject({ registrar: 'rival' });
  const { transfer_away: away } = await read('requested.com');
  expect(away).toMatchObject({ registrar: 'rival', status: 'pending', action_at: requested!.action_at });
  const shown = await timeline('requested.com');
  expect(shown.milestones.find((each: { what: string }) => each.what === 'transferred_away')).toMatchObject({
    at: away.action_at,
    who: 'registry',
    sentence: expect.stringContaining('Other Registrar (sandbox)'),
  });
  expect(shown.must_act).toMatchObject({
    who: 'reseller',
    by: away.action_at,
    sentence: expect.stringContaining('Other Registrar (sandbox)'),
  });
  // A second comparison or a duplicate message causes no second event.
  await t.control('POST', '/faults', { kind: 'poll-doubled', rate: 1, seed: 1 });
  await pollNow();
  await reconcileNames(t.ctx, ['requested.com']);
  expect(await payload('requested.com', 'domain.transfer_requested')).toHaveLength(1);
});

test('keeps the domain when rejected with a policy reason, and notifies both registrars', async () => {
  await requestTransfer('stays.com');
  expect((await answer('stays.com', 'reject')).body.errors[0].field).toBe('reason');
  expect((await answer('stays.com', 'reject', { reason: 'because' })).body.errors[0].field).toBe('reason');
  expect((await answer('stays.com', 'reject', { reason: 'recent_transfer' })).body.message).toContain(
    'no longer has a lock after',
  );
  const called = await answer('stays.com', 'reject', { reason: 'young' });
  expect(called.status, called.text).toBe(200);
  expect(await read('stays.com')).toMatchObject({
    order_status: 'Live',
    transfer_away: { registrar: 'rival', status: 'clientRejected' },
  });
  expect(await payload('stays.com', 'domain.transfer_rejected')).toMatchObject([
    { registrar: 'rival', reason: 'young' },
  ]);
  expect(await payload('stays.com', 'domain.transfer_ended')).toEqual([
    expect.objectContaining({ status: 'clientRejected' }),
  ]);
  expect(done(await otherRegistrar.registry.queryTransfer('stays.com'))).toMatchObject({ status: 'clientRejected' });
  // Nothing is pending any more.
  for (const verb of ['approve', 'reject'] as const)
    expect((await answer('stays.com', verb, { reason: 'fraud' })).body).toMatchObject({ code: 'conflict' });
});

test.each(['com', 'org'])(
  'removes an approved .%s domain with a tombstone, and its zone after the grace time',
  async (tld) => {
    const name = `goes.${tld}`;
    await requestTransfer(name);
    const called = await answer(name, 'approve', {}, { headers: { 'Idempotency-Key': `go-${tld}` } });
    expect(called.status, called.text).toBe(200);
    expect((await answer(name, 'approve', {}, { headers: { 'Idempotency-Key': `go-${tld}` } })).status).toBe(200);
    expect(await read(name)).toMatchObject({
      order_status: 'Transferred Away',
      transfer_away: { registrar: 'rival', status: 'clientApproved' },
    });
    expect(await payload(name, 'domain.transferred_away')).toMatchObject([{ sponsor: 'rival' }]);
    expect(await payload(name, 'domain.transfer_approved')).toHaveLength(1);
    await pollNow();
    expect(await payload(name, 'domain.transferred_away')).toHaveLength(1);
    const zones = await t.ctx.db.as(allTenants).many<{ state: string }>(sql`
    select z.state from zone z where z.name = ${`${name}.`}`);
    t.moveClock('+8d');
    await withdrawZones(t.ctx);
    for (const { state } of zones) expect(state).toBe('active');
    const after = await t.ctx.db.as(allTenants).many<{ state: string }>(sql`
    select z.state from zone z where z.name = ${`${name}.`}`);
    for (const { state } of after) expect(state).toBe('withdrawn');
  },
);

test('finds a transfer that the registry approved without a response, although messages are lost', async () => {
  await requestTransfer('silent.com');
  const { transfer_away: away } = await read('silent.com');
  await t.control('POST', '/faults', { kind: 'poll-lost', rate: 1, seed: 1 });
  t.moveClock('+6d');
  await processExpiryOnce(t.ctx);
  await vi.waitFor(async () => expect((await read('silent.com')).order_status).toBe('Transferred Away'), 300_000);
  expect((await read('silent.com')).transfer_away).toMatchObject({ registrar: 'rival', status: 'serverApproved' });
  expect(new Date(away.action_at).getTime()).toBeLessThanOrEqual(t.ctx.clock.now().getTime());
});

test('reports a request whose message is lost, and ends it when the other registrar cancels', async () => {
  await life.buy('unheard-of.com');
  await t.control('POST', '/faults', { kind: 'poll-lost', rate: 1, seed: 1 });
  await request('unheard-of.com');
  await reconcileNames(t.ctx, ['unheard-of.com']);
  expect(await payload('unheard-of.com', 'domain.transfer_requested')).toMatchObject([{ registrar: 'rival' }]);
  done(await otherRegistrar.registry.cancelTransfer('unheard-of.com', context));
  t.moveClock('+2h');
  await processExpiryOnce(t.ctx);
  // The service's own background job may have been faster and still be running.
  await vi.waitFor(
    async () =>
      expect(await payload('unheard-of.com', 'domain.transfer_ended')).toEqual([
        expect.objectContaining({ status: 'clientCancelled' }),
      ]),
    300_000,
  );
});

test("refuses another account's domain, one without a request, and one that is gone", async () => {
  await requestTransfer('not-yours.com');
  await life.buy('quiet.com');
  for (const verb of ['approve', 'reject'] as const) {
    const form = { reason: 'fraud' };
    expect((await answer('not-yours.com', verb, form, { as: stranger })).status).toBe(404);
    const unrequested = await answer('quiet.com', verb, form);
    expect(unrequested.body.code).toBe('conflict');
    expect(unrequested.body.message).toContain('no other registrar requests it');
  }
  expect((await read('not-yours.com')).order_status).toBe('Pending Transfer');
});

describe('a lost answer of the registry', () => {
  test.each([
    ['approve', 'drop-after-commit', 'Transferred Away'],
    ['approve', 'drop-before', 'Transferred Away'],
    ['reject', 'drop-after-commit', 'Live'],
  ] as const)('leads to a query and to one answer for the transfer: %s, %s', async (verb, kind, status) => {
    const name = `lost-${verb}-${kind}.com`;
    await requestTransfer(name);
    await t.control('POST', '/faults', {
      kind,
      rate: 1,
      seed: 1,
      commands: ['domain:transfer'],
      how: 'close',
      limit: 1,
    });
    const called = await answer(name, verb, verb === 'reject' ? { reason: 'fraud' } : {});
    await vi.waitFor(
      async () => expect((await t.call('GET', `/v1/operations/${called.body.operation_id}`)).body.state).toBe('done'),
      60_000,
    );
    expect((await read(name)).order_status).toBe(status);
    expect(
      await payload(name, verb === 'approve' ? 'domain.transferred_away' : 'domain.transfer_rejected'),
    ).toHaveLength(1);
  });

  test("does not show a rejected transfer as requested when the registry's view is stale", async () => {
    await requestTransfer('lagging-kept.com');
    await t.control('POST', '/faults', { kind: 'lagging-info', name: 'lagging-kept.com', ms: 2_500 });
    const called = await answer('lagging-kept.com', 'reject', { reason: 'fraud' });
    await vi.waitFor(
      async () => expect((await t.call('GET', `/v1/operations/${called.body.operation_id}`)).body.state).toBe('done'),
      300_000,
    );
    expect((await read('lagging-kept.com')).order_status).toBe('Live');
    expect(await payload('lagging-kept.com', 'domain.transfer_rejected')).toHaveLength(1);
  });

  test('refuses a late approval when the other registrar has cancelled', async () => {
    await requestTransfer('too-late.com');
    done(await otherRegistrar.registry.cancelTransfer('too-late.com', context));
    const called = await answer('too-late.com', 'approve');
    expect([called.status, called.body.code]).toEqual([409, 'conflict']);
    await pollNow();
    await vi.waitFor(async () => expect((await read('too-late.com')).order_status).toBe('Live'), 300_000);
  });
});

describe('transfer locks with dates', () => {
  test('lock a new domain for 60 days, and the timeline shows until when', async () => {
    await life.buy('young.com');
    const { registry_created_at: at } = await life.row('young.com');
    const shown = await timeline('young.com');
    const ends = shown.milestones.find((each: { what: string }) => each.what === 'transfer_lock_ends');
    expect(new Date(ends.at).getTime() - at.getTime()).toBeLessThanOrEqual(60 * 86_400_000);
    expect(new Date(ends.at).getTime() - at.getTime()).toBeGreaterThan(60 * 86_400_000 - 1_000);
    const block = shown.blocks.find((each: { action: string }) => each.action === 'transfer');
    expect(block).toMatchObject({ allowed: false, reasons: [{ because: 'lock after its registration' }] });
    expect(shown.blocks.find((each: { action: string }) => each.action === 'move').allowed).toBe(true);
  });

  test('last 720 hours from the effective date of the new policy on', async () => {
    const db = t.ctx.db;
    const day = new Date(t.ctx.clock.now().getTime() + 3_600_000);
    await db.transaction(allTenants, (tx) =>
      tx.run(sql`update transfer_lock set valid_from = ${day} where valid_from = '2028-01-01'`),
    );
    await life.buy('before-it.com');
    t.moveClock('+2h');
    await life.buy('after-it.com');
    const days = async (name: string) => {
      const { registry_created_at: at } = await life.row(name);
      const shown = (await timeline(name)).milestones.find(
        (each: { what: string }) => each.what === 'transfer_lock_ends',
      );
      return Math.round((new Date(shown.at).getTime() - at.getTime()) / 86_400_000);
    };
    expect([await days('before-it.com'), await days('after-it.com')]).toEqual([60, 30]);
    await db.transaction(allTenants, (tx) =>
      tx.run(sql`update transfer_lock set valid_from = '2028-01-01' where valid_from = ${day}`),
    );
  });

  test('follow a change of registrant, for transfers and moves, but not a change of telephone number', async () => {
    const customer = await t.call('GET', '/v1/customers/2001/contacts/3001');
    const { name, company, email, address_line_1, city, state, country_code, zipcode, tel_cc_no } = customer.body;
    const form = {
      name,
      company,
      email,
      address_line_1,
      city,
      state,
      country_code,
      zipcode,
      tel_cc_no,
      tel_no: '2155512399',
    };
    await life.buy('changes-hands.com');
    const locks = async () =>
      (await timeline('changes-hands.com')).milestones
        .map((each: { what: string }) => each.what)
        .filter((what: string) => what.endsWith('lock_ends'));
    expect((await t.call('PUT', '/v1/customers/2001/contacts/3001', { form })).status).toBe(200);
    expect(await locks()).toEqual(['transfer_lock_ends']);
    const other = { ...form, email: 'somebody@else.example' };
    expect((await t.call('PUT', '/v1/customers/2001/contacts/3001', { form: other })).status).toBe(200);
    expect(await locks()).toEqual(['transfer_lock_ends', 'move_lock_ends', 'transfer_lock_ends']);
    const moved = await t.call('POST', '/v1/domains/changes-hands.com/move', {
      form: {
        existing_customer_id: '2001',
        new_reseller_id: stranger.split(':')[0]!,
        new_customer_id: '1',
        default_contacts: 'oldcontact',
      },
    });
    expect(moved.body).toMatchObject({ code: 'domain_blocked' });
    expect(moved.body.message).toContain('the change of its registrant');
  });
});

test('refunds a paid auto-renewal when the domain leaves within its grace period', async () => {
  await life.buy('renewed-by-itself.com');
  t.moveClock('+366d');
  await processExpiryOnce(t.ctx);
  const before = await life.balance();
  const renewed = await life.renew('renewed-by-itself.com');
  expect(renewed.status, renewed.text).toBe(200);
  await request('renewed-by-itself.com');
  await pollNow();
  await vi.waitFor(
    async () => expect((await read('renewed-by-itself.com')).order_status).toBe('Pending Transfer'),
    300_000,
  );
  expect((await answer('renewed-by-itself.com', 'approve')).status).toBe(200);
  expect(await life.balance()).toEqual(before);
  await expectReconciled(t);
});

test('refunds privacy bought with such a year, but not privacy bought separately', async () => {
  const name = 'private-and-leaving.com';
  await life.buy(name);
  const bought = await t.call('POST', `/v1/domains/${name}/privacy_protection/buy`, { form: { years: '1' } });
  expect(bought.status, bought.text).toBe(200);
  t.moveClock('+366d');
  await processExpiryOnce(t.ctx);
  const before = await life.balance();
  const renewed = await life.renew(name, { purchase_privacy_protection: 'true' });
  expect(renewed.status, renewed.text).toBe(200);
  expect(await life.balance()).not.toEqual(before);
  await request(name);
  await pollNow();
  await vi.waitFor(async () => expect((await read(name)).order_status).toBe('Pending Transfer'), 300_000);
  expect((await answer(name, 'approve')).status).toBe(200);
  // The renewal with its privacy, and not the privacy of the year before.
  expect(await life.balance()).toEqual(before);
  const rows = await t.ctx.db.as(allTenants).many<{ type: string; refunded: string; captured: string }>(sql`
    select t.type, t.refunded, t.captured from ledger_transaction t join domain d on d.id = t.domain_id
    where d.name = ${name} and t.id = t.purchase_id and t.type <> 'registry' order by t.id`);
  expect(rows.map(({ type, refunded, captured }) => [type, refunded === captured])).toEqual([
    ['domain', false],
    ['privacy_protect', false],
    ['domain', true],
  ]);
  await expectReconciled(t);
});

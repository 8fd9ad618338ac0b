import { allTenants, sql } from '@namehold/postgres';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { done, type OtherRegistrar, openOtherRegistrar } from '../../../../test/support/other-registrar.ts';
import { startTestService, type TestService } from '../../../../test/support/service.ts';
import type { Registry } from '../../src/core/ports/registry.ts';

/** The five transfer commands (RFC 5731 3.1.3, 3.2.4) through the port, between two accounts of the sandbox. */
let t: TestService;
let otherRegistrar: OtherRegistrar;
let ours: Registry;
const code = 'a-long-auth-code-4711';
const context = { step: 'transfer', priority: 'money' } as const;

beforeAll(async () => {
  t = await startTestService({ sandbox: true });
  otherRegistrar = openOtherRegistrar(t.service.credentials!.rival_registry_account!);
  ours = await t.ctx.registries.of('sandbox');
});
afterAll(async () => {
  await otherRegistrar.close();
  await t.stop();
});

const request = (name: string, more: { authCode?: string; fee?: { amount: string; currency: string } } = {}) =>
  ours.requestTransfer({ name, authCode: code, years: 1, ...more }, context);

const journalled = async (name: string) => {
  const rows = await t.ctx.db
    .as(allTenants)
    .many<{ verb: string; state: string; result_code: number | null; frame_sealed: string }>(
      sql`select verb, state, result_code, frame_sealed from registry_command where name = ${name} order by prepared_at`,
    );
  expect(rows.every((row) => !row.frame_sealed.includes(code))).toBe(true);
  return rows.map((row) => `${row.verb} ${row.state} ${row.result_code}`);
};

test("requests a transfer, which is pending with the registry's dates, and queries it unjournalled", async () => {
  await otherRegistrar.hold('port-ask.com', code);
  const requested = await request('port-ask.com');
  expect(requested).toMatchObject({ kind: 'done', pending: true });
  const transfer = done(requested)!;
  const now = t.ctx.clock.now().getTime();
  expect(transfer).toMatchObject({ name: 'port-ask.com', status: 'pending', gaining: 'namehold', losing: 'rival' });
  expect(transfer.isToUs).toBe(true);
  expect(Math.abs(transfer.requestedAt!.getTime() - now)).toBeLessThan(60_000);
  expect(Math.round((transfer.actionAt!.getTime() - transfer.requestedAt!.getTime()) / 86_400_000)).toBe(5);
  expect(done(await ours.queryTransfer('port-ask.com'))).toEqual(transfer);
  expect(done(await otherRegistrar.registry.queryTransfer('port-ask.com'))).toEqual({ ...transfer, isToUs: false });
  expect(await journalled('port-ask.com')).toEqual(['transfer answered 1001']);
});

test('shows the domain as ours, a year longer, after the losing registrar approved the transfer', async () => {
  const before = done(await ours.info('port-ask.com'))!;
  expect(before).toMatchObject({ isOurs: false, sponsor: 'rival', transferredAt: null });
  expect(done(await otherRegistrar.registry.approveTransfer('port-ask.com', context))).toMatchObject({
    status: 'clientApproved',
  });
  const after = done(await ours.info('port-ask.com'))!;
  expect(after).toMatchObject({ isOurs: true, rgpStatuses: ['transferPeriod'] });
  expect(after.expiresAt!.getUTCFullYear()).toBe(before.expiresAt!.getUTCFullYear() + 1);
  expect(done(await ours.queryTransfer('port-ask.com'))!.actionAt).toEqual(after.transferredAt);
});

test('notifies both sides of a cancelled or rejected transfer, and refuses a second call', async () => {
  await otherRegistrar.hold('port-end.com', code);
  done(await request('port-end.com'));
  expect(await ours.approveTransfer('port-end.com', context)).toMatchObject({
    kind: 'refused',
    evidence: { code: 2201 },
  });
  expect(done(await ours.cancelTransfer('port-end.com', context))).toMatchObject({ status: 'clientCancelled' });
  expect(await ours.cancelTransfer('port-end.com', context)).toMatchObject({
    kind: 'refused',
    evidence: { code: 2301 },
  });
  done(await request('port-end.com'));
  expect(done(await otherRegistrar.registry.rejectTransfer('port-end.com', context))).toMatchObject({
    status: 'clientRejected',
  });
  expect(done(await ours.queryTransfer('port-end.com'))).toMatchObject({ status: 'clientRejected', isToUs: true });
  expect(await journalled('port-end.com')).toEqual([
    'transfer answered 1001',
    'transfer answered 2201',
    'transfer answered 1000',
    'transfer answered 2301',
    'transfer answered 1001',
  ]);
});

test('refuses a wrong auth code, our own domain, a locked domain and a missing transfer', async () => {
  await otherRegistrar.hold('port-no.org', code);
  expect(await request('port-no.org', { authCode: 'not-the-right-code-1' })).toMatchObject({
    evidence: { code: 2202 },
  });
  expect(await request('port-ask.com')).toMatchObject({ kind: 'refused', evidence: { code: 2106 } });
  expect(done(await otherRegistrar.registry.queryTransfer('port-no.org'))).toBeNull();
  done(await otherRegistrar.registry.update('port-no.org', { addStatuses: ['clientTransferProhibited'] }, context));
  expect(await request('port-no.org')).toMatchObject({ kind: 'refused', evidence: { code: 2304 } });
  expect(await ours.infoWithCode('port-no.org', 'not-the-right-code-1')).toMatchObject({ evidence: { code: 2202 } });
  expect(done(await ours.infoWithCode('port-no.org', code))).toMatchObject({ registrant: 'RIVALHOLDER' });
  expect(done(await ours.infoWithCode('nobody-has-this.com', code))).toBeNull();
});

test('requests the transfer of a premium domain with its fee', async () => {
  const [found] = done(await ours.check(['gem-port.shop'], { currency: 'USD', years: 1 }));
  expect(found).toMatchObject({ transferFee: { amount: '40.00', currency: 'USD' } });
  const made = await otherRegistrar.registry.create(
    {
      name: 'gem-port.shop',
      years: 1,
      registrant: 'RIVALHOLDER',
      contacts: { admin: 'RIVALHOLDER', tech: 'RIVALHOLDER' },
      nameservers: [],
      extra: {},
      fee: { amount: '120.00', currency: 'USD' },
    },
    context,
  );
  done(made);
  done(await otherRegistrar.registry.update('gem-port.shop', { authCode: code }, context));
  expect(await request('gem-port.shop')).toMatchObject({ kind: 'refused', evidence: { code: 2003 } });
  expect(await request('gem-port.shop', { fee: found!.transferFee! })).toMatchObject({ kind: 'done', pending: true });
});

test('returns an unknown outcome when the answer is lost', async () => {
  await otherRegistrar.hold('port-lost.com', code);
  await t.control('POST', '/faults', {
    kind: 'drop-after-commit',
    how: 'close',
    commands: ['domain:transfer'],
    limit: 1,
  });
  expect(await request('port-lost.com')).toMatchObject({ kind: 'unknown' });
  expect(done(await ours.queryTransfer('port-lost.com'))).toMatchObject({ status: 'pending', isToUs: true });
  expect(await journalled('port-lost.com')).toEqual(['transfer unknown null']);
});

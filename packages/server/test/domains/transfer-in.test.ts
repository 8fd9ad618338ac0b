import { allTenants, sql } from '@namehold/postgres';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { done, type OtherRegistrar, openOtherRegistrar } from '../../../../test/support/other-registrar.ts';
import { makeContact, makeCustomer } from '../../../../test/support/parties.ts';
import { pollAfresh } from '../../../../test/support/poll.ts';
import { expectReconciled } from '../../../../test/support/reconciliation.ts';
import { makeReseller } from '../../../../test/support/resellers.ts';
import { startTestService, type TestService } from '../../../../test/support/service.ts';
import { reconcileDomain } from '../../src/core/domains/compare/reconcile.ts';
import { transferEnds } from '../../src/core/domains/transfer-in/end.ts';
import { readDomain } from '../../src/core/tables/domain.sql.ts';
import { lifeOf, orderOf } from './life.ts';

/** Transfers from another registrar, with the sandbox registry and its two accounts. */
let t: TestService;
let life: ReturnType<typeof lifeOf>;
let otherRegistrar: OtherRegistrar;
const code = 'a-long-auth-code-4711';
const context = { priority: 'money' } as const;
const waitLong = { Prefer: 'wait=60' };

const names = [
  ...['thick', 'rejected', 'miscoded', 'late-code', 'withdrawn', 'too-late', 'lost', 'unheard', 'held', 'graced'],
  ...[
    'locked',
    'redeemed',
    'busy',
    'ours',
    'pollless',
    'doubled',
    'arrives-late',
    'dropped',
    'undecided',
    'unset',
    'with-hosts',
    'jump-code',
    'jump-pending',
    'contested',
    'outrun',
  ],
].map((label) => `in-${label}.${['thick', 'unset'].includes(label) ? 'org' : 'com'}`);

beforeAll(async () => {
  t = await startTestService({ sandbox: true });
  life = lifeOf(t);
  otherRegistrar = openOtherRegistrar(t.service.credentials!.rival_registry_account!);
  for (const name of [...names, 'in-thin.cc', 'in-bare.app']) await otherRegistrar.hold(name, code);
  for (const name of ['in-approve.web.id', 'in-refuse.web.id', 'in-yearless.id']) {
    await otherRegistrar.hold(name, code);
    await t.control('POST', `/domains/${name}/review`, { decision: 'approve' });
    done(await otherRegistrar.registry.update(name, { authCode: code }, context));
  }
  t.moveClock('+61d');
  await otherRegistrar.hold('in-young.com', code);
});
afterAll(async () => {
  await otherRegistrar.close();
  await expectReconciled(t);
  await life.end();
});

async function order(name: string, more: Record<string, string> = {}) {
  return t.call('POST', '/v1/domains/transfer', {
    form: { ...orderOf(name), auth_code: code, ...more },
    headers: waitLong,
  });
}

async function ordered(name: string, more: Record<string, string> = {}): Promise<{ id: string; operation: string }> {
  const { status, body, text } = await order(name, more);
  expect(status, text).toBe(202);
  expect(body).toMatchObject({
    status: expect.stringMatching(/^(Pending|Auth Code Required)$/),
    operation_state: 'waiting_registry',
    domain_name: name,
  });
  return { id: body.domain_id, operation: body.operation_id };
}

const operationOf = async (id: string) => (await t.call('GET', `/v1/operations/${id}`)).body;
const read = async (id: string) => (await t.call('GET', `/v1/domains/${id}`)).body;
const there = async (name: string) => (await t.control('GET', `/domains/${name}`)).body;
const until = (check: () => Promise<void>) => vi.waitFor(check, { timeout: 300_000, interval: 100 });
const settledAs = (operation: string, state: string) =>
  until(async () => expect((await operationOf(operation)).state).toBe(state));
/** As if the time until the next query had passed. */
const timePasses = (operation: string) =>
  t.ctx.db.transaction(allTenants, (tx) => tx.run(sql`update operation set due_at = now() where id = ${operation}`));
const commands = async (operation: string) => {
  const rows = await t.ctx.db
    .as(allTenants)
    .many<{ step: string; result_code: number | null; found: string | null }>(
      sql`select step, result_code, found from registry_command where operation_id = ${operation} and step like 'transfer%' order by prepared_at`,
    );
  return rows.map((row) => `${row.step} ${row.result_code} ${row.found}`);
};

test("completes a transfer at a thick registry with the registry's dates and our contacts", async () => {
  const before = await life.balance();
  const dry = await order('in-thick.org', { dry_run: '1' });
  expect(dry.body, dry.text).toMatchObject({ kind: 'transfer', total: { amount: '12.89', currency: 'USD' } });
  const { id, operation } = await ordered('in-thick.org');
  expect((await life.balance()).held - before.held).toBe(1289n);
  const registry = await there('in-thick.org');
  const shown = await read(id);
  expect(shown).toMatchObject({ order_status: 'Pending Transfer', end_date: null, state: 'pending' });
  expect(shown.transfer).toMatchObject({ status: 'pending', from_registrar: 'rival' });
  expect(new Date(shown.transfer.action_at).getTime()).toBe(
    Math.floor(new Date(registry.transfer.actedAt).getTime() / 1000) * 1000,
  );
  const pending = await t.call('GET', '/v1/domains', { query: { status: 'Pending Transfer' } });
  expect(pending.body.map((each: { domain_id: string }) => each.domain_id)).toEqual([id]);
  expect((await t.call('GET', '/v1/domains', { query: { status: 'Pending' } })).body).toEqual([]);
  const timeline = await t.call('GET', `/v1/domains/${id}/timeline`);
  expect(timeline.body.milestones).toMatchObject([{ what: 'transfer_decided', who: 'registry' }]);
  expect(timeline.body.must_act.who).toBe('registry');
  const twice = await order('in-thick.org');
  expect(twice.body).toMatchObject({ code: 'operation_in_progress', domain_id: id });
  const resend = (more: object = {}) =>
    t.call('POST', `/v1/domains/${id}/transfer/resend_approval_email`, { form: {}, ...more });
  expect((await resend({ as: t.operator })).status).toBe(404);
  expect((await resend({ form: { customer_id: '2999' } })).status).toBe(404);
  for (let count = 0; count < 4; count++) expect((await resend()).body).toEqual({ domain_id: id, sent: true });
  expect((await resend()).body.message).toContain('5 such mails a day');
  const notices = await t.call('GET', '/v1/notices', { query: { domain_id: id, kind: 'transfer_started' } });
  expect(notices.body).toHaveLength(5);
  done(await otherRegistrar.registry.approveTransfer('in-thick.org', context));
  await pollAfresh(t.ctx, 'sandbox');
  await settledAs(operation, 'done');
  const after = await read(id);
  expect((await resend()).body).toMatchObject({ code: 'conflict' });
  expect(after).toMatchObject({
    order_status: 'Live',
    transfer: { status: 'clientApproved' },
    theft_protection: 'true',
  });
  const now = await there('in-thick.org');
  expect(after.end_date.slice(0, 10)).toBe(now.expiresAt.slice(0, 10));
  expect(now).toMatchObject({ sponsor: 'namehold', hosts: ['ns1.namehold-dns.net', 'ns2.namehold-dns.net'] });
  expect(now.registrant).toMatch(/^nh/);
  expect(now.contacts.every(({ id: handle }: { id: string }) => handle === now.registrant)).toBe(true);
  expect(after.nameservers).toEqual(['ns1.namehold-dns.net', 'ns2.namehold-dns.net']);
  expect(await life.statement('in-thick.org')).toEqual(['charge transfer 10.74']);
  const paid = await life.balance();
  expect([before.available - paid.available, paid.held]).toEqual([1289n, 0n]);
  expect(await life.events('in-thick.org')).toEqual(['domain.transfer_in_pending', 'domain.transferred_in']);
  const { secrets_sealed } = await t.ctx.db
    .as(allTenants)
    .one<{ secrets_sealed: string | null }>(sql`select secrets_sealed from operation where id = ${operation}`);
  expect(secrets_sealed).toBeNull();
});

test('completes without a response at a thin registry although messages are lost', async () => {
  const thin = await ordered('in-thin.cc', { ns: 'ns1.elsewhere.example,ns2.elsewhere.example' });
  const bare = await ordered('in-bare.app', {
    admin_contact_id: '-1',
    tech_contact_id: '-1',
    billing_contact_id: '-1',
  });
  await t.control('POST', '/faults', { kind: 'poll-lost', commands: ['poll'], rate: 1 });
  t.moveClock('+6d');
  await t.control('GET', '/clock');
  for (const { operation } of [thin, bare]) {
    await timePasses(operation);
    await settledAs(operation, 'done');
  }
  await t.control('DELETE', '/faults');
  expect((await there('in-thin.cc')).hosts).toEqual(['ns1.elsewhere.example', 'ns2.elsewhere.example']);
  expect(await read(thin.id)).toMatchObject({
    order_status: 'Live',
    transfer: { status: 'serverApproved' },
    nameservers: ['ns1.elsewhere.example', 'ns2.elsewhere.example'],
  });
  expect(await read(bare.id)).toMatchObject({ order_status: 'Live', registrant_contact_id: '3001' });
});

test('refunds a transfer refused by the current registrar, and accepts a second order with review', async () => {
  const before = await life.balance();
  const ns = { ns: 'ns1.namehold-dns.net,ns2.namehold-dns.net' };
  const refused = await ordered('in-refuse.web.id', ns);
  done(await otherRegistrar.registry.rejectTransfer('in-refuse.web.id', context));
  await pollAfresh(t.ctx, 'sandbox');
  await settledAs(refused.operation, 'refused');
  expect(await life.balance()).toEqual(before);
  expect(await read(refused.id)).toMatchObject({ order_status: 'Cancelled', transfer: { status: 'clientRejected' } });
  expect(await life.events('in-refuse.web.id')).toEqual(['domain.transfer_in_pending', 'domain.transfer_in_refused']);
  // The old refusal is not taken for that of this transfer.
  const again = await ordered('in-refuse.web.id', ns);
  expect(again.id).not.toBe(refused.id);
  await timePasses(again.operation);
  const approved = await ordered('in-approve.web.id');
  done(await otherRegistrar.registry.approveTransfer('in-refuse.web.id', context));
  done(await otherRegistrar.registry.approveTransfer('in-approve.web.id', context));
  await pollAfresh(t.ctx, 'sandbox');
  for (const { operation } of [again, approved]) await settledAs(operation, 'done');
  expect(before.available - (await life.balance()).available).toBe(2n * 429n);
});

test('reports a wrong auth code, and continues the same order and hold with a new one', async () => {
  const before = await life.balance();
  const { id, operation } = await ordered('in-miscoded.com', { auth_code: 'not-the-right-code-1' });
  const waits = await operationOf(operation);
  expect(waits).toMatchObject({ result_code: 2202, attention: { choices: ['new_auth_code', 'cancel'] } });
  expect(await read(id)).toMatchObject({ transfer: { status: 'code_refused' }, order_status: 'Pending Transfer' });
  expect((await t.call('GET', `/v1/domains/${id}/timeline`)).body.must_act.who).toBe('reseller');
  await timePasses(operation);
  await until(async () => expect((await operationOf(operation)).attempts).toBeGreaterThan(waits.attempts));
  expect(await commands(operation)).toEqual(['transfer 2202 null']);
  const send = (auth_code: string) =>
    t.call('PUT', `/v1/domains/${id}/transfer/auth_code`, { json: { auth_code }, headers: waitLong });
  // A truncated code is wrong like any other.
  for (const wrong of ['neither-is-this-one-2', 'cut']) expect((await send(wrong)).status).toBe(202);
  expect(await commands(operation)).toEqual(Array(3).fill('transfer 2202 null'));
  expect((await send('')).body.errors[0].field).toBe('auth_code');
  const right = await send(code);
  expect(right.body, right.text).toMatchObject({ domain_id: id, operation_id: operation, status: 'Pending' });
  expect(await read(id)).toMatchObject({ transfer: { status: 'pending' } });
  expect((await send(code)).body.code).toBe('conflict');
  expect((await life.balance()).held).toBe(1239n);
  done(await otherRegistrar.registry.approveTransfer('in-miscoded.com', context));
  await pollAfresh(t.ctx, 'sandbox');
  await settledAs(operation, 'done');
  expect(before.available - (await life.balance()).available).toBe(1239n);
  expect(await life.events('in-miscoded.com')).toEqual([
    ...Array(3).fill('domain.transfer_code_refused'),
    'domain.transfer_in_pending',
    'domain.transferred_in',
  ]);
});

/** An order of a customer with its own contact; with `as`, of another reseller. */
async function orderOfAnother(name: string, more: Record<string, string>, as?: string) {
  const customer = await makeCustomer(t, as);
  const contact = await makeContact(t, customer, as);
  const roles = ['registrant', 'admin', 'tech', 'billing'].map((role) => [`${role}_contact_id`, contact]);
  const form = { ...orderOf(name), ...Object.fromEntries(roles), customer_id: customer, auth_code: code, ...more };
  return t.call('POST', '/v1/domains/transfer', { form, headers: waitLong, ...(as ? { as } : {}) });
}

async function fundedReseller(): Promise<string> {
  const as = await makeReseller(t);
  const form = { amount: '100', description: 'start' };
  const funded = await t.call('POST', `/v1/resellers/${as.split(':')[0]}/transactions/fund`, { as: t.operator, form });
  expect(funded.status, funded.text).toBe(200);
  return as;
}

const wrong = { auth_code: 'not-the-right-code-1' };
const waitsForCode = { status: 'Auth Code Required', operation_state: 'waiting_registry' };

test('does not block others while orders wait for another auth code, and ends those when one succeeds', async () => {
  const name = 'in-contested.com';
  const stranger = await fundedReseller();
  const before = await life.balance();
  const theirs = await orderOfAnother(name, wrong, stranger);
  const customers = await orderOfAnother(name, wrong);
  for (const each of [theirs, customers]) expect(each.body, each.text).toMatchObject(waitsForCode);
  // Learns nothing of the other two, neither by the check nor by the order.
  const checked = await t.call('GET', '/v1/domains/transfer/validity', { query: { domain_name: name } });
  expect([checked.status, checked.text], checked.text).toEqual([
    200,
    expect.not.stringContaining(theirs.body.domain_id),
  ]);
  const { id, operation } = await ordered(name);
  expect(await read(id)).toMatchObject({ transfer: { status: 'pending' } });
  const send = (domain: string, as?: string) =>
    t.call('PUT', `/v1/domains/${domain}/auth_code`, {
      form: { auth_code: code },
      headers: waitLong,
      ...(as ? { as } : {}),
    });
  for (const late of [await send(theirs.body.domain_id, stranger), await send(customers.body.domain_id)])
    expect([late.status, late.body.code], late.text).toEqual([400, 'domain_not_available']);
  done(await otherRegistrar.registry.approveTransfer(name, context));
  await pollAfresh(t.ctx, 'sandbox');
  await settledAs(operation, 'done');
  expect(await read(name)).toMatchObject({ domain_id: id, order_status: 'Live' });
  for (const each of [theirs, customers]) await timePasses(each.body.operation_id);
  await settledAs(customers.body.operation_id, 'refused');
  await until(async () => {
    const { body } = await t.call('GET', `/v1/operations/${theirs.body.operation_id}`, { as: stranger });
    expect(body.state).toBe('refused');
  });
  const { body: funds } = await t.call('GET', '/v1/account/balance', { as: stranger });
  expect(funds).toBe(100);
  expect((await life.events(name)).sort()).toEqual([
    ...Array(2).fill('domain.transfer_code_refused'),
    'domain.transfer_in_pending',
    ...Array(2).fill('domain.transfer_in_refused'),
    'domain.transferred_in',
  ]);
  expect((await t.call('GET', '/v1/events?limit=1000')).text).toContain('the domain is with this registrar already');
  // The mail gives the reason in its own language.
  const query = { domain_id: customers.body.domain_id, kind: 'transfer_refused' };
  const [notice] = (await t.call('GET', '/v1/notices', { query })).body;
  const mail = await t.call('GET', `/v1/notices/${notice.notice_id}`);
  expect(mail.body.language).toBe('id');
  expect(mail.body.text).toContain(transferEnds.alreadyHere.registrant.id);
  expect(mail.body.text).not.toContain(transferEnds.alreadyHere.text);
  expect(before.available - (await life.balance()).available).toBe(1239n);
});

test('gives the domain to the first of two waiting orders that gets the right code', async () => {
  const name = 'in-outrun.com';
  const first = await ordered(name, wrong);
  // A lost request of this order must not explain the other's result later.
  const lost = { kind: 'drop-before', how: 'close', commands: ['domain:transfer:request'], name, limit: 1 };
  await t.control('POST', '/faults', lost);
  const second = await orderOfAnother(name, wrong);
  await t.control('DELETE', '/faults');
  expect(await commands(second.body.operation_id)).toEqual(['transfer null never', 'transfer 2202 null']);
  expect(second.body, second.text).toMatchObject(waitsForCode);
  for (const path of ['auth_code', 'transfer/auth_code']) {
    const { status, body } = await t.call('PUT', `/v1/domains/${name}/${path}`, { json: { auth_code: code } });
    expect([path, status, body.code, body.domain_ids]).toEqual([
      path,
      409,
      'conflict',
      [first.id, second.body.domain_id],
    ]);
    expect(body.message).toContain('customer_id');
  }
  const sent = await order(name);
  expect(sent.body, sent.text).toMatchObject({ domain_id: first.id, operation_id: first.operation, status: 'Pending' });
  done(await otherRegistrar.registry.approveTransfer(name, context));
  await pollAfresh(t.ctx, 'sandbox');
  await settledAs(first.operation, 'done');
  // The domain name finds the order that got it, although the other one is newer.
  expect(await read(name)).toMatchObject({ domain_id: first.id, order_status: 'Live' });
  const cancel = await t.call('POST', `/v1/domains/${second.body.domain_id}/transfer/cancel`, { headers: waitLong });
  expect(cancel.body, cancel.text).toMatchObject({ cancelled: true });
  expect(await read(first.id)).toMatchObject({ order_status: 'Live' });
});

test('ends an order without another code in time, and releases the money', async () => {
  const before = await life.balance();
  const { id, operation } = await ordered('in-late-code.com', { auth_code: 'not-the-right-code-1' });
  t.moveClock('+15d');
  await timePasses(operation);
  await settledAs(operation, 'refused');
  expect(await life.balance()).toEqual(before);
  expect(await read(id)).toMatchObject({ order_status: 'Cancelled', removed_reason: 'refused' });
});

test('cancels while waiting for a code or pending, once, and refuses when it is too late', async () => {
  const before = await life.balance();
  const cancel = (id: string) => t.call('POST', `/v1/domains/${id}/transfer/cancel`, { headers: waitLong });
  const uncoded = await ordered('in-withdrawn.com', { auth_code: 'not-the-right-code-1' });
  expect((await cancel(uncoded.id)).body).toEqual({ domain_id: uncoded.id, cancelled: true });
  const pending = await ordered('in-withdrawn.com');
  expect((await cancel(pending.id)).body).toEqual({ domain_id: pending.id, cancelled: true });
  expect((await cancel(pending.id)).body).toEqual({ domain_id: pending.id, cancelled: true });
  expect((await there('in-withdrawn.com')).transfer).toMatchObject({ state: 'clientCancelled' });
  for (const { id } of [uncoded, pending])
    expect((await read(id)).transfer).toMatchObject({ status: expect.stringMatching(/cancelled$/i) });
  expect(await operationOf(pending.operation)).toMatchObject({ state: 'cancelled' });
  expect(await life.balance()).toEqual(before);
  const late = await ordered('in-too-late.com');
  done(await otherRegistrar.registry.approveTransfer('in-too-late.com', context));
  const answer = await cancel(late.id);
  expect([answer.status, answer.body.code]).toEqual([409, 'conflict']);
  expect(await read(late.id)).toMatchObject({ order_status: 'Live' });
  expect((await cancel(late.id)).body.code).toBe('conflict');
  expect(before.available - (await life.balance()).available).toBe(1239n);
});

test('queries the registry after a lost answer to the request or the cancel', async () => {
  const drop = (kind: string, name: string, op: string) =>
    t.control('POST', '/faults', { kind, how: 'close', commands: [`domain:transfer:${op}`], name, limit: 1 });
  await drop('drop-after-commit', 'in-lost.com', 'request');
  const lost = await ordered('in-lost.com');
  await t.control('DELETE', '/faults');
  await drop('drop-before', 'in-unheard.com', 'request');
  const unanswered = await ordered('in-unheard.com');
  await t.control('DELETE', '/faults');
  for (const { operation } of [lost, unanswered]) {
    const sent = await commands(operation);
    expect(sent.filter((each) => / 1001 /.test(each)).length, sent.join()).toBe(1);
  }
  await drop('drop-after-commit', 'in-lost.com', 'cancel');
  const cancelled = await t.call('POST', `/v1/domains/${lost.id}/transfer/cancel`, { headers: waitLong });
  expect([200, 202], cancelled.text).toContain(cancelled.status);
  await settledAs(lost.operation, 'cancelled');
  await t.control('DELETE', '/faults');
  done(await otherRegistrar.registry.approveTransfer('in-unheard.com', context));
  await pollAfresh(t.ctx, 'sandbox');
  await settledAs(unanswered.operation, 'done');
});

test('finds a request that arrives late, and pays no second one', async () => {
  await t.control('POST', '/faults', {
    kind: 'held',
    until: 'command',
    ms: 60_000,
    how: 'close',
    commands: ['domain:transfer:request'],
    name: 'in-held.com',
    limit: 1,
  });
  const called = await order('in-held.com');
  await t.control('DELETE', '/faults');
  expect(called.status, called.text).toBe(202);
  const { operation_id: operation, domain_id: id } = called.body;
  await t.control('POST', '/held');
  await until(async () => expect(await read(id)).toMatchObject({ transfer: { status: 'pending' } }));
  done(await otherRegistrar.registry.approveTransfer('in-held.com', context));
  await pollAfresh(t.ctx, 'sandbox');
  await settledAs(operation, 'done');
  expect(await life.statement('in-held.com')).toEqual(['charge transfer 10.26']);
});

test('ends the order and releases the money when the domain is dropped meanwhile', async () => {
  const before = await life.balance();
  const { operation } = await ordered('in-dropped.com');
  const registry = await t.ctx.registries.of('sandbox');
  const evidence = { code: 2303, text: 'Object does not exist' };
  const gone = { kind: 'done', data: null, pending: false, evidence } as const;
  const { info, queryTransfer } = registry;
  const spies = [
    vi
      .spyOn(registry, 'info')
      .mockImplementation(async (name, ...more) =>
        name === 'in-dropped.com' ? gone : info.call(registry, name, ...more),
      ),
    vi
      .spyOn(registry, 'queryTransfer')
      .mockImplementation(async (name, ...more) =>
        name === 'in-dropped.com' ? { kind: 'refused', evidence } : queryTransfer.call(registry, name, ...more),
      ),
  ];
  // Older than a lagging read.
  await t.ctx.db.transaction(allTenants, (tx) =>
    tx.run(
      sql`update operation set created_at = created_at - interval '5 minutes', due_at = now() where id = ${operation}`,
    ),
  );
  await settledAs(operation, 'refused');
  for (const spy of spies) spy.mockRestore();
  // A wrong answer reported it as gone.
  done(await otherRegistrar.registry.rejectTransfer('in-dropped.com', context));
  expect(await life.balance()).toEqual(before);
});

test('refunds the transfer, at the registry and here, for a delete in the transfer grace period', async () => {
  const before = await life.balance();
  const { id, operation } = await ordered('in-graced.com');
  done(await otherRegistrar.registry.approveTransfer('in-graced.com', context));
  await pollAfresh(t.ctx, 'sandbox');
  await settledAs(operation, 'done');
  const gone = await t.call('DELETE', `/v1/domains/${id}`, { headers: waitLong });
  expect(gone.status, gone.text).toBe(200);
  expect(await life.statement('in-graced.com')).toEqual(['charge transfer 10.26', 'refund transfer 10.26']);
  expect(await life.balance()).toEqual(before);
});

test('returns in the check why a transfer is not possible, and from when it is', async () => {
  done(await otherRegistrar.registry.update('in-locked.com', { addStatuses: ['clientTransferProhibited'] }, context));
  done(await otherRegistrar.registry.remove('in-redeemed.com', context));
  await ordered('in-busy.com');
  const check = (domain_name: string, more: Record<string, string> = {}) =>
    t.call('POST', '/v1/domains/transfer/validity', { form: { domain_name, ...more } });
  const good = await check('in-ours.com', { auth_code: code });
  expect(good.body, good.text).toMatchObject({
    transferable: true,
    registrar: 'rival',
    years: 1,
    auth_code_is_right: true,
  });
  const older = await t.call('GET', '/v1/domains/transfer/validity', { query: { domain_name: 'in-ours.com' } });
  expect(older.body).toMatchObject({ transferable: true, auth_code_is_right: null });
  const reasonsOf = async (name: string, more: Record<string, string> = {}) => {
    const { status, body, text } = await check(name, more);
    expect([status, body.code], text).toEqual([400, 'transfer_not_possible']);
    return body;
  };
  const locked = await reasonsOf('in-locked.com');
  expect(locked).toMatchObject({ possible_from: null, obstacles: [{ reason: 'locked', from: null }] });
  expect(locked.message).toContain('clientTransferProhibited');
  const young = await reasonsOf('in-young.com');
  expect(young.obstacles).toMatchObject([{ reason: 'too_young' }]);
  const created = new Date((await there('in-young.com')).createdAt).getTime();
  expect(Math.round((new Date(young.possible_from).getTime() - created) / 86_400_000)).toBe(60);
  expect((await reasonsOf('in-redeemed.com')).obstacles).toMatchObject([{ reason: 'in_redemption' }]);
  expect((await reasonsOf('in-thick.org')).obstacles).toMatchObject([{ reason: 'already_here' }]);
  expect((await reasonsOf('in-nobody.com')).obstacles).toMatchObject([{ reason: 'not_registered' }]);
  const wrong = await reasonsOf('in-ours.com', { auth_code: 'not-the-right-code-1' });
  expect(wrong.obstacles).toMatchObject([{ reason: 'wrong_auth_code' }]);
  expect(wrong.errors).toMatchObject([{ field: 'auth_code', code: 'wrong_auth_code' }]);
  expect((await check('in-busy.com')).body.code).toBe('operation_in_progress');
  expect((await check('elsewhere.example')).body.code).toBe('tld_not_offered');
  // The order is refused for the same reason.
  for (const name of ['in-locked.com', 'in-young.com', 'in-redeemed.com', 'in-thick.org', 'in-nobody.com']) {
    const { body, text } = await order(name);
    expect(body.code, text).toBe('transfer_not_possible');
  }
});

test('refuses an invalid order with its field, and stores nothing', async () => {
  const [rows, money] = [await life.count('domain'), await life.balance()];
  const fieldOf = async (more: Record<string, string>) => (await order('in-ours.com', more)).body.errors?.[0]?.field;
  expect(await fieldOf({ auth_code: '' })).toBe('auth_code');
  expect(await fieldOf({ auth_code: 'nicht-höflich-genug-1' })).toBe('auth_code');
  expect(await fieldOf({ purchase_privacy_protection: '1' })).toBe('purchase_privacy_protection');
  expect(await fieldOf({ registrant_contact_id: '999' })).toBe('registrant_contact_id');
  expect(await fieldOf({ ns: 'not a name' })).toBe('ns');
  expect((await order('in-ours.com', { max_price: '1.00' })).body.code).toBe('price_guard');
  const live = await t.call('POST', '/v1/domains/in-thick.org/transfer/cancel');
  expect([live.status, live.body.code]).toEqual([409, 'conflict']);
  const code_ = await t.call('PUT', '/v1/domains/in-thick.org/transfer/auth_code', { json: { auth_code: code } });
  expect([code_.status, code_.body.code]).toEqual([409, 'conflict']);
  expect([await life.count('domain'), await life.balance()]).toEqual([rows, money]);
});

test('ignores duplicate messages and accepts them in any order', async () => {
  await t.control('POST', '/faults', { kind: 'poll-doubled', commands: ['poll'], rate: 1 });
  await t.control('POST', '/faults', { kind: 'poll-out-of-order', commands: ['poll'], rate: 1 });
  const before = await life.balance();
  const first = await ordered('in-doubled.com');
  done(await otherRegistrar.registry.rejectTransfer('in-doubled.com', context));
  await timePasses(first.operation);
  await settledAs(first.operation, 'refused');
  const second = await ordered('in-doubled.com');
  await pollAfresh(t.ctx, 'sandbox');
  expect((await operationOf(second.operation)).state).toBe('waiting_registry');
  done(await otherRegistrar.registry.approveTransfer('in-doubled.com', context));
  await pollAfresh(t.ctx, 'sandbox');
  await settledAs(second.operation, 'done');
  await t.control('DELETE', '/faults');
  const busy = await t.call('POST', '/v1/domains/in-busy.com/transfer/cancel', { headers: waitLong });
  expect(busy.status, busy.text).toBe(200);
  expect(before.available - (await life.balance()).available).toBe(0n);
});

test('cancels a transfer without a decision ten days after its date, and releases the money once', async () => {
  const before = await life.balance();
  const { id, operation } = await ordered('in-undecided.com');
  const registry = await t.ctx.registries.of('sandbox');
  const { queryTransfer } = registry;
  // This registry decides automatically, so its date is reported as one in the past.
  const querySpy = vi.spyOn(registry, 'queryTransfer').mockImplementation(async (name, context) => {
    const answer = await queryTransfer.call(registry, name, context);
    if (answer.kind !== 'done' || answer.data?.status !== 'pending' || name !== 'in-undecided.com') return answer;
    const actionAt = new Date(t.ctx.clock.now().getTime() - 10 * 86_400_000 - 1);
    return { ...answer, data: { ...answer.data, actionAt } };
  });
  try {
    await timePasses(operation);
    await settledAs(operation, 'refused');
  } finally {
    querySpy.mockRestore();
  }
  expect((await there('in-undecided.com')).transfer).toMatchObject({ state: 'clientCancelled' });
  expect(await life.balance()).toEqual(before);
  expect(await read(id)).toMatchObject({ order_status: 'Cancelled', transfer: { status: 'refused' } });
  // The message about it, and another query, change nothing more.
  await pollAfresh(t.ctx, 'sandbox');
  await t.ctx.engine.start(operation);
  expect(await life.balance()).toEqual(before);
  expect(await life.events('in-undecided.com')).toEqual(['domain.transfer_in_pending', 'domain.transfer_in_refused']);
  const { n } = await t.ctx.db
    .as(allTenants)
    .one<{ n: string }>(
      sql`select count(*) as n from ledger_transaction where operation_id = ${operation} and status <> 'cancelled'`,
    );
  expect(n).toBe('0');
  expect(await life.statement('in-undecided.com')).toEqual([]);
});

test('completes and charges when the registry refuses the contacts, and sets them later', async () => {
  const before = await life.balance();
  const { id, operation } = await ordered('in-unset.org');
  await t.control('POST', '/domains/in-unset.org/tamper', { add_statuses: ['serverUpdateProhibited'] });
  done(await otherRegistrar.registry.approveTransfer('in-unset.org', context));
  await pollAfresh(t.ctx, 'sandbox');
  await settledAs(operation, 'done');
  expect(before.available - (await life.balance()).available).toBe(1289n);
  // A duplicate message causes a second comparison, which sees the difference.
  expect((await life.events('in-unset.org')).filter((type) => type !== 'domain.drift')).toEqual([
    'domain.transfer_in_pending',
    'domain.transferred_in',
    'domain.transfer_incomplete',
    'domain.protection_failed',
  ]);
  expect((await there('in-unset.org')).registrant).toBe('RIVALHOLDER');
  await t.control('POST', '/domains/in-unset.org/tamper', { rem_statuses: ['serverUpdateProhibited'] });
  await reconcileDomain(t.ctx, await readDomain(t.ctx.db.as(allTenants), id));
  const roles = Object.fromEntries(
    ['registrant', 'admin', 'tech', 'billing'].map((role) => [`${role}_contact_id`, '3001']),
  );
  const set = await t.call('PUT', `/v1/domains/${id}/contacts`, { form: roles });
  expect(set.status, set.text).toBe(200);
  expect((await there('in-unset.org')).registrant).toMatch(/^nh/);
});

test('transfers subordinate hosts with the domain, with their addresses', async () => {
  for (const [host, address] of [
    ['ns1', '192.0.2.71'],
    ['ns2', '2001:db8::72'],
  ] as const)
    done(await otherRegistrar.registry.createHost(`${host}.in-with-hosts.com`, [address], context));
  const { id, operation } = await ordered('in-with-hosts.com');
  done(await otherRegistrar.registry.approveTransfer('in-with-hosts.com', context));
  await pollAfresh(t.ctx, 'sandbox');
  await settledAs(operation, 'done');
  expect((await read(id)).cns).toEqual([
    { hostname: 'ns1.in-with-hosts.com', ip: '192.0.2.71' },
    { hostname: 'ns2.in-with-hosts.com', ip: '2001:db8::72' },
  ]);
  // They can be changed here.
  const removed = await t.call('DELETE', `/v1/domains/${id}/childns/ns1.in-with-hosts.com/192.0.2.71`);
  expect(removed.status, removed.text).toBe(200);
});

test('handles the clock moved past the deadlines of code, response and grace period', async () => {
  const before = await life.balance();
  const coded = await ordered('in-jump-code.com', { auth_code: 'not-the-right-code-1' });
  const pending = await ordered('in-jump-pending.com');
  t.moveClock('+20d');
  await t.control('GET', '/clock');
  for (const { operation } of [coded, pending]) await timePasses(operation);
  await settledAs(coded.operation, 'refused');
  await settledAs(pending.operation, 'done');
  expect(before.available - (await life.balance()).available).toBe(1239n);
  // By the registry's date of the transfer, not ours: its grace period was over before we knew of it.
  expect((await read(pending.id)).transfer.status).toBe('serverApproved');
  const gone = await t.call('DELETE', `/v1/domains/${pending.id}`);
  expect(gone.body.refunded, gone.text).toEqual([]);
  expect(before.available - (await life.balance()).available).toBe(1239n);
});

test('keeps the term at a TLD whose transfers add no year, and charges the transfer once', async () => {
  const before = await life.balance();
  const { expiresAt } = await there('in-yearless.id');
  const dry = await order('in-yearless.id', { dry_run: '1', years: '2' });
  expect(dry.body.warnings).toEqual([expect.stringMatching(/2 years.*adds no year/)]);
  expect(dry.body.what_happens, dry.text).toContain('its term stays as it is');
  const { id, operation } = await ordered('in-yearless.id');
  done(await otherRegistrar.registry.approveTransfer('in-yearless.id', context));
  await pollAfresh(t.ctx, 'sandbox');
  await settledAs(operation, 'done');
  const { end_date } = await life.row('in-yearless.id');
  expect(end_date.toISOString().slice(0, 10)).toBe(expiresAt.slice(0, 10));
  expect((await there('in-yearless.id')).expiresAt).toBe(expiresAt);
  expect(await life.statement('in-yearless.id')).toEqual(['charge transfer 15.00']);
  const paid = await life.balance();
  expect([before.available - paid.available, paid.held]).toEqual([BigInt(dry.body.total.amount.replace('.', '')), 0n]);
  expect((await read(id)).order_status).toBe('Live');
  expect((await life.renew('in-yearless.id')).status).toBe(200);
  expect((await life.row('in-yearless.id')).end_date.getUTCFullYear()).toBe(end_date.getUTCFullYear() + 1);
  await expectReconciled(t);
});

import { allTenants, sql } from '@namehold/base';
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { makeContact, makeCustomer } from '../../../../test/support/parties.ts';
import { expectReconciled } from '../../../../test/support/reconciliation.ts';
import { keyFor, makeReseller } from '../../../../test/support/resellers.ts';
import { startTestService, type TestService } from '../../../../test/support/service.ts';
import { expireApprovals } from '../../src/core/approvals/expire.ts';
import { protectOwed } from '../../src/core/domains/buy/protect-new.ts';
import { lifeOf } from './life.ts';

/** Domains move between customers at once, and between resellers when both have agreed. */
let t: TestService;
let life: ReturnType<typeof lifeOf>;
let taker: string;
let takerId: string;
let takerCustomer: string;
let stranger: string;
const giverId = '1000';
beforeAll(async () => {
  t = await startTestService({ sandbox: true, env: { NAMEHOLD_THEFT_PROTECTION: 'off' } });
  life = lifeOf(t);
  taker = await makeReseller(t);
  takerId = taker.split(':')[0]!;
  takerCustomer = await makeCustomer(t, taker);
  stranger = await makeReseller(t);
  const form = { amount: '500', description: 'start' };
  const funded = await t.call('POST', `/v1/resellers/${takerId}/transactions/fund`, { as: t.operator, form });
  expect(funded.status, funded.text).toBe(200);
});
beforeEach(() => t.control('DELETE', '/faults'));
afterAll(async () => {
  await expectReconciled(t);
  await t.stop();
});

const order = (more: Record<string, string> = {}) => ({
  existing_customer_id: '2001',
  new_reseller_id: takerId,
  new_customer_id: takerCustomer,
  default_contacts: 'oldcontact',
  ...more,
});
const move = (domain: string, more: Record<string, string> = {}, rest: object = {}) =>
  t.call('POST', `/v1/domains/${domain}/move`, { form: order(more), ...rest });
const answer = (id: string, verb: 'accept' | 'decline', as = taker, more: object = {}) =>
  t.call('POST', `/v1/moves/${id}/${verb}`, { as, ...more });
const readMove = (id: string, as = taker) => t.call('GET', `/v1/moves/${id}`, { as });
const eventsOf = async (as: string, word: string) => {
  const { body } = await t.call('GET', '/v1/events?limit=1000', { as });
  return (body.events as { type: string; payload: object }[]).filter((each) => JSON.stringify(each).includes(word));
};
const typesOf = async (as: string, word: string) => (await eventsOf(as, word)).map(({ type }) => type);
const contactsOf = async (customer: string, as?: string) =>
  (await t.call('GET', `/v1/customers/${customer}/contacts?limit=100`, as ? { as } : {})).body as {
    contact_id: string;
    name: string;
    email: string;
  }[];
/** Tied to the operation by the transaction of the answer, so that a repeated request after a crash returns the state of the move. */
const keptAs = async (key: string) =>
  (await t.ctx.db.as(allTenants).one<{ state: string }>(sql`select state from idempotency where key = ${key}`)).state;
const atRegistry = async (name: string) => (await t.control('GET', `/domains/${name}`)).body;

async function offered(name: string, more: Record<string, string> = {}): Promise<string> {
  await life.buy(name);
  const called = await move(name, more);
  expect(called.status, called.text).toBe(202);
  expect(called.body).toMatchObject({ operation_state: 'action_required', domain_name: name });
  return called.body.operation_id as string;
}

describe('between customers of one reseller', () => {
  test.each(['com', 'org'])(
    '.%s: moves at once; the domain keeps its id and gets copies of its contacts',
    async (tld) => {
      const name = `between.${tld}`;
      const id = await life.buy(name);
      const handle = (await atRegistry(name)).registrant;
      const to = await makeCustomer(t);
      const called = await move(name, { new_reseller_id: giverId, new_customer_id: to });
      expect(called.status, called.text).toBe(200);
      expect(called.body).toMatchObject({ domain_id: id, operation_state: 'done' });
      const { body } = await t.call('GET', `/v1/domains/${id}`);
      expect(body).toMatchObject({ customer_id: to, order_status: 'Live' });
      const copies = await contactsOf(to);
      expect(copies.map((each) => each.contact_id)).toContain(body.registrant_contact_id);
      expect(body.registrant_contact_id).not.toBe('3001');
      if (tld === 'org') expect((await atRegistry(name)).registrant).not.toBe(handle);
      expect(await life.events(name)).toContain('domain.moved');
    },
  );

  test('default: uses the first contact of the new customer, and names the field of an error', async () => {
    const id = await life.buy('given.org');
    const to = await makeCustomer(t);
    const wrong = async (more: Record<string, string>) =>
      (await move(id, { new_reseller_id: giverId, ...more })).body.errors[0].field;
    expect(await wrong({ existing_customer_id: to, new_customer_id: '2001' })).toBe('existing_customer_id');
    expect(await wrong({ new_customer_id: takerCustomer })).toBe('new_customer_id');
    expect(await wrong({ new_customer_id: '2001' })).toBe('new_customer_id');
    const called = await move(id, { new_reseller_id: giverId, new_customer_id: to, default_contacts: 'default' });
    expect(called.status, called.text).toBe(200);
    const [first] = await contactsOf(to);
    expect((await t.call('GET', `/v1/domains/${id}`)).body.registrant_contact_id).toBe(first!.contact_id);
  });
});

test('to another reseller: offer, acceptance, a new id there and a tombstone here; no money moves', async () => {
  const name = 'wanders.org';
  const id = await life.buy(name, { ns: 'ns1.namehold.test,ns2.namehold.test' });
  await t.call('POST', `/v1/domains/${id}/childns`, { form: { hostname: `ns9.${name}`, ip_address: '192.0.2.9' } });
  const code = (await t.call('GET', `/v1/domains/${id}/auth_code`)).body as string;
  await makeContact(t, '2001', undefined, { name: 'Not For Others', email: 'other@giver.example' });
  const forward_to = 'https://shop.example/';
  const forwarded = await t.call('PUT', `/v1/domains/${id}/domain_forwarding`, { form: { forward_to } });
  expect(forwarded.status, forwarded.text).toBe(200);
  const letters = { email: 'info', forward_to: 'sari@elsewhere.example' };
  expect((await t.call('POST', `/v1/domains/${id}/email_forwarding`, { form: letters })).status).toBe(200);
  const before = await life.balance();
  const called = await move(id, {}, { headers: { 'Idempotency-Key': 'move-wanders' } });
  expect(called.status, called.text).toBe(202);
  const moveId = called.body.operation_id as string;
  const again = await move(id, {}, { headers: { 'Idempotency-Key': 'move-wanders' } });
  expect(again.body.operation_id).toBe(moveId);

  const listed = await t.call('GET', '/v1/moves?direction=in&state=offered', { as: taker });
  expect(listed.body).toHaveLength(1);
  expect(listed.body[0]).toMatchObject({
    move_id: moveId,
    domain_name: name,
    domain_id: null,
    from_reseller_id: giverId,
  });
  // Nothing of the previous reseller is visible in it.
  expect(listed.text).not.toContain('2001');
  expect(listed.text).not.toContain(`"${id}"`);

  const taken = await answer(moveId, 'accept', taker, { headers: { 'Idempotency-Key': 'take-wanders' } });
  expect(taken.status, taken.text).toBe(200);
  expect(taken.body).toMatchObject({ state: 'done', direction: 'in' });
  const asked = await t.call('GET', `/v1/domains/${id}/raa_verification`);
  expect(asked.body).toMatchObject({ status: 'NotRequired', verify_by: null });
  expect((await t.call('POST', `/v1/domains/${id}/raa_verification/resend`, { form: {} })).body.code).toBe('conflict');
  const newId = taken.body.domain_id as string;
  expect(newId).not.toBe(id);
  const twice = await answer(moveId, 'accept', taker, { headers: { 'Idempotency-Key': 'take-wanders' } });
  expect(twice.body).toEqual(taken.body);
  expect((await answer(moveId, 'accept')).status).toBe(409);
  expect(await keptAs('take-wanders')).toBe('operation');

  const theirs = (await t.call('GET', `/v1/domains/${newId}`, { as: taker })).body;
  expect(theirs).toMatchObject({ domain_name: name, customer_id: takerCustomer, order_status: 'Live' });
  expect(theirs.cns).toEqual([{ hostname: `ns9.${name}`, ip: '192.0.2.9' }]);
  const ours = (await t.call('GET', `/v1/domains/${id}`)).body;
  expect(ours).toMatchObject({ order_status: 'Moved', removed_reason: 'moved', customer_id: '2001' });
  expect(ours.end_date).toBe(theirs.end_date);
  expect((await t.call('GET', `/v1/domains/${newId}`)).status).toBe(404);
  expect((await t.call('GET', `/v1/domains/${newId}/zone`, { as: taker })).status).toBe(200);
  expect((await t.call('GET', `/v1/domains/${id}/zone`)).status).not.toBe(200);
  // Web forwarding continues under the receiving reseller.
  expect(theirs.domain_forwarding.url_dest).toBe(forward_to);
  expect(ours.domain_forwarding.url_dest).toBe('');
  const ended = await t.call('PUT', `/v1/domains/${newId}/domain_forwarding`, { as: taker, form: { forward_to: '' } });
  expect(ended.status, ended.text).toBe(200);
  const records = await t.call('GET', `/v1/domains/${newId}/zone/rrsets`, { as: taker });
  expect(records.text).not.toContain('url_forwarding');
  // Mail forwarding continues too, when its targets have consented to the new customer.
  expect(theirs.email_forwarding).toMatchObject([{ email: `info@${name}`, targets: [{ state: 'waiting' }] }]);
  expect(ours.email_forwarding).toEqual([]);
  const targets = await t.call('GET', '/v1/mail_targets', { as: taker });
  expect(targets.body).toMatchObject([{ customer_id: takerCustomer, address: 'sari@elsewhere.example' }]);
  expect(records.text).toContain('mail_forwarding');
  const copies = await contactsOf(takerCustomer, taker);
  expect(copies.map((each) => each.name)).not.toContain('Not For Others');
  expect(copies.map((each) => each.contact_id)).toContain(theirs.registrant_contact_id);
  const { rows } = { rows: (await t.call('GET', '/v1/account/transactions', { as: taker })).text };
  expect(rows).not.toContain(name);
  expect(await life.balance()).toEqual(before);
  expect((await typesOf(taker, name)).filter((type) => !type.startsWith('domain.verif'))).toEqual([
    'move.offered',
    'domain.moved_in',
    'forwarding.ended',
    'zone.changed',
  ]);
  expect(await typesOf(t.demo, moveId)).toEqual(['move.offered', 'domain.moved_away']);
  // The code that the previous reseller knows is no longer valid.
  expect(code).toMatch(/^\S{16,}$/);
  expect((await atRegistry(name)).auth_info_set).toBe(false);
});

test("refunds the previous reseller's payments to it, and does not notify the receiving one", async () => {
  const before = await life.balance();
  const moveId = await offered('returns.com');
  const { domain_id: id } = (await answer(moveId, 'accept')).body;
  const renewed = await t.call('POST', `/v1/domains/${id}/renew`, {
    as: taker,
    form: {
      years: '1',
      current_date: (await life.row('returns.com')).end_date.toISOString().slice(0, 10),
      invoice_option: 'no_invoice',
    },
  });
  expect(renewed.status, renewed.text).toBe(200);
  await expectReconciled(t);
  const gone = await t.call('DELETE', `/v1/domains/${id}`, { as: taker });
  expect(gone.status, gone.text).toBe(200);
  // Its own renewal, and nothing else.
  expect(gone.body.refunded.map((each: { transaction_id: string }) => each.transaction_id)).toEqual([
    renewed.body.transaction_id,
  ]);
  expect(await life.balance()).toEqual(before);
  expect(await typesOf(t.demo, 'returns.com')).toContain('domain.purchase_refunded');
  expect(await typesOf(taker, 'returns.com')).not.toContain('domain.purchase_refunded');
  await expectReconciled(t);
});

test('keeps a refund to a deleted reseller available to its parent and notifies the parent', async () => {
  const giver = await makeReseller(t, t.demo);
  const [id, customer] = [giver.split(':')[0]!, await makeCustomer(t, giver)];
  const contact = await makeContact(t, customer, giver);
  const ok = async (method: string, path: string, options: object = {}) => {
    const called = await t.call(method, path, options);
    expect(called.status, called.text).toBe(200);
    return called;
  };
  const note = (verb: string, amount: string, as = t.demo) =>
    t.call('POST', `/v1/resellers/${id}/transactions/${verb}`, { as, form: { amount, description: verb } });
  const funds = async () => (await ok('GET', `/v1/resellers/${id}/funds`)).body.balance.amount;
  expect((await note('fund', '50.00')).status).toBe(200);
  const roles = ['registrant', 'admin', 'tech', 'billing'].map((role) => [`${role}_contact_id`, contact]);
  const form = { domain_name: 'gone-giver.com', customer_id: customer, invoice_option: 'no_invoice' };
  await ok('POST', '/v1/domains', { as: giver, form: { ...form, ...Object.fromEntries(roles) } });
  const left = await funds();
  const paid = (50 - Number(left)).toFixed(2);
  const moved = await move('gone-giver.com', { existing_customer_id: customer }, { as: giver });
  const { domain_id } = (await answer(moved.body.operation_id, 'accept')).body;
  await ok('DELETE', `/v1/customers/${customer}`, { as: giver });
  expect((await note('debit_note', left)).status).toBe(200);
  await ok('DELETE', `/v1/resellers/${id}`);

  await ok('DELETE', `/v1/domains/${domain_id}`, { as: taker });
  expect(await funds()).toBe(paid);
  const refunded = { amount: paid, currency: 'USD' };
  expect((await eventsOf(t.demo, 'reseller.refunded')).map(({ payload }) => payload)).toMatchObject([
    { reseller_id: id, refunded },
  ]);
  const { body: rows } = await ok('GET', `/v1/resellers/${id}/transactions`);
  expect(rows[0]).toMatchObject({ transaction_type: 'note' });
  const day = t.ctx.clock.now().toISOString().slice(0, 10);
  const { body } = await ok('GET', `/v1/resellers/${id}/statement`, { query: { from: day, to: day } });
  expect(body).toMatchObject({
    closing: { balance: refunded },
    lines: expect.arrayContaining([expect.objectContaining({ posting: 'refund' })]),
  });
  expect((await ok('GET', `/v1/resellers/${id}/statement/csv`, { query: { from: day, to: day } })).text).toContain(
    'refund',
  );
  const over = '?from=2020-01-01&to=2020-12-31';
  for (const end of ['funds', 'transactions', `statement${over}`, `statement/csv${over}`])
    expect((await t.call('GET', `/v1/resellers/${id}/${end}`, { as: stranger })).status, end).toBe(404);
  expect((await note('debit_note', paid, stranger)).status).toBe(404);
  // It can only be debited, because the account is gone.
  expect((await note('fund', '1.00')).status).toBe(404);
  expect((await t.call('GET', `/v1/resellers/${id}`)).status).toBe(404);
  expect((await note('debit_note', paid)).status).toBe(200);
  expect([(await note('debit_note', '0.01')).status, await funds()]).toEqual([402, '0.00']);
});

test('returns the same answer for unknown and known resellers and customers', async () => {
  const cases = [
    ['known.com', {}],
    ['no-reseller.com', { new_reseller_id: '999999' }],
    ['no-customer.com', { new_customer_id: '999999' }],
    ['of-another.com', { new_customer_id: '2001' }],
  ] as const;
  const seen: string[] = [];
  for (const [name, more] of cases) {
    await life.buy(name);
    const called = await move(name, more);
    const { body: operation } = await t.call('GET', `/v1/operations/${called.body.operation_id}`);
    const { body: shown } = await readMove(called.body.operation_id, t.demo);
    const facts = [called.status, called.body, operation, shown, await eventsOf(t.demo, called.body.operation_id)];
    seen.push(
      JSON.stringify(facts)
        .replaceAll(new RegExp(`${called.body.operation_id}|${called.body.domain_id}|${name}`, 'g'), '-')
        .replaceAll(/"(new|to)_(reseller|customer)_id":"\d+"/g, '-')
        .replaceAll(
          /"request_id":"\w+"|"number":\d+|"event_id":"\w+"|\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d(\.\d+)?Z?/g,
          '-',
        ),
    );
    if (name !== 'known.com') expect((await answer(called.body.operation_id, 'accept')).status).toBe(404);
  }
  expect(new Set(seen).size, seen.join('\n')).toBe(1);
});

test('allows only the two sides to act, each within its part', async () => {
  const moveId = await offered('wanted.com');
  const missing = await readMove('op_missing', stranger);
  for (const as of [stranger, t.operator])
    for (const [method, path] of [
      ['GET', ''],
      ['POST', '/accept'],
      ['POST', '/decline'],
    ] as const) {
      const called = await t.call(method, `/v1/moves/${moveId}${path}`, { as });
      expect({ status: called.status, code: called.body.code }).toEqual({ status: 404, code: missing.body.code });
    }
  // The current reseller cannot accept in any way, nor can the receiving one change the current one's operation.
  expect((await answer(moveId, 'accept', t.demo)).status).toBe(404);
  expect((await t.call('POST', `/v1/operations/${moveId}/approve`, { as: await keyFor(t, giverId) })).status).toBe(409);
  for (const path of ['', '/approve', '/decline', '/cancel'])
    expect((await t.call(path ? 'POST' : 'GET', `/v1/operations/${moveId}${path}`, { as: taker })).status).toBe(404);
  const weak = await keyFor(t, takerId, ['read']);
  expect((await answer(moveId, 'accept', weak)).body.code).toBe('scope_missing');
  // A domain of another account cannot be moved.
  expect((await move('wanted.com', { existing_customer_id: takerCustomer }, { as: taker })).status).toBe(404);
  expect((await life.row('wanted.com')).state).toBe('live');
  expect((await answer(moveId, 'decline', t.demo)).body).toMatchObject({ state: 'declined', direction: 'out' });
});

test('parent and child: neither takes from the other, each gives when the other accepts', async () => {
  const child = await makeReseller(t, t.demo);
  const childId = child.split(':')[0]!;
  const customer = await makeCustomer(t, child);
  const down = await offered('to-the-child.com', { new_reseller_id: childId, new_customer_id: customer });
  expect((await answer(down, 'accept', t.demo)).status).toBe(404);
  const { domain_id: theirs } = (await answer(down, 'accept', child)).body;
  // The parent sees the domains of its child, and can move none of them.
  const back = { existing_customer_id: customer, new_reseller_id: giverId, new_customer_id: '2001' };
  expect((await move(theirs, back)).status).toBe(404);
  const up = await move(theirs, back, { as: child });
  expect(up.status, up.text).toBe(202);
  expect((await answer(up.body.operation_id, 'accept', child)).status).toBe(404);
  const home = await answer(up.body.operation_id, 'accept', t.demo);
  expect(home.body).toMatchObject({ state: 'done', direction: 'in' });
  await expectReconciled(t);
});

test('checks locks at the offer and at the acceptance; shows the fix only to the side that can apply it', async () => {
  const id = await life.buy('held-back.com');
  const cases = [
    ['theft_protection', /protected against transfers.*DELETE \/v1\/domains\/\d+\/theft_protection/],
    ['locked', /locked.*DELETE \/v1\/domains\/\d+\/locked/],
    ['suspended', /suspended.*DELETE \/v1\/domains\/\d+\/suspended/],
  ] as const;
  for (const [flag, words] of cases) {
    expect((await t.call('PUT', `/v1/domains/${id}/${flag}`)).status).toBe(200);
    const called = await move(id);
    expect([called.status, called.body.code]).toEqual([400, 'domain_blocked']);
    expect(called.body.message).toMatch(words);
    expect((await t.call('DELETE', `/v1/domains/${id}/${flag}`)).status).toBe(200);
  }
  const moveId = (await move(id)).body.operation_id as string;
  await t.call('PUT', `/v1/domains/${id}/locked`, { form: { reason: 'second thoughts' } });
  const refused = await answer(moveId, 'accept');
  expect(refused.status).toBe(409);
  expect(refused.text).not.toContain('second thoughts');
  expect(refused.text).not.toContain(id);
  await t.call('DELETE', `/v1/domains/${id}/locked`);
  expect((await answer(moveId, 'accept')).body.state).toBe('done');
});

test('allows one offer per domain; a rejection by either side and expiry end it and notify both', async () => {
  const first = await offered('no-thanks.com');
  const second = await move('no-thanks.com');
  expect([second.status, second.body.operation_id]).toEqual([409, first]);
  expect((await answer(first, 'decline')).body).toMatchObject({ state: 'declined', direction: 'in' });
  expect((await t.call('GET', `/v1/operations/${first}`)).body).toMatchObject({
    state: 'cancelled',
    approval: { answer: 'declined', answered_by: null },
  });
  const taken = (await move('no-thanks.com')).body.operation_id as string;
  expect((await t.call('POST', `/v1/operations/${taken}/decline`)).status).toBe(200);
  expect((await readMove(taken)).body.state).toBe('declined');
  // The end is reported to both sides with the same text.
  for (const as of [taker, t.demo]) expect((await answer(taken, 'decline', as)).body.code).toBe('conflict');
  const late = (await move('no-thanks.com')).body.operation_id as string;
  t.moveClock('+73h');
  expect((await answer(late, 'accept')).status).toBe(409);
  await expireApprovals(t.ctx);
  expect((await readMove(late)).body.state).toBe('lapsed');
  for (const as of [taker, t.demo]) {
    expect(await typesOf(as, first)).toEqual(['move.offered', 'move.declined']);
    expect(await typesOf(as, taken)).toEqual(['move.offered', 'move.declined']);
    expect(await typesOf(as, late)).toEqual(['move.offered', 'move.lapsed']);
  }
  expect((await life.row('no-thanks.com')).state).toBe('live');
});

test('requires the renewal of an expired domain before it moves', async () => {
  await life.buy('over.com');
  await t.ctx.db.transaction(allTenants, (tx) =>
    tx.run(sql`update domain set end_date = end_date - interval '2 years' where name = 'over.com'`),
  );
  expect((await move('over.com')).body.message).toContain('Renew it first');
  await t.ctx.db.transaction(allTenants, (tx) =>
    tx.run(sql`update domain set end_date = end_date + interval '2 years' where name = 'over.com'`),
  );
});

test('requires approval of a move if auth codes require it; the receiving reseller sees nothing before', async () => {
  await life.buy('guarded.com');
  const other = await keyFor(t, giverId);
  expect((await t.call('PUT', '/v1/account/security', { json: { second_yes: ['auth_code'] } })).status).toBe(200);
  try {
    const moveId = (await move('guarded.com')).body.operation_id as string;
    expect((await readMove(moveId, t.demo)).body.state).toBe('asked');
    expect((await readMove(moveId)).status).toBe(404);
    expect((await answer(moveId, 'accept')).status).toBe(404);
    expect((await t.call('POST', `/v1/operations/${moveId}/approve`)).status).toBe(409);
    const yes = await t.call('POST', `/v1/operations/${moveId}/approve`, { as: other });
    expect(yes.body).toMatchObject({ state: 'action_required', attention: { choices: ['decline'] } });
    expect((await answer(moveId, 'accept')).body.state).toBe('done');
    expect(await typesOf(t.demo, moveId)).toEqual([
      'approval.requested',
      'approval.given',
      'move.offered',
      'domain.moved_away',
    ]);
  } finally {
    const off = await t.call('PUT', '/v1/account/security', { json: { second_yes: [] } });
    await t.call('POST', `/v1/operations/${off.body.operation_id}/approve`, { as: other });
  }
});

describe('with a registry that fails', () => {
  test('refusal: the domain stays, and the receiving reseller keeps no copy of a contact', async () => {
    const moveId = await offered('refused.org');
    const before = await contactsOf(takerCustomer, taker);
    await t.ctx.db.transaction(allTenants, (tx) =>
      tx.run(sql`update contact set name = 'Somebody Else', fingerprint = 'else' where id = 3001`),
    );
    await t.control('POST', '/domains/refused.org/tamper', { add_statuses: ['serverUpdateProhibited'] });
    const called = await answer(moveId, 'accept');
    expect(called.body).toMatchObject({ state: 'refused', domain_id: null });
    expect(called.body.reason).toBeTruthy();
    expect(await contactsOf(takerCustomer, taker)).toEqual(before);
    expect(await life.row('refused.org')).toMatchObject({ state: 'live' });
    expect(await typesOf(taker, moveId)).toEqual(['move.offered', 'move.failed']);
    expect(await typesOf(t.demo, moveId)).toEqual(['move.offered', 'domain.move_refused']);
  });

  test('lost answer: the registry is queried, and the domain moves once', async () => {
    const moveId = await offered('unheard.org');
    await t.control('POST', '/faults', {
      kind: 'drop-after-commit',
      rate: 1,
      seed: 1,
      commands: ['domain:update'],
      how: 'close',
      limit: 1,
    });
    await answer(moveId, 'accept');
    await vi.waitFor(async () => expect((await readMove(moveId)).body.state).toBe('done'), 60_000);
    const rows = await t.ctx.db.as(allTenants).many<{ state: string }>(sql`
      select state from domain where name = 'unheard.org' order by id`);
    expect(rows.map(({ state }) => state)).toEqual(['removed', 'live']);
  });
});

test('protects a moved domain by the setting of its new reseller', async () => {
  expect((await t.call('PUT', '/v1/account/security', { json: { theft_protection: 'on' }, as: taker })).status).toBe(
    200,
  );
  const moveId = await offered('safe-there.com');
  const { domain_id: id } = (await answer(moveId, 'accept')).body;
  await protectOwed(t.ctx);
  expect((await t.call('GET', `/v1/domains/${id}/theft_protection`, { as: taker })).body).toBe(true);
});

describe('claimed with an auth code', () => {
  const claim = (name: string, code: string, more: object = {}, as = taker) =>
    t.call('POST', '/v1/moves', {
      json: { domain_name: name, auth_code: code, customer_id: takerCustomer, ...more },
      as,
    });
  const codeOf = async (id: string, as?: string) =>
    (await t.call('GET', `/v1/domains/${id}/auth_code`, as ? { as } : {})).body as string;
  const forgetTries = () => t.ctx.db.autocommit(allTenants).run(sql`delete from move_try`);
  const kindsTold = async (id: string) =>
    ((await t.call('GET', '/v1/notices', { query: { domain_id: id } })).body as { kind: string }[]).map(
      ({ kind }) => kind,
    );

  test.each(['com', 'org'])(
    '.%s: moves once and at once, notifies both sides and the registrant; no money moves',
    async (tld) => {
      const name = `claimed.${tld}`;
      const id = await life.buy(name);
      const code = await codeOf(id);
      const before = await life.balance();
      const taken = await claim(name, code);
      expect(taken.status, taken.text).toBe(200);
      expect(taken.body).toMatchObject({
        state: 'done',
        direction: 'in',
        from_reseller_id: giverId,
        to_customer_id: takerCustomer,
      });
      const theirs = (await t.call('GET', `/v1/domains/${taken.body.domain_id}`, { as: taker })).body;
      expect(theirs).toMatchObject({ domain_name: name, customer_id: takerCustomer, order_status: 'Live' });
      expect((await t.call('GET', `/v1/domains/${id}`)).body.order_status).toBe('Moved');
      expect((await readMove(taken.body.move_id, t.demo)).body).toMatchObject({ state: 'done', direction: 'out' });
      const [left] = (await eventsOf(t.demo, taken.body.move_id)).filter(({ type }) => type === 'domain.moved_away');
      expect(left!.payload).toMatchObject({ by: 'code', to_reseller_id: takerId });
      expect(await typesOf(taker, taken.body.move_id)).toEqual(['domain.moved_in']);
      expect(await kindsTold(id)).toContain('moved_away');
      expect(await life.balance()).toEqual(before);
      expect((await atRegistry(name)).auth_info_set).toBe(false);
      // It is used; no reseller can use it again, the former one included.
      const customer = await makeCustomer(t, stranger);
      const again = [
        await claim(name, code),
        await claim(name, code, { customer_id: customer }, stranger),
        await claim(name, code, { customer_id: '2001' }, t.demo),
      ];
      for (const each of again) expect([each.status, each.body.errors[0].field]).toEqual([400, 'auth_code']);
    },
  );

  test('returns one answer for a wrong code, no code, an unknown domain, an own one and invalid input, and limits guesses', async () => {
    await forgetTries();
    const id = await life.buy('guessed.com');
    await life.buy('codeless.com');
    const code = await codeOf(id);
    const own = await claim('claimed.com', code);
    const answers = [own];
    for (const [name, given] of [
      ['guessed.com', `${code.slice(0, -1)}${code.endsWith('a') ? 'b' : 'a'}`],
      ['guessed.com', code.toUpperCase()],
      ['codeless.com', code],
      ['codeless.com', 'x'],
      ['nobody-has-this.com', code],
      ['not a name', code],
    ] as const)
      answers.push(await claim(name, given));
    expect(new Set(answers.map(({ status, body }) => JSON.stringify([status, { ...body, request_id: '' }]))).size).toBe(
      1,
    );
    expect(answers[0]!.status).toBe(400);
    const many = await Promise.all(Array.from({ length: 20 }, () => claim('guessed.com', 'a-wrong-code-of-no-use')));
    expect(many.filter(({ status }) => status === 400)).toHaveLength(20 - answers.length);
    expect(many.filter(({ status }) => status === 429)).toHaveLength(answers.length);
    // The limit covers the right code too, but not another reseller.
    expect((await claim('guessed.com', code)).status).toBe(429);
    const customer = await makeCustomer(t, stranger);
    expect((await claim('guessed.com', code, { customer_id: customer }, stranger)).body.state).toBe('done');
    expect((await life.row('codeless.com')).state).toBe('live');
    await forgetTries();
  });

  test('counts wrong codes for a domain for all accounts of one parent together', async () => {
    const id = await life.buy('one-tree.com');
    const code = await codeOf(id);
    const top = await makeReseller(t);
    const [first, second] = [await makeReseller(t, top), await makeReseller(t, top)];
    const asChild = async (as: string) => ({ as, customer_id: await makeCustomer(t, as) });
    const [one, two] = [await asChild(first), await asChild(second)];
    const tryBy = (by: typeof one, given: string, name = 'one-tree.com') =>
      claim(name, given, { customer_id: by.customer_id }, by.as);
    const wrong = await Promise.all(Array.from({ length: 20 }, () => tryBy(one, 'a-wrong-code-of-no-use')));
    expect(wrong.map(({ status }) => status)).toEqual(wrong.map(() => 400));
    for (const given of ['a-wrong-code-of-no-use', code]) {
      const stopped = await tryBy(two, given);
      expect([stopped.status, stopped.body.code], stopped.text).toEqual([429, 'rate_limited']);
      expect(Number(stopped.headers.get('retry-after'))).toBeGreaterThan(0);
    }
    // Its tries for other domains are its own, and another tree is not limited.
    expect((await tryBy(two, 'a-wrong-code-of-no-use', 'other-tree.com')).status).toBe(400);
    const stranger2 = await asChild(await makeReseller(t));
    expect((await tryBy(stranger2, code)).body.state).toBe('done');
  });

  test("respects locks and keeps the code valid; refuses another account's customer; runs concurrent claims once", async () => {
    const id = await life.buy('kept-by-lock.com');
    const code = await codeOf(id);
    for (const flag of ['theft_protection', 'locked', 'suspended']) {
      expect((await t.call('PUT', `/v1/domains/${id}/${flag}`, { form: { reason: 'a dispute' } })).status).toBe(200);
      const refused = await claim('kept-by-lock.com', code);
      expect([refused.status, refused.body.code], flag).toEqual([409, 'conflict']);
      expect(refused.text).not.toContain('dispute');
      expect((await t.call('DELETE', `/v1/domains/${id}/${flag}`)).status).toBe(200);
    }
    expect((await claim('kept-by-lock.com', code, { customer_id: '2001' })).body.errors[0].field).toBe('customer_id');
    const customer = await makeCustomer(t, stranger);
    const both = await Promise.all([
      claim('kept-by-lock.com', code),
      claim('kept-by-lock.com', code, { customer_id: customer }, stranger),
    ]);
    expect(
      both.filter(({ status }) => status === 200),
      both.map(({ text }) => text).join(),
    ).toHaveLength(1);
    const { n } = await t.ctx.db
      .as(allTenants)
      .one<{ n: string }>(sql`select count(*) as n from domain where name = 'kept-by-lock.com' and state = 'live'`);
    expect(n).toBe('1');
    await expectReconciled(t);
  });

  test('a parent sees the domains of its child, but not their codes, so it cannot claim them', async () => {
    const child = await makeReseller(t, t.demo);
    const customer = await makeCustomer(t, child);
    const down = await offered('of-the-child.com', {
      new_reseller_id: child.split(':')[0]!,
      new_customer_id: customer,
    });
    const { domain_id: id } = (await answer(down, 'accept', child)).body;
    expect((await t.call('GET', `/v1/domains/${id}/auth_code`)).status).toBe(404);
    expect((await claim('of-the-child.com', 'guess-of-the-parent-1', { customer_id: '2001' }, t.demo)).status).toBe(
      400,
    );
    // With the code that the child issued it can, like any account.
    const code = await codeOf(id, child);
    expect((await claim('of-the-child.com', code, { customer_id: '2001' }, t.demo)).body.state).toBe('done');
    await expectReconciled(t);
  });

  test('refuses an expired code and one that was withdrawn', async () => {
    const id = await life.buy('too-old-a-code.com');
    const code = await codeOf(id);
    t.moveClock('+15d');
    expect((await claim('too-old-a-code.com', code)).status).toBe(400);
    expect((await life.row('too-old-a-code.com')).state).toBe('live');
  });
});

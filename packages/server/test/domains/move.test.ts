import { allTenants, sql } from '@namehold/postgres';
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
let receiver: string;
let receiverId: string;
let receiverCustomer: string;
let stranger: string;
const senderId = '1000';
beforeAll(async () => {
  t = await startTestService({ sandbox: true, env: { NAMEHOLD_THEFT_PROTECTION: 'off' } });
  life = lifeOf(t);
  receiver = await makeReseller(t);
  receiverId = receiver.split(':')[0]!;
  receiverCustomer = await makeCustomer(t, receiver);
  stranger = await makeReseller(t);
  const form = { amount: '500', description: 'start' };
  const funded = await t.call('POST', `/v1/resellers/${receiverId}/transactions/fund`, { as: t.operator, form });
  expect(funded.status, funded.text).toBe(200);
});
beforeEach(() => t.control('DELETE', '/faults'));
afterAll(async () => {
  await expectReconciled(t);
  await t.stop();
});

const order = (more: Record<string, string> = {}) => ({
  existing_customer_id: '2001',
  new_reseller_id: receiverId,
  new_customer_id: receiverCustomer,
  default_contacts: 'oldcontact',
  ...more,
});
const move = (domain: string, more: Record<string, string> = {}, rest: object = {}) =>
  t.call('POST', `/v1/domains/${domain}/move`, { form: order(more), ...rest });
const answer = (id: string, verb: 'accept' | 'decline', as = receiver, more: object = {}) =>
  t.call('POST', `/v1/moves/${id}/${verb}`, { as, ...more });
const readMove = (id: string, as = receiver) => t.call('GET', `/v1/moves/${id}`, { as });
const eventsOf = async (as: string, text: string) => {
  const { body } = await t.call('GET', '/v1/events?limit=1000', { as });
  return (body.events as { type: string; payload: object }[]).filter((each) => JSON.stringify(each).includes(text));
};
const typesOf = async (as: string, text: string) => (await eventsOf(as, text)).map(({ type }) => type);
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

test('cannot be accepted after the key that offered it was revoked, only declined', async () => {
  const json = { label: 'offers', ip_whitelist: ['127.0.0.1'] };
  const key = (await t.call('POST', '/v1/account/keys', { json })).body;
  await life.buy('offered-by-thief.com');
  const { operation_id: id } = (await move('offered-by-thief.com', {}, { as: `1000:${key.api_key}` })).body;
  const revoked = await t.call('DELETE', `/v1/account/keys/${key.key_id}`);
  expect(revoked.body.waiting_operations).toEqual([id]);
  const tried = await answer(id, 'accept');
  expect([tried.status, tried.body.code]).toEqual([409, 'conflict']);
  expect((await answer(id, 'decline')).status).toBe(200);
});

describe('a move between customers of one reseller', () => {
  test.each(['com', 'org'])('moves a .%s domain at once, keeps its id, and copies its contacts', async (tld) => {
    const name = `between.${tld}`;
    const id = await life.buy(name);
    const handle = (await atRegistry(name)).registrant;
    const to = await makeCustomer(t);
    const called = await move(name, { new_reseller_id: senderId, new_customer_id: to });
    expect(called.status, called.text).toBe(200);
    expect(called.body).toMatchObject({ domain_id: id, operation_state: 'done' });
    const { body } = await t.call('GET', `/v1/domains/${id}`);
    expect(body).toMatchObject({ customer_id: to, order_status: 'Live' });
    const copies = await contactsOf(to);
    expect(copies.map((each) => each.contact_id)).toContain(body.registrant_contact_id);
    expect(body.registrant_contact_id).not.toBe('3001');
    if (tld === 'org') expect((await atRegistry(name)).registrant).not.toBe(handle);
    expect(await life.events(name)).toContain('domain.moved');
  });

  test('uses the first contact of the new customer by default, and names the field of an error', async () => {
    const id = await life.buy('given.org');
    const to = await makeCustomer(t);
    const wrong = async (more: Record<string, string>) =>
      (await move(id, { new_reseller_id: senderId, ...more })).body.errors[0].field;
    expect(await wrong({ existing_customer_id: to, new_customer_id: '2001' })).toBe('existing_customer_id');
    expect(await wrong({ new_customer_id: receiverCustomer })).toBe('new_customer_id');
    expect(await wrong({ new_customer_id: '2001' })).toBe('new_customer_id');
    const called = await move(id, { new_reseller_id: senderId, new_customer_id: to, default_contacts: 'default' });
    expect(called.status, called.text).toBe(200);
    const [first] = await contactsOf(to);
    expect((await t.call('GET', `/v1/domains/${id}`)).body.registrant_contact_id).toBe(first!.contact_id);
  });
});

test('moves to another reseller after its acceptance, with a new id and a tombstone, and without money', async () => {
  const name = 'wanders.org';
  const id = await life.buy(name, { ns: 'ns1.namehold.test,ns2.namehold.test' });
  await t.call('POST', `/v1/domains/${id}/childns`, { form: { hostname: `ns9.${name}`, ip_address: '192.0.2.9' } });
  const code = (await t.call('GET', `/v1/domains/${id}/auth_code`)).body as string;
  await makeContact(t, '2001', undefined, { name: 'Not For Others', email: 'other@giver.example' });
  const forward_to = 'https://shop.example/';
  const forwarded = await t.call('PUT', `/v1/domains/${id}/domain_forwarding`, { form: { forward_to } });
  expect(forwarded.status, forwarded.text).toBe(200);
  const mailForwarding = { email: 'info', forward_to: 'sari@elsewhere.example' };
  expect((await t.call('POST', `/v1/domains/${id}/email_forwarding`, { form: mailForwarding })).status).toBe(200);
  const before = await life.balance();
  const called = await move(id, {}, { headers: { 'Idempotency-Key': 'move-wanders' } });
  expect(called.status, called.text).toBe(202);
  const moveId = called.body.operation_id as string;
  const again = await move(id, {}, { headers: { 'Idempotency-Key': 'move-wanders' } });
  expect(again.body.operation_id).toBe(moveId);

  const listed = await t.call('GET', '/v1/moves?direction=in&state=offered', { as: receiver });
  expect(listed.body).toHaveLength(1);
  expect(listed.body[0]).toMatchObject({
    move_id: moveId,
    domain_name: name,
    domain_id: null,
    from_reseller_id: senderId,
  });
  // Nothing of the previous reseller is visible in it.
  expect(listed.text).not.toContain('2001');
  expect(listed.text).not.toContain(`"${id}"`);

  const accepted = await answer(moveId, 'accept', receiver, { headers: { 'Idempotency-Key': 'take-wanders' } });
  expect(accepted.status, accepted.text).toBe(200);
  expect(accepted.body).toMatchObject({ state: 'done', direction: 'in' });
  const verification = await t.call('GET', `/v1/domains/${id}/raa_verification`);
  expect(verification.body).toMatchObject({ status: 'NotRequired', verify_by: null });
  expect((await t.call('POST', `/v1/domains/${id}/raa_verification/resend`, { form: {} })).body.code).toBe('conflict');
  const newId = accepted.body.domain_id as string;
  expect(newId).not.toBe(id);
  const twice = await answer(moveId, 'accept', receiver, { headers: { 'Idempotency-Key': 'take-wanders' } });
  expect(twice.body).toEqual(accepted.body);
  expect((await answer(moveId, 'accept')).status).toBe(409);
  expect(await keptAs('take-wanders')).toBe('operation');

  const theirs = (await t.call('GET', `/v1/domains/${newId}`, { as: receiver })).body;
  expect(theirs).toMatchObject({ domain_name: name, customer_id: receiverCustomer, order_status: 'Live' });
  expect(theirs.cns).toEqual([{ hostname: `ns9.${name}`, ip: '192.0.2.9' }]);
  const ours = (await t.call('GET', `/v1/domains/${id}`)).body;
  expect(ours).toMatchObject({ order_status: 'Moved', removed_reason: 'moved', customer_id: '2001' });
  expect(ours.end_date).toBe(theirs.end_date);
  expect((await t.call('GET', `/v1/domains/${newId}`)).status).toBe(404);
  expect((await t.call('GET', `/v1/domains/${newId}/zone`, { as: receiver })).status).toBe(200);
  expect((await t.call('GET', `/v1/domains/${id}/zone`)).status).not.toBe(200);
  // Web forwarding continues under the receiving reseller.
  expect(theirs.domain_forwarding.url_dest).toBe(forward_to);
  expect(ours.domain_forwarding.url_dest).toBe('');
  const ended = await t.call('PUT', `/v1/domains/${newId}/domain_forwarding`, {
    as: receiver,
    form: { forward_to: '' },
  });
  expect(ended.status, ended.text).toBe(200);
  const records = await t.call('GET', `/v1/domains/${newId}/zone/rrsets`, { as: receiver });
  expect(records.text).not.toContain('url_forwarding');
  // Mail forwarding continues too, when its targets have consented to the new customer.
  expect(theirs.email_forwarding).toMatchObject([{ email: `info@${name}`, targets: [{ state: 'waiting' }] }]);
  expect(ours.email_forwarding).toEqual([]);
  const targets = await t.call('GET', '/v1/mail_targets', { as: receiver });
  expect(targets.body).toMatchObject([{ customer_id: receiverCustomer, address: 'sari@elsewhere.example' }]);
  expect(records.text).toContain('mail_forwarding');
  const copies = await contactsOf(receiverCustomer, receiver);
  expect(copies.map((each) => each.name)).not.toContain('Not For Others');
  expect(copies.map((each) => each.contact_id)).toContain(theirs.registrant_contact_id);
  const { rows } = { rows: (await t.call('GET', '/v1/account/transactions', { as: receiver })).text };
  expect(rows).not.toContain(name);
  expect(await life.balance()).toEqual(before);
  expect((await typesOf(receiver, name)).filter((type) => !type.startsWith('domain.verif'))).toEqual([
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
    as: receiver,
    form: {
      years: '1',
      current_date: (await life.row('returns.com')).end_date.toISOString().slice(0, 10),
      invoice_option: 'no_invoice',
    },
  });
  expect(renewed.status, renewed.text).toBe(200);
  await expectReconciled(t);
  const gone = await t.call('DELETE', `/v1/domains/${id}`, { as: receiver });
  expect(gone.status, gone.text).toBe(200);
  // Its own renewal, and nothing else.
  expect(gone.body.refunded.map((each: { transaction_id: string }) => each.transaction_id)).toEqual([
    renewed.body.transaction_id,
  ]);
  expect(await life.balance()).toEqual(before);
  expect(await typesOf(t.demo, 'returns.com')).toContain('domain.purchase_refunded');
  expect(await typesOf(receiver, 'returns.com')).not.toContain('domain.purchase_refunded');
  await expectReconciled(t);
});

test('keeps a refund to a deleted reseller available to its parent, and notifies the parent', async () => {
  const sender = await makeReseller(t, t.demo);
  const [id, customer] = [sender.split(':')[0]!, await makeCustomer(t, sender)];
  const contact = await makeContact(t, customer, sender);
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
  await ok('POST', '/v1/domains', { as: sender, form: { ...form, ...Object.fromEntries(roles) } });
  const left = await funds();
  const paid = (50 - Number(left)).toFixed(2);
  const moved = await move('gone-giver.com', { existing_customer_id: customer }, { as: sender });
  const { domain_id } = (await answer(moved.body.operation_id, 'accept')).body;
  await ok('DELETE', `/v1/customers/${customer}`, { as: sender });
  expect((await note('debit_note', left)).status).toBe(200);
  await ok('DELETE', `/v1/resellers/${id}`);

  await ok('DELETE', `/v1/domains/${domain_id}`, { as: receiver });
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

test('allows only the offering and the receiving reseller to act, each within its part', async () => {
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
  expect((await t.call('POST', `/v1/operations/${moveId}/approve`, { as: await keyFor(t, senderId) })).status).toBe(
    409,
  );
  for (const path of ['', '/approve', '/decline', '/cancel'])
    expect((await t.call(path ? 'POST' : 'GET', `/v1/operations/${moveId}${path}`, { as: receiver })).status).toBe(404);
  const weak = await keyFor(t, receiverId, ['read']);
  expect((await answer(moveId, 'accept', weak)).body.code).toBe('scope_missing');
  // A domain of another account cannot be moved.
  expect((await move('wanted.com', { existing_customer_id: receiverCustomer }, { as: receiver })).status).toBe(404);
  expect((await life.row('wanted.com')).state).toBe('live');
  expect((await answer(moveId, 'decline', t.demo)).body).toMatchObject({ state: 'declined', direction: 'out' });
});

test('requires acceptance between parent and child in both directions', async () => {
  const child = await makeReseller(t, t.demo);
  const childId = child.split(':')[0]!;
  const customer = await makeCustomer(t, child);
  const down = await offered('to-the-child.com', { new_reseller_id: childId, new_customer_id: customer });
  expect((await answer(down, 'accept', t.demo)).status).toBe(404);
  const { domain_id: theirs } = (await answer(down, 'accept', child)).body;
  // The parent sees the domains of its child, and can move none of them.
  const back = { existing_customer_id: customer, new_reseller_id: senderId, new_customer_id: '2001' };
  expect((await move(theirs, back)).status).toBe(404);
  const up = await move(theirs, back, { as: child });
  expect(up.status, up.text).toBe(202);
  expect((await answer(up.body.operation_id, 'accept', child)).status).toBe(404);
  const home = await answer(up.body.operation_id, 'accept', t.demo);
  expect(home.body).toMatchObject({ state: 'done', direction: 'in' });
  await expectReconciled(t);
});

test('checks locks at offer and acceptance, and shows the fix only to the side that can apply it', async () => {
  const id = await life.buy('held-back.com');
  const cases = [
    ['theft_protection', /protected against transfers.*DELETE \/v1\/domains\/\d+\/theft_protection/],
    ['locked', /locked.*DELETE \/v1\/domains\/\d+\/locked/],
    ['suspended', /suspended.*DELETE \/v1\/domains\/\d+\/suspended/],
  ] as const;
  for (const [flag, expected] of cases) {
    expect((await t.call('PUT', `/v1/domains/${id}/${flag}`)).status).toBe(200);
    const called = await move(id);
    expect([called.status, called.body.code]).toEqual([400, 'domain_blocked']);
    expect(called.body.message).toMatch(expected);
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

test('allows one offer per domain, and notifies both sides when it is rejected or expires', async () => {
  const first = await offered('no-thanks.com');
  const second = await move('no-thanks.com');
  expect([second.status, second.body.operation_id]).toEqual([409, first]);
  expect((await answer(first, 'decline')).body).toMatchObject({ state: 'declined', direction: 'in' });
  expect((await t.call('GET', `/v1/operations/${first}`)).body).toMatchObject({
    state: 'cancelled',
    approval: { answer: 'declined', answered_by: null },
  });
  const declined = (await move('no-thanks.com')).body.operation_id as string;
  expect((await t.call('POST', `/v1/operations/${declined}/decline`)).status).toBe(200);
  expect((await readMove(declined)).body.state).toBe('declined');
  // The end is reported to both sides with the same text.
  for (const as of [receiver, t.demo]) expect((await answer(declined, 'decline', as)).body.code).toBe('conflict');
  const late = (await move('no-thanks.com')).body.operation_id as string;
  t.moveClock('+73h');
  expect((await answer(late, 'accept')).status).toBe(409);
  await expireApprovals(t.ctx);
  expect((await readMove(late)).body.state).toBe('lapsed');
  for (const as of [receiver, t.demo]) {
    expect(await typesOf(as, first)).toEqual(['move.offered', 'move.declined']);
    expect(await typesOf(as, declined)).toEqual(['move.offered', 'move.declined']);
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

test('requires approval of a move if auth codes require it, before the receiving reseller sees it', async () => {
  await life.buy('guarded.com');
  const other = await keyFor(t, senderId);
  expect((await t.call('PUT', '/v1/account/security', { json: { second_yes: ['auth_code'] } })).status).toBe(200);
  try {
    const moveId = (await move('guarded.com')).body.operation_id as string;
    expect((await readMove(moveId, t.demo)).body.state).toBe('asked');
    expect((await readMove(moveId)).status).toBe(404);
    expect((await answer(moveId, 'accept')).status).toBe(404);
    expect((await t.call('POST', `/v1/operations/${moveId}/approve`)).status).toBe(409);
    const approved = await t.call('POST', `/v1/operations/${moveId}/approve`, { as: other });
    expect(approved.body).toMatchObject({ state: 'action_required', attention: { choices: ['decline'] } });
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

describe('a move at a failing registry', () => {
  test('keeps the domain after a refusal, and leaves no copy of a contact at the receiving reseller', async () => {
    const moveId = await offered('refused.org');
    const before = await contactsOf(receiverCustomer, receiver);
    await t.ctx.db.transaction(allTenants, (tx) =>
      tx.run(sql`update contact set name = 'Somebody Else', fingerprint = 'else' where id = 3001`),
    );
    await t.control('POST', '/domains/refused.org/tamper', { add_statuses: ['serverUpdateProhibited'] });
    const called = await answer(moveId, 'accept');
    expect(called.body).toMatchObject({ state: 'refused', domain_id: null });
    expect(called.body.reason).toBeTruthy();
    expect(await contactsOf(receiverCustomer, receiver)).toEqual(before);
    expect(await life.row('refused.org')).toMatchObject({ state: 'live' });
    expect(await typesOf(receiver, moveId)).toEqual(['move.offered', 'move.failed']);
    expect(await typesOf(t.demo, moveId)).toEqual(['move.offered', 'domain.move_refused']);
  });

  test('queries the registry after a lost answer, and moves the domain once', async () => {
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
  expect((await t.call('PUT', '/v1/account/security', { json: { theft_protection: 'on' }, as: receiver })).status).toBe(
    200,
  );
  const moveId = await offered('safe-there.com');
  const { domain_id: id } = (await answer(moveId, 'accept')).body;
  await protectOwed(t.ctx);
  expect((await t.call('GET', `/v1/domains/${id}/theft_protection`, { as: receiver })).body).toBe(true);
});

describe('a move claimed with the auth code', () => {
  const claim = (name: string, code: string, more: object = {}, as = receiver) =>
    t.call('POST', '/v1/moves', {
      json: { domain_name: name, auth_code: code, customer_id: receiverCustomer, ...more },
      as,
    });
  const codeOf = async (id: string, as?: string) =>
    (await t.call('GET', `/v1/domains/${id}/auth_code`, as ? { as } : {})).body as string;
  const deleteTries = () => t.ctx.db.autocommit(allTenants).run(sql`delete from move_try`);
  const noticeKinds = async (id: string) =>
    ((await t.call('GET', '/v1/notices', { query: { domain_id: id } })).body as { kind: string }[]).map(
      ({ kind }) => kind,
    );

  test.each(['com', 'org'])(
    'moves a .%s domain once, without money, and notifies both sides and the registrant',
    async (tld) => {
      const name = `claimed.${tld}`;
      const id = await life.buy(name);
      const code = await codeOf(id);
      const before = await life.balance();
      const claimed = await claim(name, code);
      expect(claimed.status, claimed.text).toBe(200);
      expect(claimed.body).toMatchObject({
        state: 'done',
        direction: 'in',
        from_reseller_id: senderId,
        to_customer_id: receiverCustomer,
      });
      const theirs = (await t.call('GET', `/v1/domains/${claimed.body.domain_id}`, { as: receiver })).body;
      expect(theirs).toMatchObject({ domain_name: name, customer_id: receiverCustomer, order_status: 'Live' });
      expect((await t.call('GET', `/v1/domains/${id}`)).body.order_status).toBe('Moved');
      expect((await readMove(claimed.body.move_id, t.demo)).body).toMatchObject({ state: 'done', direction: 'out' });
      const [left] = (await eventsOf(t.demo, claimed.body.move_id)).filter(({ type }) => type === 'domain.moved_away');
      expect(left!.payload).toMatchObject({ by: 'code', to_reseller_id: receiverId });
      expect(await typesOf(receiver, claimed.body.move_id)).toEqual(['domain.moved_in']);
      expect(await noticeKinds(id)).toContain('moved_away');
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

  test('returns one answer for every wrong claim, and limits guesses', async () => {
    await deleteTries();
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
    await deleteTries();
  });

  test('counts wrong codes for a domain over all accounts of one parent', async () => {
    const id = await life.buy('one-tree.com');
    const code = await codeOf(id);
    const top = await makeReseller(t);
    const [first, second] = [await makeReseller(t, top), await makeReseller(t, top)];
    const asChild = async (as: string) => ({ as, customer_id: await makeCustomer(t, as) });
    const [one, two] = [await asChild(first), await asChild(second)];
    const claimBy = (by: typeof one, given: string, name = 'one-tree.com') =>
      claim(name, given, { customer_id: by.customer_id }, by.as);
    const wrong = await Promise.all(Array.from({ length: 20 }, () => claimBy(one, 'a-wrong-code-of-no-use')));
    expect(wrong.map(({ status }) => status)).toEqual(wrong.map(() => 400));
    for (const given of ['a-wrong-code-of-no-use', code]) {
      const stopped = await claimBy(two, given);
      expect([stopped.status, stopped.body.code], stopped.text).toEqual([429, 'rate_limited']);
      expect(Number(stopped.headers.get('retry-after'))).toBeGreaterThan(0);
    }
    // Its tries for other domains are its own, and another tree is not limited.
    expect((await claimBy(two, 'a-wrong-code-of-no-use', 'other-tree.com')).status).toBe(400);
    const stranger2 = await asChild(await makeReseller(t));
    expect((await claimBy(stranger2, code)).body.state).toBe('done');
  });

  test("respects locks, refuses another account's customer, and carries out concurrent claims once", async () => {
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

  test('is refused to a parent, which sees the domains of its child but not their codes', async () => {
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

  test('is refused for an expired code and for a withdrawn one', async () => {
    const id = await life.buy('too-old-a-code.com');
    const code = await codeOf(id);
    t.moveClock('+15d');
    expect((await claim('too-old-a-code.com', code)).status).toBe(400);
    expect((await life.row('too-old-a-code.com')).state).toBe('live');
  });
});

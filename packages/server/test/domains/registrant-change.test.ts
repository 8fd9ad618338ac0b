import { allTenants, sql } from '@namehold/postgres';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { makeContact, makeCustomer, person } from '../../../../test/support/parties.ts';
import { expectReconciled } from '../../../../test/support/reconciliation.ts';
import { makeReseller } from '../../../../test/support/resellers.ts';
import { startTestService, type TestService } from '../../../../test/support/service.ts';
import { expireApprovals } from '../../src/core/approvals/expire.ts';
import { sendDue } from '../../src/core/delivery/send.ts';
import { carryOutConfirmed } from '../../src/core/registrant-change/carry-out.ts';
import { expireOvertaken } from '../../src/core/registrant-change/overtaken.ts';
import { lifeOf, orderOf } from './life.ts';

/** Change of registrant of a gTLD domain: at once by the reseller's agreement, or after the confirmation of both sides. */
let t: TestService;
let life: ReturnType<typeof lifeOf>;
let stranger: string;
let child: string;
let spent = 0n;
let start: bigint;
beforeAll(async () => {
  t = await startTestService({
    sandbox: true,
    env: { NAMEHOLD_VERIFY_REGISTRANTS: 'hold', NAMEHOLD_THEFT_PROTECTION: 'off' },
  });
  life = lifeOf(t);
  stranger = await makeReseller(t);
  child = await makeReseller(t, t.demo);
  start = (await life.balance()).available;
});
afterAll(async () => {
  // No change of registrant costs anything.
  expect(start - (await life.balance()).available).toBe(spent);
  await expectReconciled(t);
  await life.end();
});

/** The mails are in English. */
const abroad = { country_code: 'SG', state: 'Not Applicable', zipcode: '068808' };
let made = 0;
interface Made {
  readonly id: string;
  readonly email: string;
  readonly name: string;
}
async function contact(more: Record<string, string> = {}): Promise<Made> {
  made += 1;
  const data = { name: `Registrant ${made}`, company: `Firm ${made}`, email: `h${made}@registrants.example`, ...more };
  const id = await makeContact(t, '2001', undefined, { ...data, ...abroad });
  return { id, email: data.email, name: data.name };
}
async function buy(name: string, registrant: Made): Promise<string> {
  const before = (await life.balance()).available;
  const id = await life.buy(name, { ...orderOf(name), registrant_contact_id: registrant.id });
  spent += before - (await life.balance()).available;
  return id;
}
const contacts = (registrant: Made) => ({
  registrant_contact_id: registrant.id,
  admin_contact_id: '3001',
  tech_contact_id: '3001',
  billing_contact_id: '3001',
});
const set = (domain: string, to: Made, more: Record<string, string> = {}, rest: object = {}) =>
  t.call('PUT', `/v1/domains/${domain}/contacts`, { form: { ...contacts(to), ...more }, ...rest });
const confirm = { designated_agent: 'false' };
const operation = async (id: string) => (await t.call('GET', `/v1/operations/${id}`)).body;
const registrantOf = async (domain: string) =>
  (await t.call('GET', `/v1/domains/${domain}`)).body.registrant_contact_id;
const locks = async (domain: string): Promise<string[]> =>
  (await t.call('GET', `/v1/domains/${domain}/timeline`)).body.milestones
    .map(({ what, sentence }: { what: string; sentence: string }) => `${what} ${sentence}`)
    .filter((each: string) => each.includes('change of the registrant'));
const eventsOf = async (operationId: string) => {
  const rows = await t.ctx.db
    .as(allTenants)
    .many<{ type: string }>(
      sql`select type from event where object_id = ${operationId} and type like 'holder_change.%' order by number`,
    );
  return rows.map(({ type }) => type.replace('holder_change.', ''));
};
const audited = async (objectId: string) =>
  t.ctx.db
    .as(allTenants)
    .many<{ action: string; after: object }>(
      sql`select action, after from audit where object_id = ${objectId} and after ? 'holder_change' order by id`,
    );

/** The link in the newest confirmation mail to this address. */
async function linkTo(address: string): Promise<string> {
  const { body } = await t.call('GET', '/v1/notices', { query: { kind: 'holder_change_asked', limit: '100' } });
  const notice = body.find((each: { address: string }) => each.address === address);
  expect(notice, address).toBeDefined();
  await sendDue(t.ctx);
  return vi.waitFor(
    async () => {
      const mails = (await t.call('GET', '/v1/sandbox/mail', { query: { limit: '100' } })).body;
      const mail = mails.find((each: { notice_id: string }) => each.notice_id === notice.notice_id);
      const link = /^https?:\/\/\S+\/confirm\/\S+$/m.exec(mail?.text ?? '')?.[0];
      expect(link).toBeDefined();
      return link!;
    },
    { timeout: 300_000 },
  );
}
async function sendAnswer(link: string, fields: Record<string, string> = { answer: 'yes' }): Promise<string> {
  const answer = await fetch(link, { method: 'POST', body: new URLSearchParams(fields) });
  return `${answer.status} ${await answer.text()}`;
}
const openLink = async (link: string) => {
  const answer = await fetch(link);
  return `${answer.status} ${await answer.text()}`;
};
const nothing = /^404 .*link is not valid/s;

async function waiting(domain: string, to: Made, more: Record<string, string> = {}): Promise<string> {
  const called = await set(domain, to, { ...confirm, ...more });
  expect(called.status, called.text).toBe(202);
  expect(called.body).toMatchObject({ operation_state: 'action_required', status: 'Pending' });
  return called.body.operation_id as string;
}
const ended = (id: string, state: string) =>
  vi.waitFor(async () => expect((await operation(id)).state).toBe(state), { timeout: 300_000 });

test('changes at once for a designated agent, notifies both sides, and locks unless opted out', async () => {
  const [first, second, third] = [await contact(), await contact(), await contact()];
  const id = await buy('by-agent.com', first);
  const dry = await set(id, second, { dry_run: 'true' });
  expect(dry.body, dry.text).toMatchObject({
    dry_run: true,
    path: 'agent',
    confirmations: [],
    confirm_by: null,
    fee: { amount: '0.00', currency: 'USD' },
  });
  expect(await registrantOf(id)).toBe(first.id);
  const { config } = t.ctx as { config: { registrantChanges: string } };
  config.registrantChanges = 'confirm';
  try {
    expect((await set(id, second, { dry_run: 'true' })).body.path).toBe('confirmations');
    expect((await set(id, second, { dry_run: 'true', designated_agent: '1' })).body.path).toBe('agent');
  } finally {
    config.registrantChanges = 'agent';
  }
  // Clients of the contract do not send the fields for it.
  const called = await set(id, second, { lock_opt_out: 'true' });
  expect(called.status, called.text).toBe(200);
  expect(called.body).toEqual({ domain_id: id, ...contacts(second) });
  expect(await locks(id)).toEqual([]);
  expect((await set(id, third, { designated_agent: 'true' })).status).toBe(200);
  expect(await locks(id)).toHaveLength(2);
  expect((await locks(id))[0]).toContain('move_lock_ends');
  expect(dry.body.transfer_lock_until.slice(0, 10)).toBe(
    new Date(t.ctx.clock.now().getTime() + 60 * 86_400_000).toISOString().slice(0, 10),
  );
  expect((await audited(id)).map(({ after }) => after)).toMatchObject([
    { holder_change: 'agent', agent_said: false, lock_opt_out: true },
    { holder_change: 'agent', agent_said: true, lock_opt_out: false },
  ]);
  // The same person as another contact: no change of registrant.
  const same = await contact({ name: third.name, company: 'Firm 3', email: third.email.toUpperCase() });
  expect((await set(id, same, { ...confirm, dry_run: 'true' })).body.path).toBe('at_once');
  expect((await set(id, same, confirm)).status).toBe(200);
});

test('changes the registrant of a ccTLD domain at once, whatever the request contains', async () => {
  const [first, second] = [await contact(), await contact()];
  const name = 'at-once.cc';
  const id = await buy(name, first);
  expect((await set(id, second, { ...confirm, dry_run: '1' })).body).toMatchObject({
    path: 'at_once',
    transfer_lock_until: null,
  });
  expect((await set(id, second, confirm)).status).toBe(200);
  expect(await locks(id)).toEqual([]);
});

test('changes only after both sides confirm, and the prior registrant decides about the lock', async () => {
  const [prior, next] = [await contact(), await contact()];
  const name = 'confirmed.org';
  const id = await buy(name, prior);
  const dry = (await set(id, next, { ...confirm, dry_run: 'true' })).body;
  expect(dry).toMatchObject({
    path: 'confirmations',
    confirmations: [
      { side: 'prior', address: prior.email },
      { side: 'new', address: next.email },
    ],
  });
  const atRegistry = async () => (await t.control('GET', `/domains/${name}`)).body.registrant;
  const handle = await atRegistry();
  const key = { headers: { 'Idempotency-Key': 'registrant-1' } };
  const called = await set(id, next, confirm, key);
  expect(called.status, called.text).toBe(202);
  const op = called.body.operation_id as string;
  expect((await set(id, next, confirm, key)).body.operation_id).toBe(op);
  expect(await operation(op)).toMatchObject({
    state: 'action_required',
    attention: { choices: ['decline'] },
    approval: { change: 'holder', confirmations: [{ side: 'prior', confirmed_at: null }, { side: 'new' }] },
  });
  // Neither a second change, nor an approval, nor another account.
  expect((await set(id, next)).body).toMatchObject({ code: 'conflict', operation_id: op });
  expect((await t.call('POST', `/v1/operations/${op}/approve`)).body.message).toContain('approved by the registrants');
  for (const as of [stranger, child, t.operator])
    for (const verb of ['approve', 'decline', 'cancel'])
      expect((await t.call('POST', `/v1/operations/${op}/${verb}`, { as })).status).toBe(404);
  // Other operations continue meanwhile.
  expect(
    (await t.call('PUT', `/v1/domains/${id}/ns`, { form: { ns: 'ns1.else.example,ns2.else.example' } })).status,
  ).toBe(200);
  const [first, second] = [await linkTo(prior.email), await linkTo(next.email)];
  const shown = await openLink(first);
  for (const part of [name, prior.name, next.name, prior.email, next.email, 'no_lock', '60 days'])
    expect(shown).toContain(part);
  expect(await openLink(second)).not.toContain('no_lock');
  // Opening the page confirms nothing, nor does a form without an answer.
  await sendAnswer(second, {});
  expect((await operation(op)).approval.confirmations).toMatchObject([{ confirmed_at: null }, { confirmed_at: null }]);
  expect(await sendAnswer(first, { answer: 'yes', no_lock: '1' })).toMatch(/^200 .*You confirmed the change/s);
  expect([await registrantOf(id), await atRegistry()]).toEqual([prior.id, handle]);
  expect(await sendAnswer(first)).toMatch(nothing);
  expect(await sendAnswer(second)).toMatch(/^200/);
  await ended(op, 'done');
  expect(await registrantOf(id)).toBe(next.id);
  expect(await atRegistry()).not.toBe(handle);
  expect(await locks(id)).toEqual([]);
  expect(await eventsOf(op)).toEqual(['asked', 'confirmed', 'confirmed', 'done']);
  expect((await audited(id)).at(-1)!.after).toMatchObject({ holder_change: 'confirmations', lock_opt_out: true });
  // An address that confirmed by mail is reachable, so it is verified.
  expect((await t.call('GET', `/v1/domains/${id}/raa_verification`)).body).toMatchObject({ status: 'Verified' });
  for (const link of [first, second])
    for (const page of [await openLink(link), await sendAnswer(link)]) expect(page).toMatch(nothing);
  expect((await set(id, next, confirm, key)).body).toMatchObject(contacts(next));
});

test('sends one mail for one address on both sides, and locks after its confirmation', async () => {
  const prior = await contact();
  const next = await contact({ email: prior.email });
  const id = await buy('one-person.com', prior);
  const op = await waiting(id, next);
  expect((await operation(op)).approval.confirmations).toHaveLength(1);
  expect(await sendAnswer(await linkTo(prior.email))).toMatch(/^200/);
  await ended(op, 'done');
  expect(await registrantOf(id)).toBe(next.id);
  expect(await locks(id)).toHaveLength(2);
});

test('keeps the registrant when one side or the reseller rejects, or the request expires', async () => {
  const [prior, next, other] = [await contact(), await contact(), await contact()];
  const id = await buy('not-agreed.com', prior);
  const refused = await waiting(id, next);
  const links = [await linkTo(prior.email), await linkTo(next.email)];
  expect(await sendAnswer(links[0]!)).toMatch(/^200/);
  expect(await sendAnswer(links[1]!, { answer: 'no' })).toMatch(/^200 .*You rejected the change/s);
  expect((await operation(refused)).state).toBe('cancelled');
  for (const link of links) expect(await sendAnswer(link)).toMatch(nothing);

  const declined = await waiting(id, next);
  const early = await linkTo(next.email);
  expect((await t.call('POST', `/v1/operations/${declined}/decline`)).body.state).toBe('cancelled');
  expect(await sendAnswer(early)).toMatch(nothing);
  // The first side's token after the second one's: it changes nothing.
  const expired = await waiting(id, other);
  for (const link of [early, ...links]) expect(await sendAnswer(link)).toMatch(nothing);
  const late = [await linkTo(prior.email), await linkTo(other.email)];
  expect((await operation(expired)).approval.confirmations).toMatchObject([{ confirmed_at: null }, {}]);
  expect(await sendAnswer(late[0]!)).toMatch(/^200/);
  t.moveClock('+14d');
  await t.control('GET', '/clock');
  expect(await sendAnswer(late[1]!)).toMatch(nothing);
  await expireApprovals(t.ctx);
  expect((await operation(expired)).state).toBe('cancelled');
  expect(await registrantOf(id)).toBe(prior.id);
  expect(await eventsOf(refused)).toEqual(['asked', 'confirmed', 'declined']);
  expect(await eventsOf(declined)).toEqual(['asked', 'declined']);
  expect(await eventsOf(expired)).toEqual(['asked', 'confirmed', 'lapsed']);
});

test('holds a change of contact data until both sides confirm, and then sends it to the registry', async () => {
  const prior = await contact();
  const ids = [await buy('held-one.org', prior), await buy('held-two.info', prior)];
  const path = `/v1/customers/2001/contacts/${prior.id}`;
  const { body: card } = await t.call('GET', path);
  const same = person({
    name: card.name,
    company: card.company,
    email: card.email,
    ...abroad,
  });
  const next = { ...same, name: 'Heir Apparent', email: 'heir@registrants.example', city: 'Elsewhere' };
  const change = (form: Record<string, string>, rest: object = {}) => t.call('PUT', path, { form, ...rest });
  // A change of address is no change of registrant.
  expect((await change({ ...same, city: 'Singapore', ...confirm, dry_run: 'true' })).body.path).toBe('at_once');
  expect((await change({ ...next, ...confirm, dry_run: 'true' })).body).toMatchObject({
    path: 'confirmations',
    confirmations: [{ address: prior.email }, { address: 'heir@registrants.example' }],
  });
  const key = { headers: { 'Idempotency-Key': 'contact-1' } };
  const called = await change({ ...next, ...confirm }, key);
  expect(called.status, called.text).toBe(202);
  const op = called.body.operation_id as string;
  expect((await change({ ...next, ...confirm }, key)).body.operation_id).toBe(op);
  expect((await change({ ...same, city: 'Third' })).body).toMatchObject({ code: 'conflict', operation_id: op });
  expect((await t.call('GET', path)).body).toEqual(card);
  expect(await operation(op)).toMatchObject({ kind: 'holder_change', domains: ['held-one.org', 'held-two.info'] });
  expect(JSON.stringify(await operation(op))).not.toContain('heir@');
  const page = await openLink(await linkTo(prior.email));
  for (const part of ['held-one.org', 'held-two.info', 'Heir Apparent']) expect(page).toContain(part);
  // Sent again by any of its domains, to the side that has not confirmed.
  const resend = (domain: string) => t.call('POST', `/v1/domains/${domain}/irtp_verification/resend`, { form: {} });
  expect((await resend(ids[1]!)).body).toEqual({ domain_id: ids[1], sent: true });
  expect(await sendAnswer(await linkTo('heir@registrants.example'))).toMatch(/^200/);
  for (let count = 0; count < 3; count++) expect((await resend(ids[0]!)).status).toBe(200);
  expect((await resend(ids[0]!)).body.message).toContain('a day');
  // A lock that was set meanwhile applies to this way too.
  expect((await t.call('PUT', `/v1/domains/${ids[1]}/locked`, { form: { reason: 'dispute' } })).status).toBe(200);
  expect(await sendAnswer(await linkTo(prior.email))).toMatch(/^200/);
  await carryOutConfirmed(t.ctx);
  expect((await operation(op)).state).toBe('action_required');
  expect((await t.call('GET', path)).body).toMatchObject({ name: card.name, email: card.email, city: card.city });
  expect((await t.call('DELETE', `/v1/domains/${ids[1]}/locked`)).status).toBe(200);
  await carryOutConfirmed(t.ctx);
  await ended(op, 'done');
  expect((await t.call('GET', path)).body).toMatchObject({ name: 'Heir Apparent', city: 'Elsewhere' });
  for (const id of ids) expect(await locks(id)).toHaveLength(2);
  expect(await eventsOf(op)).toEqual(['asked', 'confirmed', 'confirmed', 'done']);
  const carried = (await t.call('GET', '/v1/operations', { query: { kind: 'contact_update' } })).body[0];
  expect(carried).toMatchObject({ contact_id: prior.id, domains: ['held-one.org', 'held-two.info'] });
  await t.ctx.engine.start(carried.operation_id);
  await ended(carried.operation_id, 'done');
  expect((await change({ ...next, ...confirm }, key)).body).toMatchObject({ operation_id: op, status: 'Completed' });
  const { secrets_sealed: sealed } = await t.ctx.db
    .as(allTenants)
    .one<{ secrets_sealed: string | null }>(sql`select secrets_sealed from operation where id = ${op}`);
  expect(sealed).toBeNull();
});

test('executes a confirmed change in a background job after an obstacle has ended', async () => {
  const [prior, next] = [await contact(), await contact()];
  const id = await buy('in-the-way.com', prior);
  const op = await waiting(id, next);
  expect((await t.call('PUT', `/v1/domains/${id}/locked`, { form: { reason: 'dispute' } })).status).toBe(200);
  const links = [await linkTo(prior.email), await linkTo(next.email)];
  // Both at the same instant: one of them sees the other's confirmation.
  expect((await Promise.all(links.map((link) => sendAnswer(link)))).map((page) => page.slice(0, 3))).toEqual([
    '200',
    '200',
  ]);
  await carryOutConfirmed(t.ctx);
  expect((await operation(op)).state).toBe('action_required');
  expect((await t.call('DELETE', `/v1/domains/${id}/locked`)).status).toBe(200);
  await carryOutConfirmed(t.ctx);
  await carryOutConfirmed(t.ctx);
  await ended(op, 'done');
  expect(await registrantOf(id)).toBe(next.id);
});

test('does not execute a change whose contact, customer or domain changed meanwhile', async () => {
  const [prior, next] = [await contact(), await contact()];
  const changed = await buy('other-data.com', prior);
  const op = await waiting(changed, next);
  const links = [await linkTo(prior.email), await linkTo(next.email)];
  expect(await sendAnswer(links[0]!)).toMatch(/^200/);
  const data = person({ name: 'Somebody Else', email: next.email, ...abroad });
  expect((await t.call('PUT', `/v1/customers/2001/contacts/${next.id}`, { form: data })).status).toBe(200);
  for (const page of [await openLink(links[1]!), await sendAnswer(links[1]!)]) expect(page).toMatch(nothing);

  const movedPrior = await contact();
  const moved = await buy('to-another.com', movedPrior);
  const movedOp = await waiting(moved, await contact());
  const movedLink = await linkTo(movedPrior.email);
  const to = await makeCustomer(t);
  const order = { existing_customer_id: '2001', new_reseller_id: '1000', new_customer_id: to };
  const move = await t.call('POST', `/v1/domains/${moved}/move`, {
    form: { ...order, default_contacts: 'oldcontact' },
  });
  expect(move.status, move.text).toBe(200);
  expect(await sendAnswer(movedLink)).toMatch(nothing);

  const gonePrior = await contact();
  const gone = await buy('gone-meanwhile.com', gonePrior);
  const goneOp = await waiting(gone, await contact());
  const goneLink = await linkTo(gonePrior.email);
  const before = (await life.balance()).available;
  expect((await t.call('DELETE', `/v1/domains/${gone}`, { form: { customer_id: '2001' } })).status).toBe(200);
  spent += before - (await life.balance()).available;
  expect(await sendAnswer(goneLink)).toMatch(nothing);

  // A contact change that waits concerns only the domains that were confirmed.
  const many = await contact();
  const held = [await buy('held-still.com', many), await buy('held-not.com', many)];
  const path = `/v1/customers/2001/contacts/${many.id}`;
  const named = { ...person({ name: 'Another Heir', email: 'another@registrants.example', ...abroad }), ...confirm };
  const manyOp = (await t.call('PUT', path, { form: named })).body.operation_id as string;
  const manyLink = await linkTo(many.email);
  const other = await set(held[0]!, await contact(), { designated_agent: 'true' });
  expect(other.body, other.text).toMatchObject({ code: 'conflict', operation_id: manyOp });
  const given = await set(changed, many, { designated_agent: 'true' });
  expect(given.body.code, given.text).toBe('conflict');
  await buy('held-since.com', many);
  for (const page of [await openLink(manyLink), await sendAnswer(manyLink)]) expect(page).toMatch(nothing);

  await carryOutConfirmed(t.ctx);
  await expireOvertaken(t.ctx);
  await expireOvertaken(t.ctx);
  expect((await operation(manyOp)).state).toBe('cancelled');
  for (const each of [op, movedOp, goneOp]) expect((await operation(each)).state).toBe('cancelled');
  expect(await registrantOf(changed)).toBe(prior.id);
  const { n } = await t.ctx.db
    .as(allTenants)
    .one<{ n: string }>(sql`select count(*) as n from operation where approval_until is not null`);
  expect(Number(n)).toBe(0);
});

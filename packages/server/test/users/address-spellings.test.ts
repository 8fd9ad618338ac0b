import { afterAll, beforeAll, expect, test } from 'vitest';
import { makeCustomer, person } from '../../../../test/support/parties.ts';
import { makeReseller } from '../../../../test/support/resellers.ts';
import { countRows } from '../../../../test/support/rows.ts';
import { startTestService, type TestService } from '../../../../test/support/service.ts';
import { mailedCode, openSession } from '../../../../test/support/users.ts';

/** Spellings of one domain: full-width letters, ideographic and full-width full stops, letter case, and the ASCII form. */
const domains = ['xn--bcher-kva.example', 'bücher.example', 'BÜCHER.example', 'bücher。example', 'bücher．ｅxample'];

let t: TestService;
let account: string;
let id: string;
beforeAll(async () => {
  t = await startTestService();
  account = await makeReseller(t);
  id = account.split(':')[0]!;
  await openSession(t, id);
});
afterAll(() => t.stop());

const statuses = async (calls: readonly (() => Promise<{ status: number }>)[]) => {
  const seen: number[] = [];
  for (const call of calls) seen.push((await call()).status);
  return seen;
};

test('counts all spellings of a domain as one mailbox in the limit of invitations', async () => {
  const session = await openSession(t, id);
  const invite = (domain: string) => () =>
    t.call('POST', '/v1/users', { json: { email: `box@${domain}`, role: 'read_only' }, session });
  expect(await statuses(domains.map(invite))).toEqual([200, 200, 200, 429, 429]);
  const { body } = await t.call('GET', '/v1/user_invitations', { session });
  // Each invitation ends the one before.
  expect(body).toMatchObject([{ email: 'box@xn--bcher-kva.example' }]);
  expect(body).toHaveLength(1);
});

test('counts them as one mailbox in requests for a new password', async () => {
  const recover = (domain: string) => () =>
    t.call('POST', '/v1/recovery', { json: { email: `me@${domain}` }, session: '' });
  expect(await statuses(domains.map(recover))).toEqual([202, 202, 202, 429, 429]);
});

test('has one customer and one user for a mailbox, who sign in with each spelling', async () => {
  const customerId = await makeCustomer(t, account, { email: 'One@bücher.example' });
  const before = await countRows(t, 'customer');
  for (const domain of domains) {
    const form = person({ email: `one@${domain}`, password: 'a long enough one' });
    const called = await t.call('POST', '/v1/customers', { form, as: account });
    expect([called.status, called.body.code], domain).toEqual([409, 'already_exists']);
  }
  expect(await countRows(t, 'customer')).toBe(before);
  await t.call('PUT', `/v1/customers/${customerId}/access`, { json: { access: 'read' }, as: account });
  await openSession(t, id, { email: 'user@xn--bcher-kva.example' });
  const password = 'a long enough one';
  for (const domain of domains) {
    const json = { reseller_id: id, email: `one@${domain}`, password };
    const signedIn = await t.call('POST', '/v1/session', { json, session: '' });
    expect([signedIn.status, signedIn.body.person?.email], domain).toEqual([200, 'One@xn--bcher-kva.example']);
    const user = await t.call('POST', '/v1/session', { json: { email: `user@${domain}`, password }, session: '' });
    expect([user.status, user.body.person?.email], domain).toEqual([200, 'user@xn--bcher-kva.example']);
  }
});

test('makes the first owner of an account with the stored form of its address', async () => {
  const password = 'a long enough one';
  const form = person({ email: 'owner@bücher.example', password, selling_currency: 'USD' });
  const made = await t.call('POST', '/v1/resellers', { form });
  expect(made.body.email).toBe('owner@xn--bcher-kva.example');
  const json = { reseller_id: made.body.reseller_id, email: 'owner@bücher。example', password };
  expect((await t.call('POST', '/v1/session', { json, session: '' })).status).toBe(202);
  const code = await mailedCode(t, made.body.reseller_id, 'owner@xn--bcher-kva.example');
  const redeemed = await t.call('POST', '/v1/session/code', { json: { code, password }, session: '' });
  expect([redeemed.status, redeemed.body.person?.email]).toEqual([200, 'owner@xn--bcher-kva.example']);
});

test('counts wrong passwords for each spelling together', async () => {
  const guess = (n: number) => () =>
    t.call('POST', '/v1/session', {
      json: { email: `guessed@${domains[n % domains.length]}`, password: 'not the right one' },
      session: '',
    });
  const seen = await statuses(Array.from({ length: 12 }, (_, n) => guess(n)));
  expect(seen).toEqual([...Array(10).fill(401), 429, 429]);
});

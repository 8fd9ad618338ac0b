import { allTenants, sql } from '@namehold/postgres';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { insertDomainRow, removeDomainRow } from '../../../../test/support/domain-row.ts';
import { makeContact, makeCustomer } from '../../../../test/support/parties.ts';
import { keyFor, makeReseller } from '../../../../test/support/resellers.ts';
import { startTestService, type TestService } from '../../../../test/support/service.ts';
import { openSession } from '../../../../test/support/users.ts';
import { schedulerFor } from '../../src/core/actors.ts';
import { audit } from '../../src/core/audit/audit.ts';
import { patch } from '../zones/support.ts';

interface Entry {
  readonly action: string;
  readonly object_type: string;
  readonly object_id: string;
  readonly object_name: string | null;
}

let t: TestService;
beforeAll(async () => {
  t = await startTestService();
});
afterAll(() => t.stop());

async function read(by: { as?: string; session?: string }, query: Record<string, string> = {}): Promise<Entry[]> {
  const { status, body, text } = await t.call('GET', '/v1/account/audit', { query: { limit: '100', ...query }, ...by });
  if (status !== 200) throw new Error(text);
  return body as Entry[];
}

const namesOf = (entries: readonly Entry[], type: string, id: string) => [
  ...new Set(
    entries.filter((each) => each.object_type === type && each.object_id === id).map((each) => each.object_name),
  ),
];

const logged = (resellerId: string, objectType: string, objectId: string) =>
  t.ctx.db.transaction(allTenants, (tx) =>
    audit(t.ctx, tx, schedulerFor({ reseller_id: resellerId }, 'test'), { action: 'test.entry', objectType, objectId }),
  );

async function openAccount() {
  const as = await makeReseller(t);
  const resellerId = as.split(':')[0]!;
  const customerId = await makeCustomer(t, as, { name: 'Ketut Ayu' });
  const contactId = await makeContact(t, customerId, as, { name: 'Wayan Putra' });
  const name = `named${resellerId}.com`;
  const domainId = await insertDomainRow(t, { resellerId, customerId, name });
  const changed = await patch(t, domainId, [{ name: 'www', type: 'A', records: ['192.0.2.1'] }], { as });
  expect(changed.status, changed.text).toBe(200);
  await logged(resellerId, 'domain', domainId);
  return { as, resellerId, customerId, contactId, domainId, name };
}

test('names the objects of each entry, and stores no name', async () => {
  const { as, customerId, contactId, domainId, name } = await openAccount();
  const key = await t.call('POST', '/v1/account/keys', { as, json: { label: 'panel', ip_whitelist: ['127.0.0.1'] } });
  const entries = await read({ as });
  expect(namesOf(entries, 'domain', domainId)).toEqual([name]);
  expect(namesOf(entries, 'zone', domainId)).toEqual([name]);
  expect(namesOf(entries, 'customer', customerId)).toEqual(['Ketut Ayu']);
  expect(namesOf(entries, 'contact', contactId)).toEqual(['Wayan Putra']);
  expect(namesOf(entries, 'key', key.body.key_id)).toEqual(['panel']);
  const columns = await t.ctx.db.as(allTenants).many<{ name: string }>(sql`
    select column_name as name from information_schema.columns where table_name = 'audit' and column_name like '%name'`);
  expect(columns.map((column) => column.name)).toEqual(['person_name']);
});

test('names users by their email address, for users of the account only', async () => {
  const as = await makeReseller(t);
  const resellerId = as.split(':')[0]!;
  const session = await openSession(t, resellerId, { email: 'owner@named.example' });
  const users = (entries: readonly Entry[]) =>
    entries.filter((each) => each.action === 'person.join').map((each) => each.object_name);
  expect(users(await read({ session }))).toEqual(['owner@named.example']);
  // Keys cannot read users.
  expect(users(await read({ as }))).toEqual([null]);
});

test('returns null for deleted objects', async () => {
  const { as, customerId, contactId, domainId } = await openAccount();
  await removeDomainRow(t, domainId);
  const removed = await t.call('DELETE', `/v1/customers/${customerId}/contacts/${contactId}`, { as });
  const entries = await read({ as });
  expect(namesOf(entries, 'domain', domainId)).toEqual([null]);
  expect([removed.status, namesOf(entries, 'contact', contactId)]).toEqual([200, [null]]);
});

test('returns null for objects of another account, even if an entry has their id', async () => {
  const [mine, other] = [await openAccount(), await openAccount()];
  const otherUser = await openSession(t, other.resellerId);
  const { body } = await t.call('GET', '/v1/session', { session: otherUser });
  const ids: [string, string][] = [
    ['domain', other.domainId],
    ['zone', other.domainId],
    ['contact', other.contactId],
    ['customer', other.customerId],
    ['person', body.person.person_id],
    ['domain', 'not-a-number'],
    ['domain', '999999999999999999999999'],
  ];
  for (const [type, id] of ids) await logged(mine.resellerId, type, id);
  const session = await openSession(t, mine.resellerId);
  const entries = await read({ session }, { action: 'test.entry' });
  for (const [type, id] of ids) expect(namesOf(entries, type, id), `${type} ${id}`).toEqual([null]);
  expect(namesOf(entries, 'domain', mine.domainId)).toEqual([mine.name]);
});

test('shows only names that the scopes of the reader cover', async () => {
  const { resellerId, customerId, contactId, domainId, name } = await openAccount();
  const shown = async (scopes: string[]) => {
    const entries = await read({ as: await keyFor(t, resellerId, scopes) });
    return [
      ...namesOf(entries, 'domain', domainId),
      ...namesOf(entries, 'customer', customerId),
      ...namesOf(entries, 'contact', contactId),
    ];
  };
  expect(await shown(['account:read'])).toEqual([null, null, null]);
  expect(await shown(['account:read', 'domains:read'])).toEqual([name, null, null]);
  expect(await shown(['account:read', 'customers:write', 'contacts:read'])).toEqual([null, 'Ketut Ayu', 'Wayan Putra']);
});

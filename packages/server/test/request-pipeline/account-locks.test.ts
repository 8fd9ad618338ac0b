import { setTimeout as sleep } from 'node:timers/promises';
import { allTenants, type Sql, sql } from '@namehold/postgres';
import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { makeContact, makeCustomer, person } from '../../../../test/support/parties.ts';
import { expectReconciled } from '../../../../test/support/reconciliation.ts';
import { makeReseller } from '../../../../test/support/resellers.ts';
import { type Called, startTestService, type TestService } from '../../../../test/support/service.ts';
import { orderOf } from '../domains/life.ts';

let t: TestService;
let other: string;
let parties: Record<string, string>;
beforeAll(async () => {
  // Longer than this process, which plays all parties, may block itself.
  t = await startTestService({ sandbox: true, env: { NAMEHOLD_SHED_WAIT_MS: '5000' } });
  other = await makeReseller(t);
  const funds = {
    amount: '1000.00',
    description: 'for the others',
    transaction_type: 'receipt',
    update_total_receipt: 'false',
  };
  const funded = await t.call('POST', `/v1/resellers/${other.split(':')[0]}/transactions/fund`, {
    form: funds,
    as: t.operator,
  });
  expect(funded.status, funded.text).toBe(200);
  const customer_id = await makeCustomer(t, other);
  const contact = await makeContact(t, customer_id, other);
  const roles = ['registrant', 'admin', 'tech', 'billing'].map((role) => [`${role}_contact_id`, contact]);
  parties = { customer_id, ...Object.fromEntries(roles) };
});
afterAll(() => t.stop());

const names = (of: string, many: number) => Array.from({ length: many }, (_, i) => `${of}-${i}.com`);
const order = (name: string, more: { as?: string; headers?: Record<string, string> } = {}): Promise<Called> =>
  t.call('POST', '/v1/domains', {
    form: orderOf(name, more.as ? parties : {}),
    ...more,
    headers: { 'Idempotency-Key': name, ...more.headers },
  });

/** Sessions that wait for this one, directly or not. The list of sessions is frozen inside a transaction, that of locks is not. */
const waiters = `
  with recursive kept (pid) as (
    select pg_backend_pid() union select l.pid from kept join pg_locks l on not l.granted and kept.pid = any (pg_blocking_pids(l.pid)))
  select from kept where pid <> pg_backend_pid()`;

/** Holds a lock on rows while other calls run. */
async function whileLocked(rows: string, work: (waiting: () => Promise<number>) => Promise<void>): Promise<void> {
  const locker = new pg.Client({ connectionString: t.databaseUrl });
  await locker.connect();
  try {
    await locker.query('begin');
    await locker.query(`select from ${rows} for update`);
    await work(async () => (await locker.query(waiters)).rowCount!);
    await locker.query('commit');
  } finally {
    await locker.end();
  }
}

/** The money of the demo account. */
const whileMoneyIsHeld = (work: (waiting: () => Promise<number>) => Promise<void>) =>
  whileLocked(`ledger_account where reseller_id = 1000 and kind = 'available'`, work);

const many = async (statement: Sql) => (await t.ctx.db.as(allTenants).one<{ n: string }>(statement)).n;
const live = (like: string) =>
  many(sql`select count(*) as n from domain where state = 'live' and name like ${`${like}-%.com`}`);
const held = () => many(sql`select coalesce(sum(balance), 0) as n from ledger_account where kind = 'held'`);

/** Of the six writing connections of each login. */
const share = 2;

/** The same for the demo account and the accounts below it together. */
const shareOfTop = 4;

/** Started in sequence, once the first account has used its share. */
async function othersOrder(of: string, waiting: () => Promise<number>, most = share): Promise<void> {
  await expect.poll(waiting).toBeGreaterThanOrEqual(most);
  for (const name of names(of, 8)) {
    const { status, text } = await order(name, { as: other });
    expect(status, text).toBe(200);
    expect(await waiting()).toBeLessThanOrEqual(most);
  }
}

test('executes orders of other accounts while the money of one account is locked', async () => {
  let stuck: Promise<Called>[] = [];
  let isHeld = true;
  /** Refused orders are retried, as clients do, while the money is locked. */
  const insist = async (name: string): Promise<Called> => {
    const called = await order(name);
    if (called.status !== 503 || !isHeld) return called;
    await sleep(100);
    return insist(name);
  };
  await whileMoneyIsHeld(async (waiting) => {
    stuck = names('stuck', 40).map(insist);
    await othersOrder('free', waiting);
    isHeld = false;
  });
  const answers = await Promise.all(stuck);
  const done = answers.filter(({ status }) => status === 200);
  for (const { status, headers, text } of answers.filter((each) => !done.includes(each)))
    expect([status, headers.get('retry-after')], text).toEqual([503, expect.stringMatching(/^\d+$/)]);
  expect(await live('free')).toBe('8');
  expect(await live('stuck')).toBe(String(done.length));
  // A refused order keeps no idempotency key, and can be sent again.
  const again = await Promise.all(names('stuck', 40).map((name) => order(name)));
  expect(again.map(({ status }) => status)).toEqual(Array.from(again, () => 200));
  expect(await live('stuck')).toBe('40');
  expect(await held()).toBe('0');
  await expectReconciled(t);
});

test('executes orders of other accounts while completed orders wait for that money', async () => {
  await t.control('POST', '/faults', { kind: 'delay', commands: ['domain:create'], ms: 500 });
  const sent = names('sent', 16).map((name) => order(name, { headers: { Prefer: 'wait=0' } }));
  for (const { status, text } of await Promise.all(sent)) expect(status, text).toBe(202);
  await whileMoneyIsHeld(async (waiting) => {
    await t.control('DELETE', '/faults');
    await othersOrder('settled', waiting);
  });
  await expect.poll(() => live('sent')).toBe('16');
  expect(await live('settled')).toBe('8');
  expect(await held()).toBe('0');
  await expectReconciled(t);
});

test('executes orders of other top accounts while a reseller and its sub-resellers wait for locked rows', async () => {
  const family = [t.demo, await makeReseller(t, t.demo), await makeReseller(t, t.demo)];
  const customers = await Promise.all(family.map(async (as) => ({ as, id: await makeCustomer(t, as) })));
  const form = person({ email: 'locked@made.example' });
  let isHeld = true;
  const insist = async ({ as, id }: { readonly as: string; readonly id: string }): Promise<void> => {
    const called = await t.call('PUT', `/v1/customers/${id}`, { form, as });
    if (called.status !== 503 || !isHeld) return;
    await sleep(100);
    return insist({ as, id });
  };
  let stuck: Promise<void>[] = [];
  await whileLocked(`customer where id in (${customers.map(({ id }) => id).join()})`, async (waiting) => {
    stuck = Array.from({ length: 8 }, () => customers.map(insist)).flat();
    await othersOrder('apart', waiting, shareOfTop);
    isHeld = false;
  });
  await Promise.all(stuck);
  expect(await live('apart')).toBe('8');
  await expectReconciled(t);
});

import { money } from '@namehold/base';
import { allTenants, openDatabase, sql } from '@namehold/postgres';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { balance, balanceOf } from '../../src/core/ledger/balance.ts';
import { setCreditLimit } from '../../src/core/ledger/credit-limit.ts';
import { debitReseller, fundReseller } from '../../src/core/ledger/fund.ts';
import { hold } from '../../src/core/ledger/hold.ts';
import { release } from '../../src/core/ledger/release.ts';
import { findTransaction, listTransactions } from '../../src/core/ledger/transactions.ts';
import { actorOf, type TestContext, testContext } from './context.ts';

let t: TestContext;
let top: string;
let child: string;
let other: string;
beforeAll(async () => {
  t = await testContext();
  await t.reseller(null);
  top = await t.reseller('1');
  child = await t.reseller(top);
  other = await t.reseller('1');
  await t.fund(top, 1000_00n);
});
afterAll(() => t.close());

const page = { limit: 10, offset: 0 };

test('denies the service role direct writes to every ledger table', async () => {
  const statements = [
    sql`update ledger_account set balance = 1`,
    sql`update ledger_transaction set amount = 1`,
    sql`delete from ledger_entry`,
    sql`update ledger_entry set amount = 1`,
    sql`insert into ledger_account (kind, reseller_id, currency, balance) values ('available', ${top}, 'EUR', 5)`,
    sql`select ledger_move(now(), '{fund}', '{1}', '{1}', '{1}')`,
  ];
  for (const statement of statements) {
    await expect(t.db.transaction(allTenants, (tx) => tx.run(statement))).rejects.toMatchObject({ code: '42501' });
  }
});

test('denies even the owner to change an entry, unbalance a posting or exceed a limit', async () => {
  const owner = openDatabase({ url: t.ownerUrl, maxConnections: 1 });
  const run = (statement: ReturnType<typeof sql>) => owner.transaction(allTenants, (tx) => tx.run(statement));
  try {
    await expect(run(sql`update ledger_entry set amount = amount + 1`)).rejects.toThrow(/append-only/);
    await expect(run(sql`delete from ledger_entry`)).rejects.toThrow(/append-only/);
    await expect(run(sql`delete from ledger_transaction`)).rejects.toThrow(/append-only/);
    await expect(run(sql`truncate ledger_entry`)).rejects.toThrow(/append-only/);
    await expect(
      run(sql`insert into ledger_entry (transaction_id, account_id, posting, amount, currency, at)
              select min(transaction_id), min(account_id), 'fund', 5, 'USD', now() from ledger_entry`),
    ).rejects.toThrow(/sum to zero/);
    await expect(run(sql`update ledger_account set balance = -1 where kind = 'available'`)).rejects.toMatchObject({
      constraint: 'ledger_account_limit',
    });
  } finally {
    await owner.close();
  }
});

test('lets only the parent fund and charge a direct child', async () => {
  const parent = actorOf(top);
  const funded = await fundReseller(t.ctx, parent, child, { amount: '150.00', description: 'bank transfer' });
  expect(funded).toMatchObject({
    type: 'deposit',
    direction: 'credit',
    status: 'completed',
    amount: 150_00n,
    balance_after: 150_00n,
  });
  const noted = await debitReseller(t.ctx, parent, child, {
    amount: '20.5',
    description: 'fee',
    subtractTotalReceipts: true,
  });
  expect(noted).toMatchObject({ type: 'note', direction: 'debit', balance_after: 129_50n });
  const receipts = await t.db
    .as(child)
    .one<{ total_receipts: string }>(sql`select total_receipts from reseller where id = ${child}`);
  expect(receipts.total_receipts).toBe('12950');
  for (const stranger of [child, other, '1']) {
    await expect(
      fundReseller(t.ctx, actorOf(stranger), child, { amount: '1', description: 'x' }),
    ).rejects.toMatchObject({ code: 'not_found' });
  }
  await expect(debitReseller(t.ctx, parent, child, { amount: '130', description: 'x' })).rejects.toMatchObject({
    code: 'insufficient_funds',
  });
  for (const amount of ['0', '-5', '1.005', 'ten', '9007199254740993.5', '']) {
    await expect(fundReseller(t.ctx, parent, child, { amount, description: 'x' })).rejects.toMatchObject({
      code: 'invalid_argument',
    });
  }
  const events = await t.db
    .as(child)
    .many<{ type: string }>(sql`select type from event where reseller_id = ${child} order by number`);
  expect(events.map((e) => e.type)).toEqual(['balance.funded', 'balance.debited']);
});

test('lets the balance go below zero exactly to the credit limit', async () => {
  const parent = actorOf(top);
  const poor = await t.reseller(top);
  await setCreditLimit(t.ctx, parent, poor, '10.00');
  const levels = (amount: bigint) => [
    { resellerId: poor, sellerId: top, amount: money(amount, 'USD') },
    { resellerId: top, sellerId: '1', amount: money(1n, 'USD') },
  ];
  const buy = (amount: bigint) =>
    t.db.transaction(poor, (tx) =>
      hold(t.ctx, tx, { levels: levels(amount), action: 'create', years: 1, description: 'x' }),
    );
  await expect(buy(10_01n)).rejects.toMatchObject({ details: { facts: { missing: { amount: '0.01' } } } });
  const id = await buy(10_00n);
  expect(await balanceOf(t.ctx, actorOf(poor), poor)).toMatchObject({
    available: { amount: -10_00n },
    held: { amount: 10_00n },
    creditLimit: { amount: 10_00n },
  });
  await expect(setCreditLimit(t.ctx, parent, poor, '9.99')).rejects.toMatchObject({ code: 'conflict' });
  await expect(setCreditLimit(t.ctx, actorOf(poor), poor, '99')).rejects.toMatchObject({ code: 'not_found' });
  await t.db.transaction(allTenants, (tx) => release(t.ctx, tx, { transactionId: id }));
  await setCreditLimit(t.ctx, parent, poor, '0');
});

test('filters transactions, and shows them only to the payer and its parent', async () => {
  const seller = actorOf(top);
  const shop = await t.reseller(top);
  t.clock.move(86_400_000);
  await fundReseller(t.ctx, seller, shop, { amount: '10', description: 'First Deposit' });
  t.clock.move(86_400_000);
  const second = await fundReseller(t.ctx, seller, shop, { amount: '25', description: 'second deposit' });
  await debitReseller(t.ctx, seller, shop, { amount: '5', description: 'note 100%' });
  const own = actorOf(shop);
  const list = async (filter: Parameters<typeof listTransactions>[3], actor = own) => {
    const { rows, total } = await listTransactions(t.ctx, actor, shop, filter, page);
    expect(total).toBe(rows.length);
    return rows.map((row) => row.description);
  };
  expect(await list({})).toEqual(['note 100%', 'second deposit', 'First Deposit']);
  expect(await list({}, seller)).toHaveLength(3);
  expect(await list({ types: ['deposit'] })).toEqual(['second deposit', 'First Deposit']);
  expect(await list({ ids: [second.id] })).toEqual(['second deposit']);
  expect(await list({ amountFrom: 10_00n, amountTo: 20_00n })).toEqual(['First Deposit']);
  expect(await list({ description: 'DEPOSIT' })).toHaveLength(2);
  expect(await list({ description: '0%' })).toEqual(['note 100%']);
  expect(await list({ from: t.clock.now() })).toHaveLength(2);
  expect(await list({ to: new Date(t.clock.now().getTime() - 1) })).toEqual(['First Deposit']);
  expect(await list({ onlyPending: true })).toEqual([]);
  await expect(listTransactions(t.ctx, actorOf(other), shop, {}, page)).rejects.toMatchObject({ code: 'not_found' });
  expect(await findTransaction(t.ctx, seller, shop, second.id)).toMatchObject({ amount: 25_00n });
  await expect(findTransaction(t.ctx, actorOf(other), shop, second.id)).rejects.toMatchObject({ code: 'not_found' });
  await expect(findTransaction(t.ctx, actorOf(other), other, second.id)).rejects.toMatchObject({ code: 'not_found' });
  await expect(balance(t.db.as(other), other, shop, 'USD')).rejects.toMatchObject({ code: '42501' });
});

import { money } from '@namehold/base';
import { allTenants, sql, type Tx } from '@namehold/postgres';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { creditBill } from '../../src/core/invoices/invoice.sql.ts';
import { balance, customerBalance } from '../../src/core/ledger/balance.ts';
import { capture } from '../../src/core/ledger/capture.ts';
import { postMoney } from '../../src/core/ledger/fund.ts';
import { holdBilled } from '../../src/core/ledger/hold.ts';
import { cancelBill, insertBill, payBill } from '../../src/core/ledger/ledger.sql.ts';
import { refund } from '../../src/core/ledger/refund.ts';
import { release } from '../../src/core/ledger/release.ts';
import { verifyLedger } from '../../src/core/ledger/verify.ts';
import { type TestContext, testContext } from './context.ts';

let t: TestContext;
beforeAll(async () => {
  t = await testContext();
  await t.reseller(null);
});
afterAll(() => t.close());

interface Bill {
  id: string;
  who: number;
  amount: bigint;
  credited: bigint;
  captured: bigint;
  refunded: bigint;
  status: 'unpaid' | 'pending' | 'completed' | 'cancelled' | 'refunded';
  purchase: Purchase | null;
}
interface Purchase {
  id: string;
  who: number;
  amounts: bigint[];
  captured: bigint;
  refunded: bigint;
  status: Exclude<Bill['status'], 'unpaid'>;
  bill: Bill | null;
}

/** A model of three resellers below the operator, each with one customer; 0 is the lowest. */
interface LedgerModel {
  readonly resellers: string[];
  readonly customers: string[];
  readonly spendable: bigint[];
  readonly paidIn: bigint[];
  readonly setAside: bigint[];
  readonly earned: bigint[];
  readonly bills: Bill[];
  readonly purchases: Purchase[];
}

type Step =
  | { do: 'fund' | 'debit'; who: number; amount: bigint }
  | { do: 'wait'; who: number; price: bigint }
  | { do: 'order'; who: number; how: 'pay' | 'keep'; price: bigint; cost: bigint }
  | { do: 'run'; which: number; how: 'pay' | 'keep' | 'cancel'; cost: bigint }
  | { do: 'pay' | 'cancel'; which: number }
  | { do: 'capture' | 'release' | 'refund'; which: number; part: number | null };

const usd = (amount: bigint) => money(amount, 'USD');
const share = (whole: bigint, part: bigint, total: bigint) =>
  part === total || total === 0n ? whole : (whole * part * 2n + total) / (total * 2n);
const inside = <T>(work: (tx: Tx) => Promise<T>) => t.db.transaction(allTenants, work);
/** The code of a refusal or the name of a raised error; `ok` without one. */
const codeOf = (work: Promise<unknown>) =>
  work.then(
    () => 'ok',
    (error: { code: string }) => error.code,
  );
const order = { action: 'create', years: 1, description: 'x' } as const;

async function makeModel(): Promise<LedgerModel> {
  const top = await t.reseller('1');
  const middle = await t.reseller(top);
  const resellers = [await t.reseller(middle), middle, top];
  const customers: string[] = [];
  for (const reseller of resellers) {
    const row = await inside((tx) =>
      tx.one<{ id: string }>(sql`
        insert into customer (reseller_id, email, name, company, address_line_1, city, state, country_code, zipcode, tel_cc_no, tel_no,
                              currency, password_hash, created_at)
        values (${reseller}, ${`c${reseller}@example.com`}, 'C', 'C', 'Street 1', 'City', 'State', 'US', '12345', '1', '5551234', 'USD', 'x', now())
        returning id`),
    );
    customers.push(row.id);
  }
  const zero = () => [0n, 0n, 0n];
  const model: LedgerModel = {
    resellers,
    customers,
    spendable: zero(),
    paidIn: zero(),
    setAside: zero(),
    earned: zero(),
    bills: [],
    purchases: [],
  };
  for (const [place, reseller] of resellers.entries()) {
    await t.fund(reseller, 60_00n);
    model.spendable[place] = 60_00n;
  }
  return model;
}

async function move(w: LedgerModel, step: Extract<Step, { amount: bigint }>): Promise<void> {
  const { who, amount } = step;
  const given = {
    funderId: w.resellers[who]!,
    resellerId: w.resellers[who]!,
    customerId: w.customers[who]!,
    amount: usd(amount),
  };
  const isAllowed = step.do === 'fund' || w.paidIn[who]! >= amount;
  const result = codeOf(inside((tx) => postMoney(t.ctx, tx, { ...given, posting: step.do, description: 'x' })));
  expect(await result).toBe(isAllowed ? 'ok' : 'insufficient_funds');
  if (isAllowed) w.paidIn[who]! += step.do === 'fund' ? amount : -amount;
}

async function wait(w: LedgerModel, { who, price }: { who: number; price: bigint }): Promise<void> {
  const of = { resellerId: w.resellers[who]!, customerId: w.customers[who]!, domainId: '1', amount: usd(price) };
  const id = await inside((tx) => insertBill(tx, t.clock.now(), { ...order, ...of }));
  const none = { credited: 0n, captured: 0n, refunded: 0n, purchase: null };
  w.bills.push({ id, who, amount: price, status: 'unpaid', ...none });
}

/** Buys with a bill: a new one, or that of a waiting order. */
async function buy(
  w: LedgerModel,
  who: number,
  how: 'pay' | 'keep' | 'cancel',
  price: bigint,
  cost: bigint,
  waited?: Bill,
) {
  const places = [0, 1, 2].slice(who);
  const amounts = places.map((_, above) => (cost > BigInt(above) ? cost - BigInt(above) : 0n));
  const levels = places.map((place, n) => ({
    resellerId: w.resellers[place]!,
    sellerId: w.resellers[place + 1] ?? '1',
    amount: usd(amounts[n]!),
  }));
  const lacksCustomer = how === 'pay' && w.paidIn[who]! < price;
  const isShort = places.some((place, n) => w.spendable[place]! < amounts[n]!);
  const bill = { customerId: w.customers[who]!, amount: usd(price), how, transactionId: waited?.id };
  const operationId = t.proven();
  let made: { transactionId: string; billId: string | null } | undefined;
  const result = await codeOf(
    inside(async (tx) => {
      made = await holdBilled(t.ctx, tx, { ...order, levels, operationId, registryCost: money(3_33n, 'EUR'), bill });
    }),
  );
  expect(result).toBe(lacksCustomer || isShort ? 'insufficient_funds' : 'ok');
  if (result !== 'ok') return;
  for (const [n, place] of places.entries()) w.spendable[place]! -= amounts[n]!;
  const purchase: Purchase = {
    id: made!.transactionId,
    who,
    amounts,
    captured: 0n,
    refunded: 0n,
    status: 'pending',
    bill: null,
  };
  w.purchases.push(purchase);
  const none = { credited: 0n, captured: 0n, refunded: 0n, purchase: null };
  const billed = waited ?? { id: made!.billId!, who, amount: price, status: 'unpaid' as const, ...none };
  if (!waited) w.bills.push(billed);
  if (how === 'cancel') {
    billed.status = 'cancelled';
    return;
  }
  Object.assign(billed, { purchase, status: how === 'pay' ? 'pending' : 'unpaid' });
  purchase.bill = billed;
  if (how !== 'pay') return;
  w.paidIn[who]! -= price;
  w.setAside[who]! += price;
}

async function payOpen(w: LedgerModel, bill: Bill): Promise<void> {
  const owed = bill.amount - bill.credited;
  const status = bill.purchase?.status;
  const isPayable = bill.status === 'unpaid' && (status === 'pending' || status === 'completed');
  const enough = w.paidIn[bill.who]! >= owed;
  let missing = -1n;
  const result = await codeOf(
    inside(async (tx) => {
      missing = await payBill(tx, t.clock.now(), w.resellers[bill.who]!, bill.id);
    }),
  );
  expect([result, missing]).toEqual(isPayable ? ['ok', enough ? 0n : owed - w.paidIn[bill.who]!] : ['P0002', -1n]);
  if (!isPayable || !enough) return;
  w.paidIn[bill.who]! -= owed;
  if (status === 'completed') {
    Object.assign(bill, { status: 'completed', captured: owed });
    w.earned[bill.who]! += owed;
  } else {
    bill.status = 'pending';
    w.setAside[bill.who]! += owed;
  }
}

async function cancel(w: LedgerModel, bill: Bill): Promise<void> {
  const isWaiting = bill.status === 'unpaid' && bill.purchase === null;
  const result = await inside((tx) => cancelBill(tx, t.clock.now(), w.resellers[bill.who]!, bill.id, 'asked'));
  expect(result?.status).toBe(isWaiting ? 'cancelled' : undefined);
  if (isWaiting) bill.status = 'cancelled';
}

async function captureOf(w: LedgerModel, p: Purchase, part: bigint, amount: object): Promise<void> {
  const result = await codeOf(inside((tx) => capture(t.ctx, tx, { transactionId: p.id, ...amount })));
  expect(result).toBe(p.status === 'cancelled' ? 'conflict' : 'ok');
  if (p.status !== 'pending') return;
  const whole = p.amounts[0]!;
  for (const [n, held] of p.amounts.entries()) w.spendable[p.who + n]! += held - share(held, part, whole);
  for (const [n, held] of p.amounts.entries()) if (p.who + n < 2) w.earned[p.who + n + 1]! += share(held, part, whole);
  Object.assign(p, { status: 'completed', captured: share(whole, part, whole) });
  const bill = p.bill;
  if (!bill) return;
  const charged = share(bill.amount, part, whole);
  if (bill.status === 'pending') {
    w.setAside[bill.who]! -= bill.amount;
    w.paidIn[bill.who]! += bill.amount - charged;
    w.earned[bill.who]! += charged;
    Object.assign(bill, { status: 'completed', captured: charged });
  } else Object.assign(bill, { amount: charged, status: charged === 0n && bill.amount > 0n ? 'cancelled' : 'unpaid' });
}

async function releaseOf(w: LedgerModel, p: Purchase): Promise<void> {
  const result = await codeOf(inside((tx) => release(t.ctx, tx, { transactionId: p.id })));
  expect(result).toBe(p.status === 'pending' || p.status === 'cancelled' ? 'ok' : 'conflict');
  if (p.status !== 'pending') return;
  for (const [n, held] of p.amounts.entries()) w.spendable[p.who + n]! += held;
  p.status = 'cancelled';
  if (p.bill?.status === 'pending') {
    w.setAside[p.who]! -= p.bill.amount;
    w.paidIn[p.who]! += p.bill.amount;
  }
  if (p.bill) p.bill.status = 'cancelled';
}

async function refundOf(w: LedgerModel, p: Purchase, total: bigint, amount: object, share1: bigint[]): Promise<void> {
  const isPossible = p.status === 'completed' || p.status === 'refunded';
  const isBackwards = 'total' in amount && total < p.refunded;
  const result = await codeOf(inside((tx) => refund(t.ctx, tx, { transactionId: p.id, ...amount })));
  expect(result).toBe(isPossible && !isBackwards ? 'ok' : 'conflict');
  if (p.status !== 'completed' || isBackwards) return;
  for (const [n, captured] of share1.entries()) {
    const step = share(captured, total, p.captured) - share(captured, p.refunded, p.captured);
    w.spendable[p.who + n]! += step;
    if (p.who + n < 2) w.earned[p.who + n + 1]! -= step;
  }
  p.refunded = total;
  const isAll = total === p.captured;
  if (isAll) p.status = 'refunded';
  const bill = p.bill;
  if (!bill || bill.status === 'cancelled') return;
  if (bill.status === 'unpaid') {
    const credited = share(bill.amount, total, p.captured);
    Object.assign(bill, {
      credited: credited > bill.credited ? credited : bill.credited,
      status: isAll ? 'cancelled' : 'unpaid',
    });
    return;
  }
  const target = share(bill.captured + bill.credited, total, p.captured) - bill.credited;
  const step = target > bill.refunded ? target - bill.refunded : 0n;
  w.paidIn[bill.who]! += step;
  w.earned[bill.who]! -= step;
  bill.refunded += step;
  if (isAll) bill.status = 'refunded';
}

const pick = <T>(from: readonly T[], which: number): T | undefined => from[which % Math.max(1, from.length)];

/** Captured amounts of each level, computed by the model: partial captures are drawn only if nothing was bought twice. */
const capturedOf = new WeakMap<Purchase, bigint[]>();

async function settle(w: LedgerModel, step: Extract<Step, { part: number | null }>): Promise<void> {
  const p = pick(w.purchases, step.which);
  if (!p) return;
  const whole = step.do === 'refund' ? p.captured : p.amounts[0]!;
  const part = step.part === null ? whole : (whole * BigInt(step.part)) / 100n;
  if (step.do === 'release') return releaseOf(w, p);
  if (step.do === 'capture') {
    if (p.status === 'pending')
      capturedOf.set(
        p,
        p.amounts.map((held) => share(held, part, whole)),
      );
    return captureOf(w, p, part, step.part === null ? {} : { amount: usd(part) });
  }
  return refundOf(w, p, part, step.part === null ? {} : { total: usd(part) }, capturedOf.get(p) ?? []);
}

async function apply(w: LedgerModel, step: Step): Promise<void> {
  if ('part' in step) return settle(w, step);
  if ('amount' in step) return move(w, step);
  if (step.do === 'wait') return wait(w, step);
  if (step.do === 'order') return buy(w, step.who, step.how, step.price, step.cost);
  const waiting = w.bills.filter((bill) => bill.status === 'unpaid' && bill.purchase === null);
  if (step.do === 'run') {
    const bill = pick(waiting, step.which);
    return bill && buy(w, bill.who, step.how, bill.amount, step.cost, bill);
  }
  const bill = pick(w.bills, step.which);
  if (bill) await (step.do === 'pay' ? payOpen(w, bill) : cancel(w, bill));
}

const amount = fc.bigInt({ min: 1n, max: 30_00n });
const who = fc.integer({ min: 0, max: 2 });
const which = fc.nat(1000);
const oneOf = <const T extends string>(...values: T[]) => fc.constantFrom(...values);
const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 4, arbitrary: fc.record({ do: oneOf('fund', 'fund', 'debit'), who, amount }) },
  { weight: 3, arbitrary: fc.record({ do: oneOf('wait'), who, price: amount }) },
  {
    weight: 4,
    arbitrary: fc.record({ do: oneOf('order'), who, how: oneOf('pay', 'keep'), price: amount, cost: amount }),
  },
  { weight: 4, arbitrary: fc.record({ do: oneOf('run'), which, how: oneOf('pay', 'keep', 'cancel'), cost: amount }) },
  { weight: 4, arbitrary: fc.record({ do: oneOf('pay', 'pay', 'cancel'), which }) },
  {
    weight: 7,
    arbitrary: fc.record({
      do: oneOf('capture', 'release', 'refund'),
      which,
      part: fc.option(fc.integer({ min: 0, max: 100 }), { freq: 2 }),
    }),
  },
);

test('agrees with the model for any sequence of orders, payments, cancels and refunds', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 15, maxLength: 60 }), async (steps) => {
      const w = await makeModel();
      for (const one of steps) await apply(w, one);
      for (const [place, reseller] of w.resellers.entries()) {
        const own = await balance(t.db.as(reseller), reseller, reseller, 'USD');
        const funds = await customerBalance(t.db.as(reseller), reseller, w.customers[place]!, 'USD');
        const { earned } = await t.db.as(allTenants).one<{ earned: string }>(sql`
          select coalesce(sum(e.amount), 0) as earned from ledger_entry e join ledger_account a on a.id = e.account_id
          where a.kind = 'revenue' and a.reseller_id = ${reseller}`);
        expect([own.available.amount, funds.available.amount, funds.held.amount, BigInt(earned)]).toEqual([
          w.spendable[place],
          w.paidIn[place],
          w.setAside[place],
          w.earned[place],
        ]);
        expect(funds.available.amount).toBeGreaterThanOrEqual(0n);
      }
      const rows = await t.db
        .as(allTenants)
        .many<{ id: string; status: string }>(
          sql`select id, status from ledger_transaction where id = any (${w.bills.map(({ id }) => id)}::bigint[]) order by id`,
        );
      expect(rows.map(({ id, status }) => `${id} ${status}`).sort()).toEqual(
        w.bills.map(({ id, status }) => `${id} ${status}`).sort(),
      );
    }),
    { seed: 14_2026, numRuns: 20 },
  );
  const sums = await t.db
    .as(allTenants)
    .many(sql`select currency from ledger_entry group by currency having sum(amount) <> 0`);
  expect(sums).toEqual([]);
  expect((await verifyLedger(t.db)).differences).toEqual([]);
});

test('keeps a fully credited bill credited, whatever is refunded of its purchase later', async () => {
  const w = await makeModel();
  const [reseller, middle, top] = w.resellers as [string, string, string];
  const [customerId] = w.customers as [string];
  const paid = { posting: 'fund', funderId: reseller, resellerId: reseller, customerId, description: 'x' } as const;
  await inside((tx) => postMoney(t.ctx, tx, { ...paid, amount: usd(15_00n) }));
  const levels = [
    [reseller, middle],
    [middle, top],
    [top, '1'],
  ].map(([resellerId, sellerId]) => ({ resellerId: resellerId!, sellerId: sellerId!, amount: usd(10_00n) }));
  const bill = { customerId, amount: usd(15_00n), how: 'pay' } as const;
  const held = await inside((tx) => holdBilled(t.ctx, tx, { ...order, levels, operationId: t.proven(), bill }));
  const ref = { transactionId: held.transactionId };
  await inside((tx) => capture(t.ctx, tx, ref));
  const now = t.clock.now();
  await inside((tx) => creditBill(tx, now, reseller, held.billId!, 15_00n));
  const billState = async () => {
    const { status, refunded } = await t.db
      .as(allTenants)
      .one<{ status: string; refunded: string }>(
        sql`select status, refunded from ledger_transaction where id = ${held.billId}`,
      );
    const funds = await customerBalance(t.db.as(reseller), reseller, customerId, 'USD');
    return [status, refunded, funds.available.amount];
  };
  expect(await billState()).toEqual(['refunded', '1500', 15_00n]);
  for (const total of [3_00n, 10_00n]) {
    await inside((tx) => refund(t.ctx, tx, { ...ref, total: usd(total) }));
    expect(await billState()).toEqual(['refunded', '1500', 15_00n]);
  }
});

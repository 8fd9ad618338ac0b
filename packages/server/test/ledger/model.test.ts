import { money } from '@namehold/base';
import { allTenants, sql } from '@namehold/postgres';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { balance } from '../../src/core/ledger/balance.ts';
import { capture } from '../../src/core/ledger/capture.ts';
import { setCreditLimit } from '../../src/core/ledger/credit-limit.ts';
import { debitReseller } from '../../src/core/ledger/fund.ts';
import { hold } from '../../src/core/ledger/hold.ts';
import { refund } from '../../src/core/ledger/refund.ts';
import { release } from '../../src/core/ledger/release.ts';
import { verifyLedger } from '../../src/core/ledger/verify.ts';
import { actorOf, type TestContext, testContext } from './context.ts';

let t: TestContext;
beforeAll(async () => {
  t = await testContext();
  await t.reseller(null);
});
afterAll(() => t.close());

interface ModelPurchase {
  id: string;
  buyer: number;
  amounts: bigint[];
  captured: bigint[];
  refunded: bigint[];
  state: 'pending' | 'completed' | 'cancelled' | 'refunded';
}

/** A model of three levels below the operator; 0 is the lowest. */
interface Model {
  available: bigint[];
  held: bigint[];
  limit: bigint[];
  purchases: ModelPurchase[];
}

interface Real {
  ids: string[];
}

const usd = (amount: bigint) => money(amount, 'USD');
const share = (whole: bigint, part: bigint, total: bigint) =>
  part === total ? whole : (whole * part * 2n + total) / (total * 2n);
const parentOf = (real: Real, place: number) => real.ids[place + 1] ?? '1';
const tx = <T>(tenant: string, work: (tx: Parameters<typeof hold>[1]) => Promise<T>) => t.db.transaction(tenant, work);
const outcome = async (work: Promise<unknown>) => {
  try {
    await work;
    return 'ok';
  } catch (error) {
    return (error as { code: string }).code;
  }
};

type Step =
  | { do: 'fund' | 'debit' | 'limit'; who: number; amount: bigint }
  | { do: 'buy'; who: number; amounts: [bigint, bigint, bigint] }
  | { do: 'capture' | 'release' | 'refund'; which: number; part: number | null };

async function apply(step: Step, model: Model, real: Real): Promise<void> {
  if (step.do === 'fund') {
    await t.fund(real.ids[step.who]!, step.amount);
    model.available[step.who]! += step.amount;
  } else if ('amount' in step) await applyCharge(step, model, real);
  else if (step.do === 'buy') await applyBuy(step, model, real);
  else if ('which' in step && model.purchases.length > 0)
    await applySettlement(step, model, model.purchases[step.which % model.purchases.length]!);
}

async function applyCharge(step: Step & { who: number; amount: bigint }, model: Model, real: Real): Promise<void> {
  const { who, amount } = step;
  const text = `${amount / 100n}.${String(amount % 100n).padStart(2, '0')}`;
  const actor = actorOf(parentOf(real, who));
  if (step.do === 'debit') {
    const allowed = model.available[who]! - amount >= -model.limit[who]!;
    const result = await outcome(debitReseller(t.ctx, actor, real.ids[who]!, { amount: text, description: 'note' }));
    expect(result).toBe(allowed ? 'ok' : 'insufficient_funds');
    if (allowed) model.available[who]! -= amount;
  } else {
    const allowed = model.available[who]! >= -amount;
    expect(await outcome(setCreditLimit(t.ctx, actor, real.ids[who]!, text))).toBe(allowed ? 'ok' : 'conflict');
    if (allowed) model.limit[who] = amount;
  }
}

async function applyBuy(step: Step & { do: 'buy' }, model: Model, real: Real): Promise<void> {
  const places = [0, 1, 2].slice(step.who);
  const amounts = places.map((_, n) => step.amounts[n]!);
  const levels = places.map((place, n) => ({
    resellerId: real.ids[place]!,
    sellerId: parentOf(real, place),
    amount: usd(amounts[n]!),
  }));
  const allowed = places.every((place, n) => model.available[place]! - amounts[n]! >= -model.limit[place]!);
  let id = '';
  const result = await outcome(
    tx(real.ids[step.who]!, async (inside) => {
      id = await hold(t.ctx, inside, {
        levels,
        action: 'create',
        years: 1,
        description: 'x',
        registryCost: money(3_33n, 'EUR'),
        operationId: t.proven(),
      });
    }),
  );
  expect(result).toBe(allowed ? 'ok' : 'insufficient_funds');
  if (!allowed) return;
  for (const [n, place] of places.entries()) {
    model.available[place]! -= amounts[n]!;
    model.held[place]! += amounts[n]!;
  }
  const none = amounts.map(() => 0n);
  model.purchases.push({ id, buyer: step.who, amounts, captured: [...none], refunded: [...none], state: 'pending' });
}

async function applySettlement(step: Step & { which: number; part: number | null }, model: Model, p: ModelPurchase) {
  const ref = { transactionId: p.id };
  const whole = step.do === 'refund' ? p.captured[0]! : p.amounts[0]!;
  const part = step.part === null ? whole : (whole * BigInt(step.part)) / 100n;
  const amount = step.part === null ? {} : step.do === 'refund' ? { total: usd(part) } : { amount: usd(part) };
  if (step.do === 'capture') {
    const result = await outcome(tx(allTenants, (inside) => capture(t.ctx, inside, { ...ref, ...amount })));
    expect(result).toBe(p.state === 'cancelled' ? 'conflict' : 'ok');
    if (p.state !== 'pending') return;
    p.state = 'completed';
    for (const [n, held] of p.amounts.entries()) {
      p.captured[n] = share(held, part, whole);
      model.held[p.buyer + n]! -= held;
      model.available[p.buyer + n]! += held - p.captured[n]!;
    }
  } else if (step.do === 'release') {
    const result = await outcome(tx(allTenants, (inside) => release(t.ctx, inside, ref)));
    expect(result).toBe(p.state === 'pending' || p.state === 'cancelled' ? 'ok' : 'conflict');
    if (p.state !== 'pending') return;
    p.state = 'cancelled';
    for (const [n, held] of p.amounts.entries()) {
      model.held[p.buyer + n]! -= held;
      model.available[p.buyer + n]! += held;
    }
  } else {
    const possible = p.state === 'completed' || p.state === 'refunded';
    const backwards = step.part !== null && part < p.refunded[0]!;
    const result = await outcome(tx(allTenants, (inside) => refund(t.ctx, inside, { ...ref, ...amount })));
    expect(result).toBe(possible && !backwards ? 'ok' : 'conflict');
    if (p.state !== 'completed' || backwards) return;
    for (const [n, captured] of p.captured.entries()) {
      const target = share(captured, part, whole);
      model.available[p.buyer + n]! += target - p.refunded[n]!;
      p.refunded[n] = target;
    }
    if (part === whole) p.state = 'refunded';
  }
}

const amount = fc.bigInt({ min: 1n, max: 50_00n });
const who = fc.integer({ min: 0, max: 2 });
const part = fc.option(fc.integer({ min: 0, max: 100 }));
const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 3, arbitrary: fc.record({ do: fc.constant('fund' as const), who, amount }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constantFrom('debit' as const, 'limit' as const), who, amount }) },
  {
    weight: 5,
    arbitrary: fc.record({ do: fc.constant('buy' as const), who, amounts: fc.tuple(amount, amount, amount) }),
  },
  {
    weight: 6,
    arbitrary: fc.record({
      do: fc.constantFrom('capture' as const, 'release' as const, 'refund' as const),
      which: fc.nat(1000),
      part,
    }),
  },
);

test('agrees with the model for any sequence of money moves', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 10, maxLength: 60 }), async (steps) => {
      const top = await t.reseller('1');
      const middle = await t.reseller(top);
      const low = await t.reseller(middle);
      const real: Real = { ids: [low, middle, top] };
      const model: Model = { available: [0n, 0n, 0n], held: [0n, 0n, 0n], limit: [0n, 0n, 0n], purchases: [] };
      for (const one of steps) await apply(one, model, real);
      for (const [place, id] of real.ids.entries()) {
        const b = await balance(t.db.as(id), id, id, 'USD');
        expect([b.available.amount, b.held.amount, b.creditLimit.amount]).toEqual([
          model.available[place],
          model.held[place],
          model.limit[place],
        ]);
      }
    }),
    { seed: 4_2026, numRuns: 40 },
  );
  const sums = await t.db
    .as(allTenants)
    .many(sql`select currency from ledger_entry group by currency having sum(amount) <> 0`);
  expect(sums).toEqual([]);
  expect((await verifyLedger(t.db)).differences).toEqual([]);
});

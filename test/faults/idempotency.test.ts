import { allTenants, sql } from '@namehold/postgres';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { expectReconciled } from '../support/reconciliation.ts';
import { type Called, startTestService, type TestService } from '../support/service.ts';
import { makeTraders, registration, type Trader } from './reseller-chain.ts';
import { expectConsistent, waitUntilSettled } from './settled.ts';
import { statementAgrees } from './statement.ts';

/** A part in `npm test`, all of them in `npm run test:long`. */
const keys = process.env.NAMEHOLD_TESTS === 'long' ? 1_000 : 20;
const callsPerKey = 50;
/** Keys whose calls run at the same time: 200 connections are enough for any race. */
const keysAtOnce = 4;
const timeoutMs = 900_000 + keys * 3_000;

let t: TestService;
let traders: Trader[];
beforeAll(async () => {
  t = await startTestService({ sandbox: true });
  traders = await makeTraders(t, 2, 1);
});
afterAll(async () => {
  await expectConsistent(t.ctx.db);
  await expectReconciled(t);
  await t.stop();
});

const order = (trader: Trader, name: string, key: string, years = 1) =>
  t.call('POST', '/v1/domains', {
    form: registration(trader, name, years),
    headers: { 'Idempotency-Key': key },
    as: trader.credentials,
  });

const isTaken = ({ status }: Called) => status < 300;

test(
  `executes each of ${keys} keys once in ${callsPerKey} concurrent calls`,
  async () => {
    const nameOf = (n: number) => `once-${n}.com`;
    const traderOf = (n: number) => traders[n % traders.length]!;
    const places = Array.from({ length: keys }, (_, n) => n);
    const answers: Called[][] = [];
    for (let first = 0; first < keys; first += keysAtOnce) {
      const group = places.slice(first, first + keysAtOnce);
      const calls = (n: number) => Array.from({ length: callsPerKey }, () => order(traderOf(n), nameOf(n), `key-${n}`));
      answers.push(...(await Promise.all(group.map((n) => Promise.all(calls(n))))));
    }
    // If the first call got "unavailable" and all others "in flight", a client retries.
    for (const [n, given] of answers.entries())
      while (!given.some(isTaken)) {
        expect(given.length, `${nameOf(n)} is refused: ${given.at(-1)!.text}`).toBeLessThan(1_000);
        given.push(await order(traderOf(n), nameOf(n), `key-${n}`));
      }
    await waitUntilSettled(t.ctx.db);
    for (const [n, given] of answers.entries()) {
      for (const each of given) {
        expect([200, 202, 409, 503], each.text).toContain(each.status);
        if (each.status === 409) expect(each.body.code).toBe('idempotency_in_flight');
        // A machine without a free database connection answers so, and has done nothing.
        if (each.status === 503) expect(each.body.code).toBe('unavailable');
      }
      const operations = new Set(given.flatMap((each) => (isTaken(each) ? [each.body.operation_id as string] : [])));
      expect(operations.size, nameOf(n)).toBe(1);
    }
    const db = t.ctx.db.as(allTenants);
    const [domains, operations, charged] = await Promise.all([
      db.many<{ name: string }>(sql`select name from domain where name like 'once-%' order by length(name), name`),
      db.many(sql`select id from operation where request->>'name' like 'once-%'`),
      db.many(sql`select id from ledger_transaction where description like '%once-%' and id = purchase_id`),
    ]);
    expect(domains.map((row) => row.name)).toEqual(places.map(nameOf));
    expect(operations).toHaveLength(keys);
    expect(charged).toHaveLength(keys);
    const lines = await statementAgrees(t);
    expect(lines.filter((line) => line.command === 'create')).toHaveLength(keys);
  },
  timeoutMs,
);

test(
  'returns the same answer to a retry of every key, and refuses another body',
  async () => {
    for (let n = 0; n < keys; n++) {
      const trader = traders[n % traders.length]!;
      const [one, two] = [
        await order(trader, `once-${n}.com`, `key-${n}`),
        await order(trader, `once-${n}.com`, `key-${n}`),
      ];
      expect(one.status, one.text).toBeLessThan(300);
      expect(one.headers.get('idempotency-replayed')).toBe('true');
      expect(two.body).toEqual(one.body);
      const other = await order(trader, `once-${n}.com`, `key-${n}`, 2);
      expect(other.body.code).toBe('idempotency_mismatch');
    }
    const lines = await statementAgrees(t);
    expect(lines.filter((line) => line.command === 'create')).toHaveLength(keys);
  },
  timeoutMs,
);

test('stores a refusal too, and separates equal keys of two resellers', async () => {
  const [one, two] = traders as [Trader, Trader];
  const refused = await order(one, 'once-0.com', 'taken');
  expect(refused.status).toBe(400);
  expect((await order(one, 'once-0.com', 'taken')).body).toMatchObject({ code: refused.body.code });
  const mine = await order(two, 'another-account.com', 'taken');
  expect(mine.status, mine.text).toBeLessThan(300);
});

import { allTenants, sql } from '@namehold/postgres';
import { expect } from 'vitest';
import { expectReconciled } from '../support/reconciliation.ts';
import { startTestService, type TestService } from '../support/service.ts';
import { makeTraders, registration, type Trader } from './reseller-chain.ts';
import { expectConsistent, waitUntilSettled } from './settled.ts';
import { statementAgrees } from './statement.ts';

const replyTimeoutMs = 300;
const atOnce = 32;
/** How often two resellers order the same name at the same time. */
const otherRegistrarEvery = 25;

/** Eight percent of the answers are lost after the registry's commit, four percent are late, and sessions end in between. */
async function changeFaults(t: TestService, seed: number): Promise<void> {
  const faults = [
    { kind: 'drop-after-commit', rate: 0.08, seed },
    { kind: 'delay', rate: 0.04, ms: replyTimeoutMs * 2, seed: seed + 1 },
    { kind: 'half-frame', rate: 0.02, seed: seed + 2 },
    { kind: '2500', rate: 0.02, when: 'either', seed: seed + 3 },
    { kind: 'drop-after-commit', how: 'close', rate: 0.02, seed: seed + 4 },
  ];
  // Logins are excluded: a lost one only costs the twenty seconds of its timeout.
  const aim = { client: 'namehold', commands: ['domain', 'contact', 'host'] };
  for (const fault of faults)
    expect((await t.control('POST', '/faults', { ...fault, ...aim })).status).toBeLessThan(300);
}

interface Answered {
  readonly status: number;
  readonly operationId: string | undefined;
}

async function placeAll(t: TestService, traders: readonly Trader[], count: number): Promise<Map<string, Answered[]>> {
  const answers = new Map<string, Answered[]>();
  const order = async (trader: Trader, name: string) => {
    const called = await t.call('POST', '/v1/domains', { form: registration(trader, name), as: trader.credentials });
    const operationId = called.body.operation_id as string | undefined;
    answers.set(name, [...(answers.get(name) ?? []), { status: called.status, operationId }]);
  };
  let next = 0;
  const work = async () => {
    for (let n = next++; n < count; n = next++) {
      const name = `faulted-${n}.com`;
      const trader = traders[n % traders.length]!;
      const otherRegistrar = n % otherRegistrarEvery === 0 ? traders[(n + 1) % traders.length]! : undefined;
      await Promise.all([order(trader, name), ...(otherRegistrar ? [order(otherRegistrar, name)] : [])]);
    }
  };
  await Promise.all(Array.from({ length: atOnce }, work));
  return answers;
}

export async function faultedOrders(count: number, seed: number): Promise<void> {
  const t = await startTestService({
    sandbox: true,
    env: { NAMEHOLD_SANDBOX_REPLY_TIMEOUT_MS: String(replyTimeoutMs), NAMEHOLD_WAIT_MS: '2000' },
  });
  try {
    const traders = await makeTraders(t, 4, 2);
    await changeFaults(t, seed);
    const answers = await placeAll(t, traders, count);
    await waitUntilSettled(t.ctx.db);
    const faults = (await t.control('GET', '/faults')).body.faults as { kind: string; struck: number }[];
    expect(faults.filter((fault) => fault.struck === 0)).toEqual([]);
    await t.control('DELETE', '/faults');

    const db = t.ctx.db.as(allTenants);
    // Exactly one order per name succeeded, every other one was refused before or after money was held, and none is open.
    for (const [name, given] of answers) {
      expect(given.filter((each) => each.operationId !== undefined).length, name).toBe(1);
      for (const { status } of given) expect([200, 202, 400, 409]).toContain(status);
    }
    // Locks that the registry did not set at once are set by separate operations, which a background job may just have started.
    const states = await db.many(sql`
      select kind, state, count(*)::int as n from operation
      where kind = 'register' or state not in ('done', 'intended', 'sent', 'unknown') group by kind, state`);
    expect(states).toEqual([{ kind: 'register', state: 'done', n: count }]);
    const lines = await statementAgrees(t);
    expect(lines.filter((line) => line.kind === 'charge' && line.command === 'create')).toHaveLength(count);
    const pending = await db.many(sql`select id from ledger_transaction where status = 'pending'`);
    expect(pending).toEqual([]);
    const twice = await db.many(sql`
      select operation_id from ledger_transaction where operation_id is not null and purchase_id = id
      group by operation_id having count(*) > 1`);
    expect(twice).toEqual([]);
    await expectConsistent(t.ctx.db);
    await t.control('DELETE', '/faults');
    await expectReconciled(t);
  } finally {
    await t.stop();
  }
}

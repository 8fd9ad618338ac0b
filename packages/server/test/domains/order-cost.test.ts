import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { expectReconciled } from '../../../../test/support/reconciliation.ts';
import { startTestService, type TestService } from '../../../../test/support/service.ts';
import { orderOf } from './life.ts';

/**
 * The database statements of one registration, from the request to the answer, with an Idempotency-Key, theft protection and a
 * registrant
 * to be verified. Decision 0078 gives the purpose of each; none is added without a reason in it.
 */
const most = { statements: 22, transactions: 6, flushes: 3 };

const orders = 8;
/** Longer than the pause of the background jobs, so that their statements are recorded too. */
const idleMs = 6_000;
/** Begin, end, and setting the tenant of a connection. */
const isFrame = (text: string) => /^(begin|commit|rollback|discard)|set_config\('namehold\.tenant'/.test(text);
/** The NOTIFY of new zones follows the order, for one zone or several. */
const isOfPublisher = (text: string) => /namehold_zone|update catalog|from zone z/.test(text);

let t: TestService;
beforeAll(async () => {
  // All statements of this process are counted, so the registry runs in another one.
  t = await startTestService({ sandbox: 'process', env: { NAMEHOLD_VERIFY_REGISTRANTS: 'hold' } });
});
afterAll(() => t.stop());

async function order(name: string): Promise<void> {
  const called = await t.call('POST', '/v1/domains', { form: orderOf(name), headers: { 'Idempotency-Key': name } });
  expect(called.status, called.text).toBe(200);
}

interface Sent {
  readonly statements: Map<string, number>;
  /** By their first statement. */
  readonly transactions: Map<string, number>;
  /** Statements that wait for a flush to disk. */
  readonly flushes: Map<string, number>;
  /** Statements that the server parses and plans each time. */
  readonly unnamed: Set<string>;
}

/** How often each was sent during the work. */
async function sentWhile(work: () => Promise<unknown>): Promise<Sent> {
  const sent: Sent = { statements: new Map(), transactions: new Map(), flushes: new Map(), unnamed: new Set() };
  const count = (into: Map<string, number>, text: string) => into.set(text, (into.get(text) ?? 0) + 1);
  const begun = new WeakSet<object>();
  const client = pg.Client.prototype as unknown as { query(...given: unknown[]): unknown };
  const { query } = client;
  client.query = function counted(this: object, ...given: unknown[]) {
    const [statement] = given;
    const text = String(typeof statement === 'string' ? statement : (statement as { text: string }).text);
    if (text.startsWith('begin')) begun.add(this);
    else if (!isFrame(text)) {
      count(sent.statements, text);
      if ((statement as { name?: string }).name === undefined) sent.unnamed.add(text);
      if (begun.delete(this)) {
        count(sent.transactions, text);
        if (!text.includes('synchronous_commit')) count(sent.flushes, text);
      }
    }
    return query.apply(this, given);
  };
  try {
    await work();
  } finally {
    client.query = query;
  }
  return sent;
}

test('registers a domain with no more database statements than the recorded limits', async () => {
  for (let n = 0; n < 3; n++) await order(`warm-${n}.com`);
  const idle = (await sentWhile(() => sleep(idleMs))).statements;
  const each: Sent[] = [];
  for (let n = 0; n < orders; n++) each.push(await sentWhile(() => order(`counted-${n}.com`)));
  // Background jobs run beside them by time. Their statements, or any that some order did not need, do not belong to an order.
  const ofAnOrder = (which: 'statements' | 'transactions' | 'flushes') =>
    [...each[0]![which].keys()]
      .filter((text) => !idle.has(text) && !isOfPublisher(text))
      .map((text) => ({ text, times: Math.min(...each.map((sent) => sent[which].get(text) ?? 0)) }))
      .filter(({ times }) => times > 0);
  for (const which of ['statements', 'transactions', 'flushes'] as const) {
    const counted = ofAnOrder(which);
    const shown = counted.map(({ text, times }) => `${times} ${text.replace(/\s+/g, ' ').trim().slice(0, 100)}`);
    const total = counted.reduce((sum, { times }) => sum + times, 0);
    expect(total, `${which}:\n${shown.join('\n')}`).toBeLessThanOrEqual(most[which]);
    // Verifies that statements are counted at all.
    expect(total, which).toBeGreaterThan(most[which] / 2);
  }
  const unnamed = ofAnOrder('statements').filter(({ text }) => each[0]!.unnamed.has(text));
  expect(unnamed, 'statements without a name').toEqual([]);
  await expectReconciled(t);
});

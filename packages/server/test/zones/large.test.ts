import { allTenants, sql } from '@namehold/postgres';
import { afterAll, afterEach, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { insertDomainRow } from '../../../../test/support/domain-row.ts';
import { blockLimitMs } from '../../../../test/support/event-loop-block.ts';
import { startLoopMeter } from '../../../../test/support/loop-meter.ts';
import { makeCustomer } from '../../../../test/support/parties.ts';
import { makeReseller } from '../../../../test/support/resellers.ts';
import { startTestService, type TestService } from '../../../../test/support/service.ts';
import { zoneLimits } from '../../src/core/zones/limits.ts';
import { workerLimits } from '../../src/workers/limits.ts';
import { makeDomain, patch } from './support.ts';

/** Enough records to block the main thread for far longer than one tick may take. */
const records = 5_000;

let t: TestService;
beforeAll(async () => {
  t = await startTestService();
});
afterAll(() => t.stop());

const zonePath = (id: string) => `/v1/domains/${id}/zone`;
const file = (address: string, count = records) =>
  `$TTL 300\n${Array.from({ length: count }, (_, n) => `host-number-${n} A ${address}`).join('\n')}\n`;

const put = (
  id: string,
  body: string,
  options: { headers?: Record<string, string>; query?: Record<string, string>; as?: string } = {},
) =>
  t.call('PUT', `${zonePath(id)}/file`, {
    raw: { type: 'text/dns', body },
    headers: { 'If-Match': '*', ...options.headers },
    ...(options.query ? { query: options.query } : {}),
    ...(options.as ? { as: options.as } : {}),
  });

/** The most processor time that this thread used in one tick during `work`. It does not depend on the load of the machine. */
async function worstTurnMs(work: () => Promise<void>): Promise<number> {
  const meter = startLoopMeter();
  try {
    await work();
    return meter.worstMs();
  } finally {
    meter.stop();
  }
}

test('imports, reads, rolls back and exports a large zone in worker threads', async () => {
  const id = await makeDomain(t, 'large-work.com');
  const first = await patch(t, id, [{ name: 'w', type: 'A', records: ['192.0.2.1'] }]);
  const [one, two] = [file('192.0.2.1'), file('192.0.2.2')];
  // Starts the worker threads first, because their start takes time of the main thread.
  await put(id, one, { query: { dry_run: 'true' } });
  const did: Record<string, number> = {};
  const step = async (name: string, work: () => Promise<{ status: number; text: string }>) => {
    did[name] = await worstTurnMs(async () => {
      const called = await work();
      expect(called.status, `${name}: ${called.text.slice(0, 300)}`).toBe(200);
    });
  };
  await step('dry run', () => put(id, one, { query: { dry_run: 'true' } }));
  await step('import', () => put(id, one));
  await step('import of other records', () => put(id, two));
  await step('history', () => t.call('GET', `${zonePath(id)}/history`));
  await step('replacement', () => t.call('PUT', `${zonePath(id)}/rrsets`, { json: { rrsets: [], dry_run: true } }));
  await step('roll-back', () =>
    t.call('POST', `${zonePath(id)}/rollback`, { json: { serial: first.body.serial, dry_run: true } }),
  );
  expect(Object.entries(did).filter(([, ms]) => ms > blockLimitMs)).toEqual([]);
  const { body: history } = await t.call('GET', `${zonePath(id)}/history`);
  expect(history[0]).toMatchObject({ added_count: records, deleted_count: records, is_shortened: true });
  const listed = await t.call('GET', `/v1/domains/${id}/dns/ip`);
  expect(listed.body.errors).toMatchObject([{ code: 'too_many' }]);
  const exported = await t.call('GET', `${zonePath(id)}/file`);
  expect(exported.text.split('\n').filter((line) => /\tA\t192\.0\.2\.2$/.test(line))).toHaveLength(records);
});

test('honours an Idempotency-Key in worker threads too', async () => {
  const id = await makeDomain(t, 'large-once.com');
  await patch(t, id, [{ name: 'w', type: 'A', records: ['192.0.2.1'] }]);
  const headers = { 'Idempotency-Key': 'large-once' };
  const made = await put(id, file('192.0.2.1', 3_000), { headers });
  expect(made.status, made.text.slice(0, 300)).toBe(200);
  const again = await put(id, file('192.0.2.1', 3_000), { headers });
  expect(again.headers.get('idempotency-replayed')).toBe('true');
  // Such a long response is not stored. That the request was executed is stored, so it is executed once.
  expect([again.status, again.body.code]).toEqual([409, 'answer_not_kept']);
  const zone = await t.call('GET', `/v1/domains/${id}/zone`);
  expect(zone.body.serial).toBe(made.body.serial);
  expect((await put(id, file('192.0.2.9', 3_000), { headers })).body.code).toBe('idempotency_mismatch');
});

test('refuses files that are made to be slow', async () => {
  const id = await makeDomain(t, 'hostile.com');
  const size = zoneLimits.zoneFileBytes / 4;
  const dry = { query: { dry_run: 'true' } };
  const cases: [string, string, RegExp][] = [
    ['one word', 'x'.repeat(size), /longer than/],
    ['words without end', `(${' x'.repeat(size / 2 - 1)}`, /words/],
    ['the same record', '$TTL 300\n'.padEnd(size, 'w A 192.0.2.1\n'), /more than 100001 records/],
    ['an open quote', 'a TXT "'.padEnd(size, 'x'), /quote/],
  ];
  for (const [name, body, reason] of cases) {
    const called = await put(id, body, dry);
    expect(called.status, `${name}: ${called.text.slice(0, 300)}`).toBe(400);
    expect(called.body.message, name).toMatch(reason);
    expect(called.text.length, name).toBeLessThan(50_000);
  }
});

test('limits one account to one thread and a bounded queue', async () => {
  const id = await makeDomain(t, 'queue.com');
  await patch(t, id, [{ name: 'w', type: 'A', records: ['192.0.2.1'] }]);
  const free = workerLimits.waitingPerReseller + 1;
  const body = file('192.0.2.1', 3_000);
  const statuses: number[] = [];
  const { promise: isCrowded, resolve: crowded } = Promise.withResolvers<void>();
  // The lock on the zone blocks the first task; the others wait behind it.
  await t.ctx.db.transaction(allTenants, async (tx) => {
    await tx.run(sql`select from zone where domain_id = ${id} for update`);
    const calls = Array.from({ length: free + 3 }, async () => {
      statuses.push((await put(id, body, { query: { dry_run: 'true' } })).status);
      if (statuses.length === 3) crowded();
    });
    await isCrowded;
    expect(statuses).toEqual([429, 429, 429]);
    void Promise.all(calls);
  });
  await expect.poll(() => statuses.length).toBe(free + 3);
  expect(statuses.slice(3)).toEqual(Array.from({ length: free }, () => 200));
});

describe('the accounts below one top account', () => {
  const limits = { ...workerLimits };
  afterEach(() => void Object.assign(workerLimits, limits));

  /** An account with a zone, the lock of which blocks its tasks. */
  async function makeOwner(name: string, parent: string) {
    const as = await makeReseller(t, parent);
    const customerId = await makeCustomer(t, as);
    const id = await insertDomainRow(t, { resellerId: as.split(':')[0]!, customerId, name });
    const patched = await patch(t, id, [{ name: 'w', type: 'A', records: ['192.0.2.1'] }], { as });
    expect(patched.status, patched.text).toBe(200);
    const task = () => put(id, file('192.0.2.1', 3_000), { query: { dry_run: 'true' }, as });
    const lock = () =>
      new Promise<{ unlock: () => Promise<void> }>((locked) => {
        let isHeld = true;
        // Also after a failure, or the end of the service would wait for it.
        onTestFinished(() => {
          isHeld = false;
        });
        const held = t.ctx.db.transaction(allTenants, async (tx) => {
          await tx.run(sql`select from zone where domain_id = ${id} for update`);
          const unlock = () => {
            isHeld = false;
            return held;
          };
          locked({ unlock });
          // An idle transaction would be ended.
          while (isHeld) await tx.one(sql`select pg_sleep(0.05)`);
        });
      });
    return { name, task, lock };
  }
  const blockedTasks = sql`
    select from pg_stat_activity where datname = current_database() and cardinality(pg_blocking_pids(pid)) > 0`;
  const expectAtLocks = (count: number) =>
    expect.poll(async () => (await t.ctx.db.as(allTenants).many(blockedTasks)).length).toBe(count);

  test('wait for a task of another top account when a thread is free', async () => {
    const [first, second, third] = [
      await makeOwner('turn-a.com', t.demo),
      await makeOwner('turn-b.com', t.demo),
      await makeOwner('turn-c.com', t.demo),
    ];
    const other = await makeOwner('turn-other.com', t.operator);
    const locks = [await first.lock(), await second.lock()];
    const blocked = [first.task(), second.task()];
    await expectAtLocks(2);
    const ended: string[] = [];
    const queued: Promise<void>[] = [];
    /** As many tasks as may wait: the refusal of one more shows that they do. */
    const fill = async ({ name, task }: typeof other) => {
      let isFull = false;
      for (let n = 0; n <= workerLimits.waitingPerReseller; n++)
        queued.push(
          task().then(({ status }) => {
            if (status === 429) isFull = true;
            else ended.push(`${status} ${name}`);
          }),
        );
      await expect.poll(() => isFull).toBe(true);
    };
    await fill(third);
    await fill(other);
    await locks[0]!.unlock();
    await Promise.all(queued);
    const each = workerLimits.waitingPerReseller;
    // A task ends in its own transaction after its turn at the thread, so neighbours in the queue may change places.
    expect(ended.toSorted()).toEqual([
      ...Array(each).fill('200 turn-c.com'),
      ...Array(each).fill('200 turn-other.com'),
    ]);
    expect(ended.indexOf('200 turn-c.com'), ended.join()).toBeGreaterThanOrEqual(each - 1);
    await locks[1]!.unlock();
    for (const called of await Promise.all(blocked)) expect(called.status, called.text).toBe(200);
  });

  test('together have three quarters of the places in the queue', async () => {
    const tree = [
      await makeOwner('place-a.com', t.demo),
      await makeOwner('place-b.com', t.demo),
      await makeOwner('place-c.com', t.demo),
    ];
    const other = await makeOwner('place-other.com', t.operator);
    Object.assign(workerLimits, { waiting: 8 });
    const locks = [await tree[0]!.lock(), await tree[1]!.lock()];
    const statuses: number[] = [];
    const called = tree.flatMap(({ task }) =>
      Array.from({ length: 4 }, async () => {
        const { status, body } = await task();
        statuses.push(status);
        if (status === 429) expect(body.message).toContain('below the same top account');
      }),
    );
    // Two run and six wait.
    await expect.poll(() => statuses).toEqual([429, 429, 429, 429]);
    const waiting = other.task();
    for (const each of locks) await each.unlock();
    expect((await waiting).status).toBe(200);
    await Promise.all(called);
    expect(statuses.filter((status) => status === 200)).toHaveLength(8);
  });
});

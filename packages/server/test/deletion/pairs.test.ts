import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { type Pause, pauseAt } from '../../../../test/support/pause-statement.ts';
import type { Called } from '../../../../test/support/service.ts';
import { expectReportedAndRepaired, orphans } from './orphans.ts';
import { kept, pairs, shown } from './pairs.ts';
import { runRandomly } from './random.ts';
import { DeletionService, ok } from './world.ts';

let w: DeletionService;
beforeAll(async () => {
  w = await DeletionService.open();
});
afterAll(() => w.close());

/** Fails at once if the request ends before the failpoint. */
async function reached(pause: Pause, request: Promise<Called>): Promise<void> {
  const early = await Promise.race([pause.reached, request]);
  if (early) throw new Error(`the request did not come to the failpoint: ${early.status} ${early.text}`);
}
/** Released when the test ends in any way: the connections are used by the next one. */
function pauseFor(...given: Parameters<typeof pauseAt>): Pause {
  const pause = pauseAt(...given);
  onTestFinished(pause.release);
  return pause;
}
const deletes = /update (customer|reseller|contact) set deleted_at/;

describe('concurrent deletion and use of one account or contact', () => {
  test.each(pairs)('refuses the use if the deletion commits between its check and its commit: $what', async (pair) => {
    const { use, remove } = await pair.open(w);
    const before = await w.funds();
    const pause = pauseFor(pair.binds, 'statement');
    const using = use();
    await reached(pause, using);
    const removed = await remove();
    pause.release();
    const used = await using;
    expect([removed.status, shown(used)], used.text).toEqual([200, pair.refused]);
    expect(await w.funds()).toBe(before);
    expect(await w.orphans()).toEqual([]);
  });

  test.each(pairs)('refuses a use that begins while the deletion is checked but not committed: $what', async (pair) => {
    const { use, remove } = await pair.open(w);
    const before = await w.funds();
    const pause = pauseFor(deletes, 'commit');
    const removing = remove();
    await reached(pause, removing);
    const using = use();
    await w.waitForBlockedQuery();
    pause.release();
    const [removed, used] = await Promise.all([removing, using]);
    expect([removed.status, shown(used)], used.text).toEqual([200, pair.refused]);
    expect(await w.funds()).toBe(before);
    expect(await w.orphans()).toEqual([]);
  });

  test.each(pairs)('makes the deletion wait for a use that is not committed yet: $what', async (pair) => {
    const { use, remove } = await pair.open(w);
    const pause = pauseFor(pair.binds, 'commit');
    const using = use();
    await reached(pause, using);
    const removing = remove();
    await w.waitForBlockedQuery();
    pause.release();
    const [used, removed] = await Promise.all([using, removing]);
    expect([used.status < 300, shown(used)], used.text).toEqual([true, expect.not.stringMatching(pair.refused)]);
    expect([removed.status, removed.status === 409 ? removed.body.code : undefined], removed.text).toEqual(
      pair.removed ? [200, undefined] : [409, 'in_use'],
    );
    expect(await w.orphans()).toEqual([]);
  });

  test.each(kept)(
    'refuses the deletion before, during and after the use: $what',
    async ({ open, binds, locksCustomer }) => {
      const { use, remove } = await open(w);
      expect((await remove()).status).toBe(409);
      const pause = pauseFor(binds, 'commit');
      const using = use();
      await reached(pause, using);
      const removing = remove();
      await (locksCustomer ? w.waitForBlockedQuery() : removing);
      pause.release();
      const [used, during] = await Promise.all([using, removing]);
      expect(used.status, used.text).toBeLessThan(300);
      expect([during.status, (await remove()).status]).toEqual([409, 409]);
    },
  );
});

test(
  'leaves no orphans after 50 concurrent deletions and uses at random moments',
  () => runRandomly(w, { seed: 4711, times: 50 }),
  120_000,
);

describe('orphans of deleted accounts', () => {
  beforeAll(() => w.acceptUncredited());
  test.each(orphans)('are reported by verify, and repair restores their owner: $what', (orphan) =>
    expectReportedAndRepaired(w, orphan),
  );
});

test('does not book a bank line for a deleted customer, neither in a dry run nor in an import', async () => {
  const { id } = await w.customer();
  const { reference } = ok(await w.t.call('POST', '/v1/payments', { json: { customer_id: id, amount: '5' } })).body;
  ok(await w.t.call('DELETE', `/v1/customers/${id}`));
  const csv = `date,amount,currency,reference\n2026-11-16,5.00,USD,${reference}`;
  for (const dry_run of [true, false]) {
    const { body } = ok(await w.t.call('POST', '/v1/payments/import', { json: { csv, dry_run } }));
    expect(body).toMatchObject({ counts: { payer_deleted: 1 }, lines: [{ fate: 'payer_deleted' }] });
  }
  expect(await w.orphans()).toEqual([]);
});

import { afterAll, beforeAll, expect, test } from 'vitest';
import { openAlarms } from '../../packages/server/src/core/alarms/alarm.ts';
import { requestRun } from '../../packages/server/src/core/jobs/job-lease.sql.ts';
import { reconciliationJob } from '../../packages/server/src/core/reconciliation/request-verify.ts';
import { runReconciliation } from '../../packages/server/src/core/reconciliation/run-scheduled.ts';
import { Seller } from '../namehold-upstream/chain.ts';
import { expectReconciled } from '../support/reconciliation.ts';
import { type SimulatedUpstream, upstreams } from './simulators/upstreams.ts';

/** The daily comparison of the statement of an upstream with our ledger, for each domain. */
let upstream: SimulatedUpstream;
let seller: Seller;
const names = ['amount.org', 'extra.org', 'missing.org', 'refunded.org'];

beforeAll(async () => {
  upstream = await upstreams.logicboxes!();
  seller = await Seller.open(upstream.way, ['org'], upstream.profile);
  for (const name of names) {
    const called = await seller.order(name, { ns: 'ns1.host.example,ns2.host.example' });
    expect(called.status, called.text).toBe(200);
  }
});
afterAll(async () => {
  await seller?.t.stop();
  await upstream?.stop();
});

const entryOf = (name: string) => upstream.ledger.charges(name)[0]!;
/** Texts of the alarms about one domain. */
const alarmsOf = async (name: string): Promise<string[]> =>
  (await openAlarms(seller.t.ctx)).map(({ sentence }) => sentence).filter((sentence) => sentence.includes(name));
const runDaily = async () => {
  await requestRun(seller.t.ctx, reconciliationJob);
  await runReconciliation(seller.t.ctx);
};

const differences: readonly (readonly [string, string, () => void, RegExp])[] = [
  [
    'a charge without an order',
    'extra.org',
    () => {
      const { orderId } = entryOf('extra.org');
      upstream.ledger.hold(orderId, 1_060);
      upstream.ledger.capture(orderId, 'extra.org', 'Renewal of extra.org for 1 year');
    },
    /21\.00.*10\.40/,
  ],
  [
    'an order without a charge',
    'missing.org',
    () => void upstream.ledger.entries.splice(upstream.ledger.entries.indexOf(entryOf('missing.org')), 1),
    /10\.40/,
  ],
  [
    'another amount',
    'amount.org',
    () => {
      const entry = entryOf('amount.org');
      upstream.ledger.entries[upstream.ledger.entries.indexOf(entry)] = { ...entry, amount: -1_140 };
    },
    /11\.40.*10\.40/,
  ],
  [
    'a refund that is not in the ledger',
    'refunded.org',
    () => upstream.ledger.refund(entryOf('refunded.org').orderId, 'Refund for the registration of refunded.org'),
    /refunded\.org.*10\.40/,
  ],
];

test('agrees before, and raises one alarm for each difference of one domain', async () => {
  await expectReconciled(seller.t);
  for (const [, , make] of differences) make();
  await runDaily();
  for (const [what, name, , expected] of differences) {
    await expect.poll(() => alarmsOf(name), { message: what, timeout: 300_000 }).toHaveLength(1);
    expect((await alarmsOf(name))[0], what).toMatch(expected);
  }
});

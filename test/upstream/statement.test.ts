import { allTenants, sql } from '@namehold/postgres';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openAlarms } from '../../packages/server/src/core/alarms/alarm.ts';
import { watchRenewalFunds } from '../../packages/server/src/core/domains/renewal/watch-renewal-funds.ts';
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

test('raises an alarm before renewals fail for lack of money, and clears it after a deposit', async () => {
  const { ctx } = seller.t;
  const fundsAlarms = async () =>
    (await openAlarms(ctx)).filter(({ key }) => key === 'registry:up:renewal-funds').map(({ sentence }) => sentence);
  const watch = async () => {
    await requestRun(ctx, 'renewal-funds:up');
    await watchRenewalFunds(ctx);
  };
  const age = sql`update registry set created_at = created_at - interval '2 days' where id = 'up'`;
  await ctx.db.transaction(allTenants, (tx) => tx.run(age));
  const renew = sql`update domain set renewal_mode = 'renew', end_date = ${new Date(ctx.clock.now().getTime() + 20 * 86_400_000)}
    where name in ('extra.org', 'amount.org')`;
  await ctx.db.transaction(allTenants, (tx) => tx.run(renew));
  await watch();
  expect(await fundsAlarms()).toEqual([]);
  const { ledger } = upstream;
  ledger.hold('other', ledger.available - 1_500);
  await watch();
  await expect
    .poll(fundsAlarms, { timeout: 300_000 })
    .toEqual([
      'the balance at registry up is 15.00 USD, and 2 automatic renewals in the next 14 days cost 21.20 USD: pay in at least 6.20 USD',
    ]);
  ledger.addFunds(620);
  await watch();
  await expect.poll(fundsAlarms, { timeout: 300_000 }).toEqual([]);
});

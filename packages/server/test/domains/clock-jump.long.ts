import { allTenants, sql } from '@namehold/postgres';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { expectReconciled } from '../../../../test/support/reconciliation.ts';
import { startTestService, type TestService } from '../../../../test/support/service.ts';
import { lifeOf, orderOf } from './life.ts';

/** A slow machine needs time; a background job that does not catch up never ends. */
const boundMs = 900_000;
const modes = ['manual', 'renew', 'delete', 'renew_once'] as const;
const names = Array.from({ length: 1_000 }, (_, at) => ({
  name: `jump-${at}.${at % 2 === 0 ? 'com' : 'org'}`,
  mode: modes[at % modes.length]!,
}));

let t: TestService;
let life: ReturnType<typeof lifeOf>;
beforeAll(async () => {
  t = await startTestService({ sandbox: true });
  life = lifeOf(t);
});
afterAll(() => life.end());

async function inParallel<T>(items: readonly T[], workers: number, work: (item: T) => Promise<void>): Promise<void> {
  const queue = [...items];
  const lane = async () => {
    for (let next = queue.shift(); next !== undefined; next = queue.shift()) await work(next);
  };
  await Promise.all(Array.from({ length: workers }, lane));
}

interface ModeCounts {
  readonly mode: string;
  readonly state: string;
  readonly names: string;
  readonly paid: string;
  readonly charged: string;
  readonly expired: string;
}

/** The domains by their mode: paid to the registry's date, unpaid charges of the registry, and notices of the end. */
const domainsByMode = () =>
  t.ctx.db.as(allTenants).many<ModeCounts>(sql`
    select case when d.name ~ '^jump-[0-9]*[02468]\\.' then 'even' else 'odd' end || ' ' || d.renewal_mode as mode, d.state, count(*) as names,
      count(*) filter (where d.end_date = d.registry_expires_at and d.end_date > now() + interval '400 days') as paid,
      count(*) filter (where exists (select from ledger_transaction c where c.domain_id = d.id and c.type = 'registry' and c.status = 'completed')) as charged,
      count(*) filter (where (select count(*) from event e where e.type = 'domain.expired' and e.payload ->> 'domain_name' = d.name) = 1) as expired
    from domain d where d.name like 'jump-%' group by 1, 2 order by 1, 2`);

test('catches up with background jobs after a clock jump of 400 days over 1,000 domains', async () => {
  const funds = { amount: '50000', description: 'for a thousand names' };
  const funded = await t.call('POST', '/v1/resellers/1000/transactions/fund', { form: funds, as: t.operator });
  expect(funded.status, funded.text).toBe(200);
  await inParallel(names, 8, async ({ name, mode }) => {
    const bought = await t.call('POST', '/v1/domains', { form: orderOf(name) });
    expect(bought.status, bought.text).toBe(200);
    const chosen = await t.call('PUT', `/v1/domains/${name}/renewal_mode`, { form: { renewal_mode: mode } });
    expect(chosen.status, chosen.text).toBe(200);
  });
  const started = performance.now();
  const moved = await t.call('POST', '/v1/sandbox/clock', { json: { move: '+400d' }, headers: { Prefer: 'wait=60' } });
  expect(moved.status, moved.text).toBe(200);
  const quarter = { names: '250', expired: '250' };
  await expect.poll(domainsByMode, { timeout: boundMs, interval: 2_000 }).toEqual(
    [
      // Unpaid: within the registry's grace period, with its charge in our ledger.
      { mode: 'even manual', state: 'live', paid: '0', charged: '250', ...quarter },
      { mode: 'even delete', state: 'redemption', paid: '0', charged: '0', ...quarter },
      // Renewed once, and manual since.
      { mode: 'odd manual', state: 'live', paid: '250', charged: '0', ...quarter },
      { mode: 'odd renew', state: 'live', paid: '250', charged: '0', ...quarter },
    ].sort((a, b) => (a.mode < b.mode ? -1 : 1)),
  );
  console.log(`caught up after ${Math.round((performance.now() - started) / 1_000)} s`);
  await expectReconciled(t);
  await life.expectReconciled();
});

import { performance } from 'node:perf_hooks';
import { setTimeout as sleep } from 'node:timers/promises';
import { allTenants, sql } from '@namehold/postgres';
import { type Buyer, registration } from './buyers.ts';
import { measure, rounded } from './rate.ts';
import type { Stage } from './stage.ts';

const inFlight = 50;
const drainLimitMs = 600_000;

/** The registry is unavailable while orders arrive; the time counts from its return until the last order is done. */
export async function measureDrain(stage: Stage, buyers: readonly Buyer[], count: number): Promise<object> {
  const { pid } = stage.registry();
  process.kill(pid, 'SIGSTOP');
  let returnedAt: number;
  try {
    await measure(count, inFlight, async (index) => {
      const buyer = buyers[index % buyers.length]!;
      const { status } = await stage.call(buyer.credentials, 'POST', '/v1/domains', {
        form: registration(buyer, `drain-${index}.com`),
        headers: { Prefer: 'respond-async' },
      });
      if (status !== 202) throw new Error(`an order during the outage answered ${status}`);
    });
  } finally {
    process.kill(pid, 'SIGCONT');
    returnedAt = performance.now();
  }
  for (let waited = 0; waited < drainLimitMs; waited += 50) {
    const { open } = await stage.ctx.db.as(allTenants).one<{ open: number }>(sql`
      select count(*)::int as open from operation where state not in ('done', 'refused', 'cancelled')`);
    if (open === 0) {
      const seconds = (performance.now() - returnedAt) / 1_000;
      return { orders: count, seconds: rounded(seconds, 2), per_second: rounded(count / seconds) };
    }
    await sleep(50);
  }
  throw new Error('the queue did not drain');
}

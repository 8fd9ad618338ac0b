import { allTenants, sql } from '@namehold/postgres';
import type { HeldDomain } from './faulted/account.ts';
import { expectNoSecondCharge, type Outcome, outcomeOf, settleManually } from './faulted/check.ts';
import { Installation } from './faulted/installation.ts';
import { Plan } from './faulted/plan.ts';
import { runWave, settle, troubles } from './faulted/wave.ts';
import { randomFrom } from './simulators/random.ts';

interface FaultedRun extends Outcome {
  readonly dialect: string;
  readonly orders: number;
  readonly restarts: number;
  /** The longest time from the end of the trouble until the last operation of a wave was settled. */
  readonly slowestSeconds: number;
  readonly faults: string;
  readonly requests: number;
  /** The largest number of identical requests within 300 seconds, where the upstream limits them. */
  readonly mostIdentical: number | undefined;
}

interface Sizes {
  readonly orders: number;
  readonly wave: number;
  /** After so many waves, domains are older than the period in which a delete is refunded. */
  readonly agesAfter: number;
  /** Called after each wave, for runs that take long. */
  readonly progress?: (text: string) => void;
}

const seconds = (ms: number): number => Math.ceil(ms / 1_000);
const agedMs = 6 * 86_400_000;

/** Orders with lost answers, blocks, outages and restarts. At the end each was charged once or not at all, and both sides agree. */
export async function faultedOrders(dialect: string, seed: number, sizes: Sizes): Promise<FaultedRun> {
  const installation = await Installation.open(dialect);
  try {
    const random = randomFrom(seed);
    const plan = new Plan(installation.upstream, random);
    let [orders, restarts, slowestMs] = [0, 0, 0];
    for (let wave = 0; orders < sizes.orders; wave += 1) {
      if (wave % sizes.agesAfter === sizes.agesAfter - 1) await installation.pass(agedMs);
      const planned = plan.wave(Math.min(sizes.wave, sizes.orders - orders), await freeDomains(installation));
      const trouble = troubles[(wave + seed) % troubles.length]!;
      const beganAt = performance.now();
      await runWave(installation, { planned, trouble, seed: seed + wave, begins: 0.2 + 0.5 * random() });
      const placedAt = performance.now();
      slowestMs = Math.max(slowestMs, await settle(installation));
      orders += planned.length;
      restarts += trouble === 'restart' ? 1 : 0;
      const [placing, settling] = [placedAt - beganAt, performance.now() - placedAt].map(seconds);
      sizes.progress?.(
        `${dialect}: ${orders} orders (${trouble}), placed in ${placing} s, settled in ${settling} s, slowest ${seconds(slowestMs)} s`,
      );
    }
    const outcome = await outcomeOf(installation);
    await settleManually(installation);
    await settle(installation);
    await expectNoSecondCharge(installation);
    const { upstream } = installation;
    return {
      ...outcome,
      dialect,
      orders,
      restarts,
      slowestSeconds: seconds(slowestMs),
      faults: await upstream.faultsApplied(),
      requests: await upstream.requests(),
      mostIdentical: upstream.mostIdentical?.(300_000),
    };
  } finally {
    await installation.close();
  }
}

/** Domains of the account for which nothing waits for a decision. */
async function freeDomains({ db, upstream }: Installation): Promise<HeldDomain[]> {
  const held = await db.as(allTenants).many<{ name: string }>(sql`
    select distinct d.name from operation o join domain d on d.id = o.domain_id where o.state = 'action_required'`);
  const waiting = new Set(held.map(({ name }) => name));
  return (await upstream.domains()).filter(({ name }) => !waiting.has(name));
}

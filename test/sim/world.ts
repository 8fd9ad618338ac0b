import { setTimeout as sleep } from 'node:timers/promises';
import { everyTenant, sql } from '@namehold/base';
import { followExpiryOnce } from '../../packages/server/src/core/domains/expire.ts';
import type { PriceAction } from '../../packages/server/src/core/pricing/price.ts';
import { priceOrder } from '../../packages/server/src/core/pricing/price-of.ts';
import { makeTraders, type Trader } from '../faults/traders.ts';
import { startTestService, type TestService } from '../support/service.ts';
import type { Level } from './model.ts';

const replyTimeoutMs = 300;
const settleLimitMs = 60_000;

/** The service under simulation, and what the simulation needs to know of it. */
export interface World {
  readonly t: TestService;
  readonly traders: readonly Trader[];
  now(): number;
  /** What every level of a trader's chain pays, its own first. */
  price(trader: Trader, tld: string, things: readonly { action: PriceAction; years: number }[]): Promise<Level[]>;
  /** Runs whatever is open to its end, without waiting for the clockwork's turn. */
  settle(): Promise<void>;
  /** Everybody's clock jumps; the registry does what is due. */
  move(byMs: number): Promise<void>;
  /** One round of the job that follows the dates. */
  follow(): Promise<void>;
}

export async function openWorld(seed: number): Promise<World> {
  const t = await startTestService({
    sandbox: true,
    env: { NAMEHOLD_SANDBOX_REPLY_TIMEOUT_MS: String(replyTimeoutMs), NAMEHOLD_WAIT_MS: '5000' },
  });
  const traders = [...(await makeTraders(t, 2, 2)), ...(await makeTraders(t, 1, 0, '150.00'))];
  await turnTheDial(t, seed);
  return {
    t,
    traders,
    now: () => t.house.clock.now().getTime(),
    async price(trader, tld, things) {
      const order = {
        resellerId: trader.resellerId,
        at: t.house.clock.now(),
        things: things.map((each) => ({ tld, ...each })),
      };
      const { levels } = await priceOrder(t.house.db.as(everyTenant), order);
      return levels.map(({ resellerId, amount }) => ({ resellerId, amount: amount.amount }));
    },
    settle: () => settle(t),
    async move(byMs) {
      t.moveClock(`+${Math.round(byMs / 1_000)}s`);
      await t.control('GET', '/clock');
    },
    follow: () => followExpiryOnce(t.house),
  };
}

/** Answers get lost, come late or are cut off; sessions die. */
async function turnTheDial(t: TestService, seed: number): Promise<void> {
  const faults = [
    { kind: 'drop-after-commit', rate: 0.03, seed },
    { kind: 'drop-before', rate: 0.01, seed: seed + 1 },
    { kind: 'delay', rate: 0.01, ms: replyTimeoutMs * 2, seed: seed + 2 },
    { kind: 'half-frame', rate: 0.01, seed: seed + 3 },
    { kind: '2500', rate: 0.01, when: 'either', seed: seed + 4 },
    { kind: '2400', rate: 0.01, when: 'either', seed: seed + 5 },
  ];
  // Logins are spared: a lost one only costs the twenty seconds that a login is waited for.
  const aim = { client: 'namehold', commands: ['domain', 'contact', 'host'] };
  for (const fault of faults) {
    const set = await t.control('POST', '/faults', { ...fault, ...aim });
    if (set.status >= 300) throw new Error(set.text);
  }
}

async function settle(t: TestService): Promise<void> {
  const db = t.house.db.as(everyTenant);
  for (const started = Date.now(); Date.now() - started < settleLimitMs; ) {
    const open = await db.many<{ id: string }>(
      sql`select id from operation where state not in ('done', 'refused', 'cancelled')`,
    );
    if (open.length === 0) return;
    await Promise.all(open.map(({ id }) => t.house.engine.start(id)));
    await sleep(20);
  }
  const open = await db.many(sql`
    select id, kind, state, attempts, steps, result_code, result_text from operation where state not in ('done', 'refused', 'cancelled')`);
  throw new Error(`not settled within ${settleLimitMs} ms: ${JSON.stringify(open)}`);
}

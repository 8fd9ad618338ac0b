import { allTenants, sql } from '@namehold/postgres';
import { expect } from 'vitest';
import { reconcileNames } from '../../../packages/server/src/core/domains/compare/reconcile.ts';
import { expectReconciled } from '../../support/reconciliation.ts';
import { checkSettled, recover, repair } from './recover.ts';
import { Unsynchronised } from './world.ts';

/** Long enough for a deleted domain to be removed everywhere. */
const afterwards = '+120d';

interface Played {
  readonly seeds: number;
  /** Differences that the comparison found and a repair ended, by rule. */
  readonly repaired: Readonly<Record<string, number>>;
}

/** Runs each seed in one service. At the end of each, and of all, our ledger and the registry agree. */
export async function playUnsynchronised(seeds: Iterable<number>): Promise<Played> {
  const installation = await Unsynchronised.open();
  const repaired: Record<string, number> = {};
  let played = 0;
  try {
    for (const seed of seeds) {
      const { name, history } = await installation.play(seed);
      await recover(installation, name, history);
      for (const rule of await repair(installation, name, history)) repaired[rule] = (repaired[rule] ?? 0) + 1;
      await checkSettled(installation, name, history);
      await retire(installation, name);
      played += 1;
      if (played % 20 === 0) console.log(`unsynchronised: ${played} seeds agree`);
    }
    installation.t.moveClock(afterwards);
    await reconcileNames(installation.t.ctx);
    installation.t.moveClock('+1h');
    await reconcileNames(installation.t.ctx);
    await expectReconciled(installation.t);
    await installation.life.expectReconciled();
  } finally {
    await installation.otherRegistrar.close();
    await installation.t.stop();
  }
  return { seeds: played, repaired };
}

/** A domain that is still ours is deleted, so that later seeds do not renew it. */
async function retire(installation: Unsynchronised, name: string): Promise<void> {
  const live = await installation.t.ctx.db
    .as(allTenants)
    .maybe(sql`select 1 as one from domain where name = ${name} and state = 'live'`);
  if (!live) return;
  const deleted = await installation.t.call('DELETE', `/v1/domains/${name}`);
  expect(deleted.status, deleted.text).toBe(200);
}

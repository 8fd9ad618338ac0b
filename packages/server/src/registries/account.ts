import { setTimeout as sleep } from 'node:timers/promises';
import { type AccountRateLimit, type BackoffLimits, pauseAfter } from '@namehold/epp';
import { allTenants } from '@namehold/postgres';
import type { AppContext } from '../core/app-context.ts';
import {
  beginPause,
  beginTrial,
  beginTrialWithoutSessions,
  endPause,
  endTrial,
  openPause,
  takeRateTokens,
} from '../core/registries/rate-limit.sql.ts';

/** Timeout of the one login that is tried after a pause. */
const trialMs = 60_000;
/** At a high rate, command slots are reserved in batches, which saves queries. */
const sliceSeconds = 0.05;
const usualFactor = 2;
/** Wait before the next login attempt after "session limit exceeded" without any open session, over all processes. */
const loneAfterMs = 30_000;

/** Rate limit and pauses of a registry account, over all processes that share it. */
export function databaseAccount(ctx: AppContext, registryId: string, perSecond: number): AccountRateLimit {
  const autocommit = () => ctx.db.autocommit(allTenants);
  const slice = Math.floor(perSecond * sliceSeconds);
  return {
    async take(wanted) {
      const tokens = Math.max(wanted, slice, 1);
      const { granted, wait_ms: waitMs } = await takeRateTokens(autocommit(), registryId, perSecond, tokens, false);
      return { granted, waitMs };
    },
    charge() {
      // The database is unavailable for a moment: one login is not counted.
      void takeRateTokens(autocommit(), registryId, perSecond, 1, true).catch(() => undefined);
    },
    async mayLogIn(isAlone) {
      if (await beginTrial(autocommit(), registryId, trialMs)) return null;
      if (isAlone && (await beginTrialWithoutSessions(autocommit(), registryId, trialMs, loneAfterMs))) return null;
      const pause = await openPause(autocommit(), registryId);
      return pause ? { code: pause.code, delayMs: pause.delay_ms } : null;
    },
    async failed(code) {
      const begins = pauseAfter(code);
      if (code === undefined || !begins) {
        await endTrial(autocommit(), registryId);
        return null;
      }
      const limits: BackoffLimits = begins.limits;
      const grown = { kind: begins.kind, code, ...limits, factor: limits.factor ?? usualFactor };
      const pause = await beginPause(autocommit(), registryId, grown);
      return pause ? { code: pause.code, delayMs: pause.delay_ms } : null;
    },
    worked: () => endPause(autocommit(), registryId),
  };
}

const waitLimitMs = 60_000;

/** For commands without a pool: waits for the rate limit of the account and returns how many commands may be sent. 0: no slot in time. */
export async function awaitRateLimit(account: AccountRateLimit): Promise<number> {
  const giveUpAt = performance.now() + waitLimitMs;
  for (;;) {
    const { granted, waitMs } = await account.take(1);
    if (granted > 0 || performance.now() + waitMs > giveUpAt) return granted;
    await sleep(waitMs);
  }
}

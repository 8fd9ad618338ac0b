import { allTenants } from '@namehold/base';
import type { AppContext } from '../../core/app-context.ts';
import {
  beginPause,
  beginTrial,
  endPause,
  endTrial,
  type Pause as OpenPause,
  openPause,
} from '../../core/registries/rate-limit.sql.ts';
import type { Pause } from './meaning.ts';

/** One request that goes ahead after a pause is answered within this time, or is given up. */
const trialMs = 60_000;
/** After a refused login: an upstream locks out who goes on knocking. */
const loginLimits = { firstMs: 60_000, maxMs: 3_600_000, factor: 2 };
const slowDown = 429;

export type Pauses = ReturnType<typeof databasePauses>;

/** When nothing is sent to an account, over all processes that share it. A pause that is over lets one request try. */
export function databasePauses(ctx: AppContext, registryId: string) {
  const autocommit = () => ctx.db.autocommit(allTenants);
  const wordsOf = ({ code, delay_ms: ms }: OpenPause): string => {
    const why = code === slowDown ? 'the upstream asks us to slow down' : `the upstream refuses our login (${code})`;
    return `${why}; nothing is sent for another ${Math.ceil(ms / 1_000)} seconds`;
  };
  const why = async (): Promise<string | undefined> => {
    const open = await openPause(autocommit(), registryId);
    return open && wordsOf(open);
  };
  return {
    /** Why nothing may be sent now. */
    why,
    async admit(): Promise<{ readonly isTrial: boolean } | { readonly why: string }> {
      if (await beginTrial(autocommit(), registryId, trialMs)) return { isTrial: true };
      const closed = await why();
      return closed === undefined ? { isTrial: false } : { why: closed };
    },
    /** Undefined: one is open already. */
    async begin(pause: Pause): Promise<number | undefined> {
      const begun = await beginPause(
        autocommit(),
        registryId,
        pause.because === 'login'
          ? { kind: 'refused', code: pause.status, ...loginLimits }
          : { kind: 'session-limit', code: slowDown, firstMs: pause.ms, maxMs: pause.ms, factor: 1 },
      );
      return begun?.delay_ms;
    },
    /** The try was not answered: the next may be made at once. */
    endTrial: () => endTrial(autocommit(), registryId),
    forget: () => endPause(autocommit(), registryId),
  };
}

import { allTenants } from '@namehold/postgres';
import type { AppContext } from '../../core/app-context.ts';
import {
  beginPause,
  beginTrial,
  endPause,
  endTrial,
  type Pause as OpenPause,
  openPause,
} from '../../core/registries/rate-limit.sql.ts';
import type { Pause } from './dialect.ts';

/** Timeout of the one request that is tried after a pause. */
const trialMs = 60_000;
/** After a refused login, because an upstream may block an account after repeated failures. */
const loginLimits = { firstMs: 60_000, maxMs: 3_600_000, factor: 2 };
const slowDown = 429;

export type Pauses = ReturnType<typeof databasePauses>;

/** Pauses of an account, over all processes that share it. After a pause one request is tried. */
export function databasePauses(ctx: AppContext, registryId: string) {
  const autocommit = () => ctx.db.autocommit(allTenants);
  const pauseText = ({ code, delay_ms: ms }: OpenPause): string => {
    const why = code === slowDown ? 'the upstream limits our requests' : `the upstream refuses our login (${code})`;
    return `${why}; nothing is sent for another ${Math.ceil(ms / 1_000)} seconds`;
  };
  const why = async (): Promise<string | undefined> => {
    const open = await openPause(autocommit(), registryId);
    return open && pauseText(open);
  };
  return {
    /** Why nothing may be sent at present. */
    why,
    async allowCall(): Promise<{ readonly isTrial: boolean } | { readonly why: string }> {
      if (await beginTrial(autocommit(), registryId, trialMs)) return { isTrial: true };
      const closed = await why();
      return closed === undefined ? { isTrial: false } : { why: closed };
    },
    /** Undefined: a pause is already active. */
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
    /** The trial request was not answered, so the next one may be tried at once. */
    endTrial: () => endTrial(autocommit(), registryId),
    end: () => endPause(autocommit(), registryId),
  };
}

import { lockTexts, type TransferLock } from '../../policy/lock.ts';
import type { Action, Reason } from './reason.ts';

/** These locks end only with time. */
export function lockReasons(action: Action, locks: readonly TransferLock[]): Reason[] {
  return locks
    .filter((lock) => lock.against === action)
    .map(({ after, against, until }) => ({
      because: `lock after ${lockTexts[after]}`,
      setBy: 'platform',
      sentence: `cannot be ${against === 'move' ? 'moved' : 'transferred'} before ${until.toISOString()}: the lock after ${lockTexts[after]} lasts until then.`,
      code: 'domain_blocked',
      facts: { until: until.toISOString() },
      help: null,
      advice: null,
    }));
}

import { siteOf } from '../connection-limits.ts';
import { Refusal } from '../errors.ts';

export const hashLimits = {
  /** One run takes 19 MiB and a thread for a tenth of a second. */
  atOnce: 4,
  /** Of sign-ins of unknown browsers, and as many of known ones; part of them from one site. */
  waiting: 32,
  waitingOfSite: 16,
};

/** For whom a hash is computed: a caller with a key or session, a browser that is known for its login, or an anonymous one. */
export interface HashCaller {
  /** Callers with a key or session are limited by their budgets and by their shares of the requests in progress. */
  readonly topId?: string | undefined;
  readonly known?: string | undefined;
  readonly address: string;
}

type Resume = () => void;

/**
 * Limits concurrent hashes of this process. Further callers wait, and take turns: those below each top account, and known and unknown
 * browsers of each site. Sign-ins are refused when too many of their kind wait.
 */
export class HashGate {
  #running = 0;
  /** By whose turn is next. */
  readonly #waiting = new Map<string, Resume[]>();

  async through<T>(work: () => Promise<T>, caller: HashCaller): Promise<T> {
    await this.#enter(caller);
    try {
      return await work();
    } finally {
      this.#leave();
    }
  }

  async #enter(caller: HashCaller): Promise<void> {
    if (this.#running < hashLimits.atOnce) {
      this.#running += 1;
      return;
    }
    const kind = kindOf(caller);
    const group = kind === undefined ? `below ${caller.topId}` : `${kind} ${siteOf(caller.address)}`;
    const queue = this.#waiting.get(group) ?? [];
    if (kind !== undefined && this.#isFull(kind, queue.length))
      throw new Refusal('rate_limited', 'Too many passwords are being checked at the moment. Try again in a second.', {
        retryAfterSeconds: 1,
      });
    this.#waiting.set(group, queue);
    // A finished caller passes its slot to the next.
    await new Promise<void>((resolve) => queue.push(resolve));
  }

  #isFull(kind: string, ofSite: number): boolean {
    let ofKind = 0;
    for (const [group, queue] of this.#waiting) if (group.startsWith(`${kind} `)) ofKind += queue.length;
    return ofSite >= hashLimits.waitingOfSite || ofKind >= hashLimits.waiting;
  }

  #leave(): void {
    const [next] = this.#waiting;
    if (!next) {
      this.#running -= 1;
      return;
    }
    const [group, queue] = next;
    this.#waiting.delete(group);
    const resume = queue.shift()!;
    if (queue.length > 0) this.#waiting.set(group, queue);
    resume();
  }
}

/** Undefined: a caller with a key or session. */
function kindOf({ topId, known }: HashCaller): 'known' | 'unknown' | undefined {
  if (topId !== undefined) return undefined;
  return known === undefined ? 'unknown' : 'known';
}

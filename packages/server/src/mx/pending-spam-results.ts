import type { MailOutcome } from '../core/mail-forwarding/counts.sql.ts';
import type { MailCounter } from './mail-counter.ts';
import type { MessageLimits } from './message-limits.ts';

/** Beyond it, the oldest are counted without a result. */
const mostWaiting = 10_000;
/** Longer than rspamd takes for one message. */
const resultWaitMs = 120_000;

/** Results of rspamd and the outcomes that they are counted as. */
const outcomes: Readonly<Record<string, MailOutcome>> = {
  taken: 'forwarded',
  spam: 'spam',
  refused: 'refused',
  deferred: 'deferred',
};

interface Waiting {
  readonly names: ReadonlySet<string>;
  readonly since: Date;
}

/**
 * Messages that wait for the result of rspamd, which follows our policy reply. Once rspamd has reported here, a message without a result
 * counts as deferred, because Postfix defers mail while rspamd is away. Without any report there is no rspamd, and the message counts as
 * forwarded.
 */
export class PendingSpamResults {
  readonly #counts: MailCounter;
  readonly #limits: MessageLimits;
  /** By the queue id of Postfix. */
  readonly #waiting = new Map<string, Waiting>();
  #hasResults = false;

  constructor(counts: MailCounter, limits: MessageLimits) {
    this.#counts = counts;
    this.#limits = limits;
  }

  /** Counts the message against the limits at once, so that concurrent messages cannot exceed them together. */
  wait(queueId: string, names: ReadonlySet<string>, now: Date): void {
    for (const name of names) this.#limits.take(name, now);
    if (queueId === '') this.#settle({ names, since: now }, 'forwarded', now);
    else this.#waiting.set(queueId, { names, since: now });
    if (this.#waiting.size > mostWaiting) this.#giveUp(this.#waiting.keys().next().value!, now);
  }

  /** `result`: the queue id and the result. False: the result is unknown. */
  recordResult(result: string, now: Date): boolean {
    const [queueId = '', outcome = ''] = result.split(' ');
    if (!Object.hasOwn(outcomes, outcome)) return false;
    this.#hasResults = true;
    const mail = this.#waiting.get(queueId);
    this.#waiting.delete(queueId);
    if (mail) this.#settle(mail, outcomes[outcome]!, now);
    return true;
  }

  /** Counts messages that will get no result any more. Called before each flush. */
  settleOld(now: Date): void {
    for (const [queueId, { since }] of this.#waiting) {
      if (this.#hasResults && now.getTime() - since.getTime() < resultWaitMs) return;
      this.#giveUp(queueId, now);
    }
  }

  #giveUp(queueId: string, now: Date): void {
    const mail = this.#waiting.get(queueId)!;
    this.#waiting.delete(queueId);
    this.#settle(mail, this.#hasResults ? 'deferred' : 'forwarded', now);
  }

  #settle({ names, since }: Waiting, outcome: MailOutcome, now: Date): void {
    for (const name of names) {
      this.#counts.count(name, outcome, since);
      if (outcome !== 'forwarded') this.#limits.giveBack(name, since, now);
    }
  }
}

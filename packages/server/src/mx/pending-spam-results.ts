import type { MailOutcome } from '../core/mail-forwarding/counts.sql.ts';
import type { MailCounter } from './mail-counter.ts';
import type { MessageLimits } from './message-limits.ts';

/** Beyond it the oldest are counted as if nobody had said a word. */
const mostWaiting = 10_000;
/** Longer than rspamd takes for one mail. */
const wordMs = 120_000;

/** What rspamd says in the end, and as what it is counted. */
const words: Readonly<Record<string, MailOutcome>> = {
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
 * Mail that was handed over as a whole and that rspamd still judges: Postfix asks us first, and only after the verdict tells the sender whether it is taken.
 * Once rspamd has spoken here, mail without its word was not taken: Postfix puts it off while rspamd is away. Where it never spoke there is none, and mail is taken.
 */
export class PendingSpamResults {
  readonly #counts: MailCounter;
  readonly #limits: MessageLimits;
  /** By the id of the mail in Postfix's queue. */
  readonly #waiting = new Map<string, Waiting>();
  #hasResults = false;

  constructor(counts: MailCounter, limits: MessageLimits) {
    this.#counts = counts;
    this.#limits = limits;
  }

  /** It has its share at once: what comes at the same time may not pass it together. */
  wait(queueId: string, names: ReadonlySet<string>, now: Date): void {
    for (const name of names) this.#limits.take(name, now);
    if (queueId === '') this.#settle({ names, since: now }, 'forwarded', now);
    else this.#waiting.set(queueId, { names, since: now });
    if (this.#waiting.size > mostWaiting) this.#giveUp(this.#waiting.keys().next().value!, now);
  }

  /** `said`: the id and a word. False: it is none of the words. */
  recordResult(said: string, now: Date): boolean {
    const [queueId = '', word = ''] = said.split(' ');
    if (!Object.hasOwn(words, word)) return false;
    this.#hasResults = true;
    const mail = this.#waiting.get(queueId);
    this.#waiting.delete(queueId);
    if (mail) this.#settle(mail, words[word]!, now);
    return true;
  }

  /** Before counts are stored: of whom no word will come. */
  settleOld(now: Date): void {
    for (const [queueId, { since }] of this.#waiting) {
      if (this.#hasResults && now.getTime() - since.getTime() < wordMs) return;
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

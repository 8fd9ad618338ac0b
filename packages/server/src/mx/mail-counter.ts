import type { MailCountRow, MailOutcome } from '../core/mail-forwarding/counts.sql.ts';

/** Counts that wait to be stored; beyond it new names and hours are not counted until some are. */
const maxEntries = 50_000;
const hourMs = 3_600_000;

/** Counts mail by name, hour and what became of it. Of who wrote nothing is kept. */
export class MailCounter {
  #lines = new Map<string, MailCountRow & { messages: number }>();

  count(domainId: string, outcome: MailOutcome, now: Date, messages = 1): void {
    const hour = Math.floor(now.getTime() / hourMs);
    const key = `${domainId} ${hour} ${outcome}`;
    const known = this.#lines.get(key);
    if (known) known.messages += messages;
    else if (this.#lines.size < maxEntries)
      this.#lines.set(key, { domain_id: domainId, hour: new Date(hour * hourMs), outcome, messages });
  }

  /** Hands over all that was counted, and begins anew. */
  take(): MailCountRow[] {
    const rows = [...this.#lines.values()];
    this.#lines = new Map();
    return rows;
  }

  /** They could not be stored. */
  putBack(rows: readonly MailCountRow[]): void {
    for (const { domain_id, outcome, hour, messages } of rows) this.count(domain_id, outcome, hour, messages);
  }
}

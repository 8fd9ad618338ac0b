import type { MailCountRow, MailOutcome } from '../core/mail-forwarding/counts.sql.ts';

/** Maximum number of unsaved counters. Beyond it, new combinations of domain and hour are not counted until a flush. */
const maxEntries = 50_000;
const hourMs = 3_600_000;

/** Counts messages by domain, hour and outcome. No data of the sender is kept. */
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

  /** Returns all counters and resets them. */
  take(): MailCountRow[] {
    const rows = [...this.#lines.values()];
    this.#lines = new Map();
    return rows;
  }

  /** Adds counters back after a failed flush. */
  putBack(rows: readonly MailCountRow[]): void {
    for (const { domain_id, outcome, hour, messages } of rows) this.count(domain_id, outcome, hour, messages);
  }
}

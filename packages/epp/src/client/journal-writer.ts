import { unhandledUris } from '../extension/unhandledNamespaces.ts';
import type { Answer } from '../model/answer.ts';
import type { Job } from './job.ts';
import type { EppClientEvent, Journal } from './ports.ts';

/** Writes the journal notes after `prepared`. A note that fails is reported as an event and changes nothing. */
export class JournalWriter<C> {
  readonly #journal: Journal<C> | undefined;
  readonly #onEvent: (event: EppClientEvent) => void;

  constructor(journal: Journal<C> | undefined, onEvent: (event: EppClientEvent) => void) {
    this.#journal = journal;
    this.#onEvent = onEvent;
  }

  sent(clTRID: string): void {
    void this.#note(clTRID, 'sent', () => this.#journal?.sent?.(clTRID));
  }

  unsent(clTRID: string, why: string): Promise<void> {
    return this.#note(clTRID, 'unsent', () => this.#journal?.unsent?.(clTRID, why));
  }

  async answered(job: Job<C>, answer: Answer<unknown>): Promise<void> {
    if (answer.kind === 'unknown') {
      this.#onEvent({ type: 'unknown-outcome', clTRID: job.clTRID, why: answer.why });
      await this.#note(job.clTRID, 'unknown', () => this.#journal?.unknown?.(job.clTRID, answer.why, answer.text));
      return;
    }
    const { code, svTRID, frame } = answer;
    await this.#note(job.clTRID, 'answered', () => this.#journal?.answered?.(job.clTRID, { code, svTRID, frame }));
    if (answer.msgQ !== undefined && job.request.object !== 'poll') {
      this.#onEvent({ type: 'message-waiting', count: answer.msgQ.count });
    }
    const uris = unhandledUris(answer.results);
    if (uris.length > 0) this.#onEvent({ type: 'unhandled-namespaces', uris });
  }

  async #note(clTRID: string, note: string, write: () => void | Promise<void>): Promise<void> {
    try {
      await write();
    } catch (error) {
      const text = error instanceof Error ? error.message : 'unknown fault';
      this.#onEvent({ type: 'journal-fault', clTRID, note, text });
    }
  }
}

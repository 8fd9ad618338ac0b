import type { Installation } from '../faults/world.ts';
import { read } from './facts.ts';
import type { Trader } from './resellers.ts';

/** The events of a reseller, as in docs/events. */
export interface ReceivedEvent {
  /** As far as known: if a clock was wrong, between the previous read and the one that found it. */
  readonly at: number;
  readonly writtenAt: number;
  readonly type: string;
  // biome-ignore lint/suspicious/noExplicitAny: docs/events says what each type holds
  readonly payload: any;
}

const eventsPerPage = 1_000;
/** An event may become visible some time after its timestamp. */
const lateMs = 60_000;

interface Readers {
  readonly chain: readonly Trader[];
  /** The maximum error of a clock. */
  readonly skewMs: number;
}

/** Continues to read the log of each reseller. */
export class EventReader {
  readonly #after = new Map<string, string>();
  readonly #readAt = new Map<string, number>();
  readonly #told: (ReceivedEvent & { readonly by: Trader })[] = [];

  async read(
    installation: Installation,
    { chain, skewMs }: Readers,
  ): Promise<readonly (ReceivedEvent & { readonly by: Trader })[]> {
    for (const trader of chain) await this.#readOn(installation, trader, skewMs);
    return this.#told;
  }

  async #readOn(installation: Installation, by: Trader, skewMs: number): Promise<void> {
    const before = this.#readAt.get(by.resellerId) ?? Number.NEGATIVE_INFINITY;
    const found: ReceivedEvent[] = [];
    for (;;) {
      const after = this.#after.get(by.resellerId) ?? 'evt_0';
      const { status, body } = await read(
        installation,
        `/v1/events?limit=${eventsPerPage}&type=domain.*&after=${after}`,
        by.caller,
      );
      if (status !== 200) throw new Error(`events cannot be read: ${status} ${JSON.stringify(body)}`);
      for (const { at, type, payload } of body.events) found.push({ at: 0, writtenAt: Date.parse(at), type, payload });
      this.#after.set(by.resellerId, body.next_after as string);
      if (!body.has_more) break;
    }
    const now = await installation.now();
    this.#readAt.set(by.resellerId, now);
    for (const event of found) this.#told.push({ ...event, at: whenIn(event.writtenAt, before, now, skewMs), by });
  }
}

/** The event appeared between two reads. If a wrong clock explains its timestamp, the time is moved into that interval. */
export function whenIn(writtenAt: number, before: number, now: number, skewMs: number): number {
  const [earliest, latest] = [before - lateMs, now + lateMs];
  if (writtenAt < earliest && writtenAt >= earliest - skewMs) return before;
  return writtenAt > now && writtenAt <= latest + skewMs ? now : writtenAt;
}

import type { World } from '../faults/world.ts';
import { read } from './facts.ts';
import type { Trader } from './traders.ts';

/** What a reseller was told, as docs/events has it. */
export interface Told {
  readonly at: number;
  readonly type: string;
  // biome-ignore lint/suspicious/noExplicitAny: docs/events says what each type holds
  readonly payload: any;
}

const eventsPerPage = 1_000;

/** Reads the log of each reseller on from where it was. */
export class EventReader {
  readonly #after = new Map<string, string>();
  readonly #told: (Told & { readonly by: Trader })[] = [];

  async read(world: World, chain: readonly Trader[]): Promise<readonly (Told & { readonly by: Trader })[]> {
    for (const trader of chain) await this.#readOn(world, trader);
    return this.#told;
  }

  async #readOn(world: World, by: Trader): Promise<void> {
    for (;;) {
      const after = this.#after.get(by.resellerId) ?? 'evt_0';
      const { status, body } = await read(
        world,
        `/v1/events?limit=${eventsPerPage}&type=domain.*&after=${after}`,
        by.caller,
      );
      if (status !== 200) throw new Error(`events cannot be read: ${status} ${JSON.stringify(body)}`);
      for (const { at, type, payload } of body.events) this.#told.push({ at: Date.parse(at), type, payload, by });
      this.#after.set(by.resellerId, body.next_after as string);
      if (!body.has_more) return;
    }
  }
}

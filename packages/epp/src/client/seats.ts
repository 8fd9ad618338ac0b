import type { SlotLease } from './ports.ts';
import type { EppSession } from './session.ts';
import type { Lane } from './surface.ts';

/** A session with the slot that allows it and the lane that it serves at the moment. */
export type Seat = {
  readonly session: EppSession;
  readonly lease: SlotLease;
  lane: Lane | undefined;
  retire: boolean;
  /** When its last command ended. */
  idleSinceMs: number;
};

/** The open sessions of a pool. */
export class Seats {
  readonly #seats = new Map<EppSession, Seat>();
  /** Sessions that are being opened. */
  opening = 0;

  get open(): number {
    return this.#seats.size;
  }

  get busy(): number {
    return [...this.#seats.values()].filter((seat) => seat.lane !== undefined).length;
  }

  /** Sessions that serve another lane than money. */
  get busyOutsideMoney(): number {
    return [...this.#seats.values()].filter((seat) => seat.lane !== undefined && seat.lane !== 'money').length;
  }

  idle(): Seat | undefined {
    return this.#seats.values().find(isIdle);
  }

  get idleCount(): number {
    return [...this.#seats.values()].filter(isIdle).length;
  }

  add(seat: Seat): void {
    this.#seats.set(seat.session, seat);
  }

  remove(session: EppSession): Seat | undefined {
    const seat = this.#seats.get(session);
    this.#seats.delete(session);
    return seat;
  }

  all(): Seat[] {
    return [...this.#seats.values()];
  }
}

const isIdle = (seat: Seat): boolean =>
  seat.lane === undefined && !seat.retire && seat.session.alive && !seat.session.busy;

/** Capacity in use, in total and for each sender: bytes of bodies, number of bodies, or requests. */
export class CapacityPool {
  readonly #most: { readonly all: number; readonly each: number };
  readonly #of = new Map<string, number>();
  #all = 0;

  constructor(most: { readonly all: number; readonly each: number }) {
    this.#most = most;
  }

  hasCapacity(sender: string, amount: number): boolean {
    return this.#all + amount <= this.#most.all && (this.#of.get(sender) ?? 0) + amount <= this.#most.each;
  }

  /** Returns a function that releases it. */
  take(sender: string, amount: number): () => void {
    this.#all += amount;
    this.#of.set(sender, (this.#of.get(sender) ?? 0) + amount);
    return () => {
      this.#all -= amount;
      const left = this.#of.get(sender)! - amount;
      if (left > 0) this.#of.set(sender, left);
      else this.#of.delete(sender);
    };
  }
}

/** The senders to which capacity is charged, in each budget. */
export type CapacityClaim = readonly [pool: CapacityPool, whose: string];

export const hasCapacityFor = (claims: readonly CapacityClaim[], amount: number): boolean =>
  claims.every(([pool, whose]) => pool.hasCapacity(whose, amount));

/** Returns a function that releases everything. */
export function acquireAll(claims: readonly CapacityClaim[], amount: number): () => void {
  const taken = claims.map(([pool, whose]) => pool.take(whose, amount));
  return () => {
    for (const giveBack of taken) giveBack();
  };
}

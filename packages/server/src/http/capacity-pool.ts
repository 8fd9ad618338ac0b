/** What is under way at a time, in all and of each sender: octets of bodies, bodies, or requests. */
export class CapacityPool {
  readonly #most: { readonly all: number; readonly each: number };
  readonly #of = new Map<string, number>();
  #all = 0;

  constructor(most: { readonly all: number; readonly each: number }) {
    this.#most = most;
  }

  hasRoom(sender: string, amount: number): boolean {
    return this.#all + amount <= this.#most.all && (this.#of.get(sender) ?? 0) + amount <= this.#most.each;
  }

  /** Answers with what gives it back. */
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

/** Whose room something takes, in each budget that it counts for. */
export type CapacityClaim = readonly [pool: CapacityPool, whose: string];

export const hasCapacityFor = (claims: readonly CapacityClaim[], amount: number): boolean =>
  claims.every(([pool, whose]) => pool.hasRoom(whose, amount));

/** Answers with what gives all of it back. */
export function acquireAll(claims: readonly CapacityClaim[], amount: number): () => void {
  const taken = claims.map(([pool, whose]) => pool.take(whose, amount));
  return () => {
    for (const giveBack of taken) giveBack();
  };
}

/** What is under way at a time, in all and of each sender: octets of bodies, bodies, or requests. */
export class Places {
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
export type Claim = readonly [places: Places, whose: string];

export const haveRoom = (claims: readonly Claim[], amount: number): boolean =>
  claims.every(([places, whose]) => places.hasRoom(whose, amount));

/** Answers with what gives all of it back. */
export function takeEach(claims: readonly Claim[], amount: number): () => void {
  const taken = claims.map(([places, whose]) => places.take(whose, amount));
  return () => {
    for (const giveBack of taken) giveBack();
  };
}

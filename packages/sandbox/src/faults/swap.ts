import type { ShapedAnswer } from '@namehold/epp/server';

/** Swaps two answers of one account with their ids, as if sessions were mixed up. */
interface Swap {
  /** Waits for a second answer of the account; without one the answer is delivered normally. */
  exchange(client: string, session: string, answer: ShapedAnswer, waitMs: number): Promise<ShapedAnswer>;
}

export function openSwap(): Swap {
  const waiting = new Map<string, { session: string; answer: ShapedAnswer; take(other: ShapedAnswer): void }>();
  return {
    exchange(client, session, answer, waitMs) {
      const first = waiting.get(client);
      if (first !== undefined && first.session !== session) {
        waiting.delete(client);
        first.take(answer);
        return Promise.resolve(first.answer);
      }
      return new Promise((resolve) => {
        const timer = setTimeout(() => take(answer), waitMs);
        const take = (other: ShapedAnswer) => {
          clearTimeout(timer);
          if (waiting.get(client)?.take === take) waiting.delete(client);
          resolve(other);
        };
        if (first === undefined) waiting.set(client, { session, answer, take });
      });
    },
  };
}

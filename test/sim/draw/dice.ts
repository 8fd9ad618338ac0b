import { seededRandom } from '@namehold/base';

export class Dice {
  readonly #random: () => number;
  constructor(seed: number) {
    this.#random = seededRandom(seed);
  }
  chance(share: number): boolean {
    return this.#random() < share;
  }
  between(low: number, high: number): number {
    return Math.floor(low + this.#random() * (high - low + 1));
  }
  pick<T>(list: readonly T[]): T {
    return list[Math.floor(this.#random() * list.length)] as T;
  }
}

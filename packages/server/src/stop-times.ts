interface Begun {
  readonly name: string;
  readonly at: number;
}

/** Each part of a stop lasts until the next one begins, so that the durations add up to the whole. */
export class StopTimes {
  readonly #now: () => number;
  readonly #begun: Begun[] = [];

  constructor(now = () => performance.now()) {
    this.#now = now;
  }

  begin(name: string): void {
    this.#begun.push({ name, at: this.#now() });
  }

  get current(): string {
    return this.#begun.at(-1)?.name ?? '';
  }

  facts(): { readonly took_ms: number; readonly parts_ms: Readonly<Record<string, number>> } {
    const now = this.#now();
    const endOf = (index: number) => this.#begun[index + 1]?.at ?? now;
    const parts = this.#begun.map(({ name, at }, index) => [name, Math.round(endOf(index) - at)] as const);
    return { took_ms: Math.round(now - (this.#begun[0]?.at ?? now)), parts_ms: Object.fromEntries(parts) };
  }
}

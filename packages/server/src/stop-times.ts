interface Step {
  readonly names: readonly string[];
  readonly at: number;
  readonly endedAt: Map<string, number>;
}

/** The durations of the parts of a graceful shutdown. Parts of one step are stopped at the same time, and the step lasts until the next one begins. */
export class StopTimes {
  readonly #now: () => number;
  readonly #steps: Step[] = [];

  constructor(now = () => performance.now()) {
    this.#now = now;
  }

  /** The result is called with each part when it has ended; otherwise it lasts as long as its step. */
  begin(...names: string[]): (name: string) => void {
    const endedAt = new Map<string, number>();
    this.#steps.push({ names, at: this.#now(), endedAt });
    return (name) => void endedAt.set(name, this.#now());
  }

  /** The parts that have not ended. */
  get current(): string {
    const { names = [], endedAt } = this.#steps.at(-1) ?? {};
    return names.filter((name) => !endedAt?.has(name)).join(', ');
  }

  facts(): { readonly took_ms: number; readonly parts_ms: Readonly<Record<string, number>> } {
    const now = this.#now();
    const parts = this.#steps.flatMap(({ names, at, endedAt }, index) => {
      const end = this.#steps[index + 1]?.at ?? now;
      return names.map((name) => [name, Math.round((endedAt.get(name) ?? end) - at)] as const);
    });
    return { took_ms: Math.round(now - (this.#steps[0]?.at ?? now)), parts_ms: Object.fromEntries(parts) };
  }
}

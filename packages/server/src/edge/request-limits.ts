const windowMs = 1_000;

/** Counts requests of each network in the current second. */
export class RequestLimits {
  readonly #perSecond: number;
  #counts = new Map<string, number>();
  readonly #timer: NodeJS.Timeout;

  /** 0: no limit. */
  constructor(perSecond: number) {
    this.#perSecond = perSecond;
    this.#timer = setInterval(() => {
      if (this.#counts.size > 0) this.#counts = new Map();
    }, windowMs).unref();
  }

  /** False: the network has reached its limit for this second. */
  take(network: string): boolean {
    const count = (this.#counts.get(network) ?? 0) + 1;
    this.#counts.set(network, count);
    return this.#perSecond === 0 || count <= this.#perSecond;
  }

  stop(): void {
    clearInterval(this.#timer);
  }
}

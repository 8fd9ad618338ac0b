import { isIPv4 } from 'node:net';
import ipaddr from 'ipaddr.js';

export interface AddressLimitSettings {
  /** Of one address; 0: no limit. */
  readonly requestsPerSecond: number;
  readonly connections: number;
}

const windowMs = 1_000;

/** How much one address may ask for. Both books are bounded: one is thrown away every second, the other has one line for each open connection. */
export class AddressLimits {
  readonly #settings: AddressLimitSettings;
  #asked = new Map<string, number>();
  readonly #open = new Map<string, number>();
  readonly #timer: NodeJS.Timeout;

  constructor(settings: AddressLimitSettings) {
    this.#settings = settings;
    this.#timer = setInterval(() => {
      if (this.#asked.size > 0) this.#asked = new Map();
    }, windowMs).unref();
  }

  /** IPv6 by its /64, which one customer has to itself. */
  static networkOf(address: string | undefined): string {
    if (address !== undefined && isIPv4(address)) return address;
    if (address === undefined || !ipaddr.isValid(address)) return '';
    const parsed = ipaddr.process(address);
    return parsed.kind() === 'ipv4' ? parsed.toString() : parsed.toNormalizedString().split(':').slice(0, 4).join(':');
  }

  /** False: it has too many already. */
  open(network: string): boolean {
    const count = (this.#open.get(network) ?? 0) + 1;
    if (this.#settings.connections > 0 && count > this.#settings.connections) return false;
    this.#open.set(network, count);
    return true;
  }

  close(network: string): void {
    const count = (this.#open.get(network) ?? 1) - 1;
    if (count > 0) this.#open.set(network, count);
    else this.#open.delete(network);
  }

  /** False: enough for this second. */
  ask(network: string): boolean {
    const count = (this.#asked.get(network) ?? 0) + 1;
    this.#asked.set(network, count);
    return this.#settings.requestsPerSecond === 0 || count <= this.#settings.requestsPerSecond;
  }

  stop(): void {
    clearInterval(this.#timer);
  }
}

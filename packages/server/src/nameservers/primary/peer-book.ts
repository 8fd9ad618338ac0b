import { type TsigKey, type TsigVerdict, verifyMessage } from '@namehold/dns';
import type { Nameserver } from '../../core/nameservers/nameserver.ts';

/** Who may ask: by the key of a request, or by its address where a nameserver cannot sign. */
export class PeerBook {
  #nameservers: readonly Nameserver[] = [];
  readonly #keys = new Map<string, TsigKey>();
  readonly #unsigned = new Map<string, Nameserver>();

  get nameservers(): readonly Nameserver[] {
    return this.#nameservers;
  }

  replace(nameservers: readonly Nameserver[]): void {
    this.#nameservers = nameservers;
    this.#keys.clear();
    this.#unsigned.clear();
    for (const nameserver of nameservers) {
      if (nameserver.key) this.#keys.set(nameserver.key.name, nameserver.key);
      if (nameserver.allowUnsigned) this.#unsigned.set(nameserver.address, nameserver);
    }
  }

  verify(request: Uint8Array, nowSeconds: number): TsigVerdict {
    return verifyMessage(request, (name) => this.#keys.get(name), { nowSeconds });
  }

  mayAskUnsigned(address: string): boolean {
    return this.#unsigned.has(plainAddress(address));
  }
}

/** An IPv4 client on a socket for both families is written ::ffff:192.0.2.1. */
export function plainAddress(address: string): string {
  return address.startsWith('::ffff:') && address.includes('.') ? address.slice(7) : address;
}

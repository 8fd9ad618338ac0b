import { type TsigKey, type TsigResult, verifyMessage } from '@namehold/dns';
import type { Nameserver } from '../../core/nameservers/nameserver.ts';

/** Access control: by the TSIG key of a request, or by address for nameservers that cannot sign. */
export class TransferAcl {
  #nameservers: readonly Nameserver[] = [];
  readonly #keys = new Map<string, { readonly key: TsigKey; readonly addresses: Set<string> }>();
  readonly #unsigned = new Map<string, Nameserver>();

  get nameservers(): readonly Nameserver[] {
    return this.#nameservers;
  }

  replace(nameservers: readonly Nameserver[]): void {
    this.#nameservers = nameservers;
    this.#keys.clear();
    this.#unsigned.clear();
    for (const nameserver of nameservers) {
      if (nameserver.key) this.#bind(nameserver.key, nameserver.address);
      if (nameserver.allowUnsigned) this.#unsigned.set(nameserver.address, nameserver);
    }
  }

  /** Nameservers that share a key are distinguished by address. */
  #bind(key: TsigKey, address: string): void {
    const bound = this.#keys.get(key.name);
    if (bound) bound.addresses.add(address);
    else this.#keys.set(key.name, { key, addresses: new Set([address]) });
  }

  /** A key is accepted only from the address of its nameserver, in case it was leaked. */
  verify(request: Uint8Array, address: string, nowSeconds: number): TsigResult {
    const findKey = (name: string) => {
      const bound = this.#keys.get(name);
      return bound?.addresses.has(plainAddress(address)) ? bound.key : undefined;
    };
    return verifyMessage(request, findKey, { nowSeconds });
  }

  allowsUnsigned(address: string): boolean {
    return this.#unsigned.has(plainAddress(address));
  }
}

/** A dual-stack socket reports IPv4 clients as ::ffff:192.0.2.1. */
function plainAddress(address: string): string {
  return address.startsWith('::ffff:') && address.includes('.') ? address.slice(7) : address;
}

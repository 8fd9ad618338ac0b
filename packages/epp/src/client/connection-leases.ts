import type { ConnectionLease, ConnectionLeases } from './ports.ts';

/** Slots of this process alone. Several processes that share an account need leases in a place they all see. */
export function localConnectionLeases(count: number): ConnectionLeases {
  const taken = new Set<number>();
  return {
    async acquire(): Promise<ConnectionLease | null> {
      for (let number = 0; number < count; number += 1) {
        if (taken.has(number)) continue;
        taken.add(number);
        return {
          id: String(number),
          async release() {
            taken.delete(number);
          },
        };
      }
      return null;
    },
  };
}

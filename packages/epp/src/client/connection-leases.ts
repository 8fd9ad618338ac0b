import type { ConnectionLease, ConnectionLeases } from './ports.ts';

/** Leases of this process only. Processes that share an account need a shared implementation. */
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

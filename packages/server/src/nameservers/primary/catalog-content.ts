import {
  type CatalogMember,
  catalogRRsets,
  catalogSoa,
  memberRRset,
  type RR,
  type RRset,
  rrsOf,
  SERIAL_RING,
  serialOnWire,
} from '@namehold/dns';
import { catalogDifference, catalogMembers, readCatalog } from '../../core/nameservers/catalog.sql.ts';
import type { Content } from './content.ts';

/** Refresh interval of consumers that missed a NOTIFY. A query each minute is cheaper than an outdated zone list. */
const timers = { refreshSeconds: 60, retrySeconds: 10, expireSeconds: 2_147_483_646 } as const;

export const catalogSoaAt = (origin: string, serial: number) => catalogSoa({ origin, serial, ...timers });

/** The catalog zone (RFC 9432), from stored joins and leaves of zones. */
export function catalogContent(origin: string): Content {
  const soaAt = (serial: number) => catalogSoaAt(origin, serial);
  return {
    async head(db) {
      const state = await readCatalog(db);
      if (!state) return undefined;
      const serial = serialOnWire(state.serial);
      return {
        serial,
        soa: soaAt(serial),
        async stepsFrom(heldSerial) {
          const held = state.serial - BigInt((serial - heldSerial + SERIAL_RING) % SERIAL_RING);
          if (held < state.journalFrom) return undefined;
          const { deleted, added } = await catalogDifference(db, held, state.serial);
          const [oldSoa] = rrsOf(soaAt(heldSerial));
          const [newSoa] = rrsOf(soaAt(serial));
          return [
            { oldSoa: oldSoa!, newSoa: newSoa!, deleted: memberRRs(origin, deleted), added: memberRRs(origin, added) },
          ];
        },
      };
    },
    readIfSmall: async () => 'too_large',
    async stream(tx) {
      const state = await readCatalog(tx);
      if (!state) return undefined;
      const serial = serialOnWire(state.serial);
      const rrsets = catalogRRsets({ origin, serial, members: await catalogMembers(tx) });
      return { soa: soaAt(serial), records: withoutSoa(rrsets) };
    },
  };
}

function* withoutSoa(rrsets: Iterable<RRset>): Generator<RR> {
  for (const rrset of rrsets) if (rrset.type !== 'SOA') yield* rrsOf(rrset);
}

/** Generated one by one while they are sent. */
function* memberRRs(origin: string, members: readonly CatalogMember[]): Generator<RR> {
  for (const member of members) yield* rrsOf(memberRRset(origin, member));
}

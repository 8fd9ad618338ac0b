import {
  type CatalogMember,
  catalogRRsets,
  catalogSoa,
  memberRRset,
  type RR,
  recordAsRR,
  rrsOf,
  SERIAL_RING,
  serialOnWire,
} from '@namehold/dns';
import { catalogDifference, catalogMembers, readCatalog } from '../../core/nameservers/catalog.sql.ts';
import type { FindContent } from './content.ts';

/** Consumers that missed a NOTIFY look again this often; a lost zone list is worse than a question a minute. */
const timers = { refreshSeconds: 60, retrySeconds: 10, expireSeconds: 2_147_483_646 } as const;

/** The catalog has few records besides its members; the count only decides how it is sent. */
const UNCOUNTED = Number.MAX_SAFE_INTEGER;

export const catalogSoaAt = (origin: string, serial: number) => catalogSoa({ origin, serial, ...timers });

/** RFC 9432, from the joins and leaves that zones wrote when they came and went. */
export function findCatalogContent(origin: string): FindContent {
  return async (db) => {
    const state = await readCatalog(db);
    if (!state) return undefined;
    const serial = serialOnWire(state.serial);
    const soaAt = (wire: number) => catalogSoaAt(origin, wire);
    const members = (list: readonly CatalogMember[]) => list.map((member) => memberRR(origin, member));
    return {
      serial,
      soa: soaAt(serial),
      recordCount: UNCOUNTED,
      async *records() {
        const rrsets = catalogRRsets({ origin, serial, members: await catalogMembers(db) });
        for (const rrset of rrsets) if (rrset.type !== 'SOA') yield* rrsOf(rrset);
      },
      async stepsFrom(heldSerial) {
        const held = state.serial - BigInt((serial - heldSerial + SERIAL_RING) % SERIAL_RING);
        if (held < state.journalFrom) return undefined;
        const { deleted, added } = await catalogDifference(db, held);
        const [oldSoa] = rrsOf(soaAt(heldSerial));
        const [newSoa] = rrsOf(soaAt(serial));
        return [{ oldSoa: oldSoa!, newSoa: newSoa!, deleted: members(deleted), added: members(added) }];
      },
    };
  };
}

function memberRR(origin: string, member: CatalogMember): RR {
  const rrset = memberRRset(origin, member);
  return recordAsRR(rrset, rrset.records[0]!);
}

import { type RRset, rrsOf } from '@namehold/dns';
import { streamRRsets, wholeZoneByName } from '../../core/nameservers/zone-content.sql.ts';
import { journalSince, zoneHeadByName } from '../../core/zones/publish.ts';
import type { Content } from './content.ts';

/** Larger zones are sent while they are read; smaller ones are read first, so that a slow client holds no snapshot. */
const SMALL_RECORDS = 5_000;

export function zoneContent(name: string): Content {
  return {
    async head(db) {
      const head = await zoneHeadByName(db, name);
      if (!head) return undefined;
      const { serial, soa, recordCount } = head;
      return {
        serial,
        soa,
        async stepsFrom(heldSerial) {
          const steps = await journalSince(db, head, heldSerial);
          const moved = steps?.reduce((sum, step) => sum + [...step.deleted].length + [...step.added].length, 0) ?? 0;
          // Steps that hold more than the zone itself are no saving.
          return moved > Math.max(recordCount, 100) ? undefined : steps;
        },
      };
    },
    async small(db) {
      const zone = await wholeZoneByName(db, name, SMALL_RECORDS);
      if (!zone) return undefined;
      return zone.isTooLarge ? 'large' : { soa: zone.head.soa, records: zone.rrsets.flatMap((set) => [...rrsOf(set)]) };
    },
    async stream(tx) {
      const head = await zoneHeadByName(tx, name);
      return head && { soa: head.soa, records: recordsOf(streamRRsets(tx, head.id)) };
    },
  };
}

async function* recordsOf(rrsets: AsyncIterable<RRset>) {
  for await (const rrset of rrsets) yield* rrsOf(rrset);
}

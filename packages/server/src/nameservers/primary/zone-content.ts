import { type RRset, rrsOf } from '@namehold/dns';
import { movedSince, streamRRsets, wholeZoneByName } from '../../core/nameservers/zone-content.sql.ts';
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
          // Steps that hold more than the zone itself are no saving.
          const moved = await movedSince(db, head.id, heldSerial);
          return moved > Math.max(recordCount, 100) ? undefined : journalSince(db, head, heldSerial);
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

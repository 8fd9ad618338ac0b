import { type RRset, rrsOf } from '@namehold/dns';
import { journalSince } from '../../core/zones/publish/publish.ts';
import { movedSince, streamRRsets, wholeZoneByName } from '../../core/zones/publish/zone-content.sql.ts';
import { zoneHeadByName } from '../../core/zones/publish/zone-head.sql.ts';
import type { Content } from './content.ts';

/** Larger zones are streamed; smaller ones are read first, so that a slow client holds no snapshot. */
const SMALL_RECORDS = 1_000;
/** An increment of more than a third of the zone costs a secondary more than the zone itself. Also the number of records read at once. */
const STEPS_SHARE = 3;
const MAX_STEP_RECORDS = 5_000;
const FEW_RECORDS = 50;

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
          const moved = await movedSince(db, head.id, heldSerial);
          const isMuch = moved > Math.min(MAX_STEP_RECORDS, Math.max(FEW_RECORDS, recordCount / STEPS_SHARE));
          return isMuch ? undefined : journalSince(db, head, heldSerial);
        },
      };
    },
    async readIfSmall(db) {
      const zone = await wholeZoneByName(db, name, SMALL_RECORDS);
      if (!zone) return undefined;
      return zone.isTooLarge
        ? 'too_large'
        : { soa: zone.head.soa, records: zone.rrsets.flatMap((set) => [...rrsOf(set)]) };
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

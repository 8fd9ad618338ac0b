import { rrsOf } from '@namehold/dns';
import { journalSince, streamZone, zoneHeadByName } from '../../core/zones/publish.ts';
import type { FindContent } from './content.ts';

export const findZoneContent: FindContent = async (db, name) => {
  const head = await zoneHeadByName(db, name);
  if (head?.state !== 'active') return undefined;
  return {
    serial: head.serial,
    soa: head.soa,
    recordCount: head.recordCount,
    async *records() {
      for await (const rrset of streamZone(db, head.id)) yield* rrsOf(rrset);
    },
    stepsFrom: (heldSerial) => journalSince(db, head, heldSerial),
  };
};

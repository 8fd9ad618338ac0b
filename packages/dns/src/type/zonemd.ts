import { RecordError } from '../error.ts';
import { defineType } from './define.ts';
import { u8, u32 } from './field.ts';
import { hexRest } from './octets-field.ts';

// RFC 8976 2.2.3
const DIGEST_OCTETS: Readonly<Record<number, number>> = { 1: 48, 2: 64 };

/** RFC 8976 2 */
export const ZONEMD = defineType('ZONEMD', 63, [u32('serial'), u8('scheme'), u8('hashAlgorithm'), hexRest('digest')], {
  check: (rdata) => {
    const expected = DIGEST_OCTETS[rdata.hashAlgorithm];
    if (expected !== undefined && rdata.digest.length !== expected) {
      throw new RecordError(
        'digest',
        `algorithm ${rdata.hashAlgorithm} takes ${expected} octets, not ${rdata.digest.length}`,
      );
    }
  },
});

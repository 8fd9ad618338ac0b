import { RecordError } from '../error.ts';
import { defineType } from './define.ts';
import { DNSSEC_ALGORITHMS } from './dnssec-algorithm.ts';
import { mnemonic, u8, u16 } from './field.ts';
import { base64Rest } from './octets-field.ts';

interface Key {
  flags: number;
  protocol: number;
  algorithm: number;
  key: Uint8Array;
}

const DNSSEC_PROTOCOL = 3;
// RFC 6605 4, RFC 8080 3: keys of a curve have one size.
const KEY_OCTETS: Readonly<Record<number, number>> = { 13: 64, 14: 96, 15: 32, 16: 57 };

function checkKey(rdata: Key): void {
  if (rdata.protocol !== DNSSEC_PROTOCOL) throw new RecordError('protocol', 'is not 3');
  if (rdata.algorithm === 0) throw new RecordError('algorithm', '0 is not an algorithm');
  const expected = KEY_OCTETS[rdata.algorithm];
  if (expected !== undefined && rdata.key.length !== expected) {
    throw new RecordError('key', `algorithm ${rdata.algorithm} takes ${expected} octets, not ${rdata.key.length}`);
  }
}

/** RFC 8078 4: "0 3 0 AA==" requests the parent to remove the DS. */
function requestsRemoval(rdata: Key): boolean {
  return (
    rdata.flags === 0 &&
    rdata.protocol === DNSSEC_PROTOCOL &&
    rdata.algorithm === 0 &&
    rdata.key.length === 1 &&
    rdata.key[0] === 0
  );
}

const key = [u16('flags'), u8('protocol'), mnemonic(u8('algorithm'), DNSSEC_ALGORITHMS), base64Rest('key')] as const;

/** RFC 4034 2 */
export const DNSKEY = defineType('DNSKEY', 48, key, { check: checkKey });
/** RFC 7344 3.2 */
export const CDNSKEY = defineType('CDNSKEY', 60, key, {
  check: (rdata) => {
    if (!requestsRemoval(rdata)) checkKey(rdata);
  },
});

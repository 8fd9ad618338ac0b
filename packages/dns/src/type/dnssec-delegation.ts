import { RecordError } from '../error.ts';
import { defineType } from './define.ts';
import { DNSSEC_ALGORITHMS } from './dnssec-algorithm.ts';
import { mnemonic, u8, u16 } from './field.ts';
import { hexRest } from './octets-field.ts';

interface Digest {
  keyTag: number;
  algorithm: number;
  digestType: number;
  digest: Uint8Array;
}

// RFC 3658 2.4, RFC 4509, RFC 5933, RFC 6605: digest type to octets.
const DIGEST_OCTETS: Readonly<Record<number, number>> = { 1: 20, 2: 32, 3: 32, 4: 48 };

function checkDigest(rdata: Digest): void {
  const expected = DIGEST_OCTETS[rdata.digestType];
  if (expected === undefined) throw new RecordError('digestType', `${rdata.digestType} is not 1, 2, 3 or 4`);
  // BIND aborts a zone transfer with a truncated digest, so none is accepted.
  if (rdata.digest.length !== expected) {
    throw new RecordError('digest', `type ${rdata.digestType} takes ${expected} octets, not ${rdata.digest.length}`);
  }
  if (rdata.algorithm === 0) throw new RecordError('algorithm', '0 is not an algorithm');
}

/** RFC 8078 4: "0 0 0 00" requests the parent to remove the DS. */
function requestsRemoval(rdata: Digest): boolean {
  return (
    rdata.keyTag === 0 &&
    rdata.algorithm === 0 &&
    rdata.digestType === 0 &&
    rdata.digest.length === 1 &&
    rdata.digest[0] === 0
  );
}

const digest = [
  u16('keyTag'),
  mnemonic(u8('algorithm'), DNSSEC_ALGORITHMS),
  u8('digestType'),
  hexRest('digest'),
] as const;

/** RFC 4034 5 */
export const DS = defineType('DS', 43, digest, { check: checkDigest });
/** RFC 7344 3.1 */
export const CDS = defineType('CDS', 59, digest, {
  check: (rdata) => {
    if (!requestsRemoval(rdata)) checkDigest(rdata);
  },
});

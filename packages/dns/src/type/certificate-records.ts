import { RecordError } from '../error.ts';
import { defineType } from './define.ts';
import { DNSSEC_ALGORITHMS } from './dnssec-algorithm.ts';
import { mnemonic, u8, u16 } from './field.ts';
import { base64Rest, hexRest } from './octets-field.ts';

interface Association {
  usage: number;
  selector: number;
  matching: number;
  data: Uint8Array;
}

// RFC 6698 2.1.3: matching type to hash length in octets; 0 is the whole certificate.
const HASH_OCTETS: Readonly<Record<number, number>> = { 1: 32, 2: 64 };

function checkAssociation(rdata: Association): void {
  if (rdata.usage > 3) throw new RecordError('usage', `${rdata.usage} is not 0 to 3`);
  if (rdata.selector > 1) throw new RecordError('selector', `${rdata.selector} is not 0 or 1`);
  if (rdata.matching > 2) throw new RecordError('matching', `${rdata.matching} is not 0 to 2`);
  const expected = HASH_OCTETS[rdata.matching];
  if (expected !== undefined && rdata.data.length !== expected) {
    throw new RecordError('data', `matching type ${rdata.matching} takes ${expected} octets, not ${rdata.data.length}`);
  }
  if (rdata.data.length === 0) throw new RecordError('data', 'is empty');
}

const association = [u8('usage'), u8('selector'), u8('matching'), hexRest('data')] as const;

/** RFC 6698 2 */
export const TLSA = defineType('TLSA', 52, association, { check: checkAssociation });
/** RFC 8162 2 */
export const SMIMEA = defineType('SMIMEA', 53, association, { check: checkAssociation });

// RFC 4255 3.1.2, RFC 6594: fingerprint type to octets.
const FINGERPRINT_OCTETS: Readonly<Record<number, number>> = { 1: 20, 2: 32 };
const SSH_ALGORITHMS = new Set([1, 2, 3, 4, 6]);

/** RFC 4255 3 */
export const SSHFP = defineType('SSHFP', 44, [u8('algorithm'), u8('fingerprintType'), hexRest('fingerprint')], {
  check: (rdata) => {
    if (!SSH_ALGORITHMS.has(rdata.algorithm))
      throw new RecordError('algorithm', `${rdata.algorithm} is not 1, 2, 3, 4 or 6`);
    const expected = FINGERPRINT_OCTETS[rdata.fingerprintType];
    if (expected === undefined) throw new RecordError('fingerprintType', `${rdata.fingerprintType} is not 1 or 2`);
    if (rdata.fingerprint.length !== expected) {
      throw new RecordError(
        'fingerprint',
        `type ${rdata.fingerprintType} takes ${expected} octets, not ${rdata.fingerprint.length}`,
      );
    }
  },
});

/** RFC 7929 2 */
export const OPENPGPKEY = defineType('OPENPGPKEY', 61, [base64Rest('key')]);

// RFC 4398 2.1
const CERTIFICATE_TYPES = {
  PKIX: 1,
  SPKI: 2,
  PGP: 3,
  IPKIX: 4,
  ISPKI: 5,
  IPGP: 6,
  ACPKIX: 7,
  IACPKIX: 8,
  URI: 253,
  OID: 254,
};

/** RFC 4398 2 */
export const CERT = defineType('CERT', 37, [
  mnemonic(u16('certificateType'), CERTIFICATE_TYPES),
  u16('keyTag'),
  mnemonic(u8('algorithm'), DNSSEC_ALGORITHMS),
  base64Rest('certificate'),
]);

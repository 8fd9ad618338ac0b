import { RecordError } from '../error.ts';
import { base32HexText, hexText, parseBase32Hex, parseHex } from '../text.ts';
import { typeBitmap } from './bitmap-field.ts';
import { defineType } from './define.ts';
import { domainName, type Field, inField, u8, u16, u32 } from './field.ts';

// RFC 5155 11
const SHA1 = 1;
const SHA1_OCTETS = 20;

/** RFC 5155 3.3: "-" is the empty salt. */
const salt: Field<'salt', Uint8Array> = {
  name: 'salt',
  parse: (words) => {
    const text = words.word('salt');
    const octets = text === '-' ? new Uint8Array(0) : inField('salt', () => parseHex(text));
    if (octets.length > 255) throw new RecordError('salt', 'is longer than 255 octets');
    return octets;
  },
  print: (value) => (value.length === 0 ? '-' : hexText(value)),
  write: (value, writer) => {
    writer.u8(value.length);
    writer.bytes(value);
  },
  read: (reader) => reader.bytes(reader.u8()),
};

const nextHashed: Field<'nextHashed', Uint8Array> = {
  ...salt,
  name: 'nextHashed',
  parse: (words) => {
    const octets = inField('nextHashed', () => parseBase32Hex(words.word('nextHashed')));
    if (octets.length === 0 || octets.length > 255) throw new RecordError('nextHashed', 'is not 1 to 255 octets');
    return octets;
  },
  print: base32HexText,
};

/** RFC 4034 4 */
export const NSEC = defineType('NSEC', 47, [domainName('next'), typeBitmap], {
  check: (rdata) => {
    // RFC 4034 4.1.2: the NSEC itself is always in the set.
    if (rdata.types.length === 0) throw new RecordError('types', 'there are none');
  },
});
/** RFC 5155 3 */
export const NSEC3 = defineType(
  'NSEC3',
  50,
  [u8('algorithm'), u8('flags'), u16('iterations'), salt, nextHashed, typeBitmap],
  {
    check: (rdata) => {
      if (rdata.algorithm === SHA1 && rdata.nextHashed.length !== SHA1_OCTETS) {
        throw new RecordError('nextHashed', `is ${rdata.nextHashed.length} octets, SHA-1 has ${SHA1_OCTETS}`);
      }
    },
  },
);
/** RFC 5155 4 */
export const NSEC3PARAM = defineType('NSEC3PARAM', 51, [u8('algorithm'), u8('flags'), u16('iterations'), salt]);
/** RFC 7477 2.1 */
export const CSYNC = defineType('CSYNC', 62, [u32('serial'), u16('flags'), typeBitmap], {
  check: (rdata) => {
    if (rdata.flags > 3) throw new RecordError('flags', 'only the two lowest bits have a meaning');
  },
});

import { RecordError, WireError } from '../error.ts';
import { latin1Text, utf8Octets } from '../octets.ts';
import { quoted, unescapeOctets } from '../text.ts';
import { defineType } from './define.ts';
import { type Field, inField, u8 } from './field.ts';

const KNOWN_TAGS = new Set(['issue', 'issuewild', 'iodef', 'issuemail', 'issuevmc', 'contactemail', 'contactphone']);
const TAG = /^[a-z0-9]{1,255}$/i;
const ISSUER_CRITICAL = 128;

const tag: Field<'tag', string> = {
  name: 'tag',
  // RFC 8659 4.1: tags consist of letters and digits and are compared without case.
  parse: (words) => {
    const text = words.word('tag').toLowerCase();
    if (!TAG.test(text)) throw new RecordError('tag', 'is not a word of letters and digits');
    return text;
  },
  print: (value) => value,
  write: (value, writer) => {
    writer.u8(value.length);
    writer.bytes(utf8Octets(value));
  },
  read: (reader) => {
    const text = latin1Text(reader.bytes(reader.u8()));
    if (!TAG.test(text)) throw new WireError('a CAA tag is not a word of letters and digits', reader.offset);
    return text;
  },
};

const value: Field<'value', Uint8Array> = {
  name: 'value',
  parse: (words) => inField('value', () => unescapeOctets(words.next('value').text)),
  print: quoted,
  write: (octets, writer) => writer.bytes(octets),
  read: (reader) => reader.rest(),
};

/** RFC 8659 4 */
export const CAA = defineType('CAA', 257, [u8('flags'), tag, value], {
  check: (rdata) => {
    if (rdata.flags !== 0 && rdata.flags !== ISSUER_CRITICAL) throw new RecordError('flags', 'is neither 0 nor 128');
    const text = latin1Text(rdata.value);
    // RFC 8659 4.4
    if (rdata.tag === 'iodef' && !/^(?:mailto:|https?:\/\/)./i.test(text)) {
      throw new RecordError('value', 'iodef takes a mailto:, http: or https: address');
    }
  },
  warn: (rdata) =>
    KNOWN_TAGS.has(rdata.tag)
      ? []
      : [{ field: 'tag', reason: `"${rdata.tag}" is not a tag that certificate authorities know` }],
});

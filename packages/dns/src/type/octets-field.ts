import { RecordError } from '../error.ts';
import { base64Text, hexText, MAX_STRING_OCTETS, parseBase64, parseHex, quoted, unescapeOctets } from '../text.ts';
import type { TokenCursor } from '../token.ts';
import { type Field, inField } from './field.ts';

/** All remaining words, joined: long hex and base64 are often written in groups. */
export function joinRest(words: TokenCursor, field: string): string {
  let text = words.word(field);
  while (words.left > 0) text += words.word(field);
  return text;
}

export function hexRest<K extends string>(name: K): Field<K, Uint8Array> {
  return {
    name,
    parse: (words) => {
      const octets = inField(name, () => parseHex(joinRest(words, name)));
      if (octets.length === 0) throw new RecordError(name, 'is empty');
      return octets;
    },
    print: hexText,
    write: (value, writer) => writer.bytes(value),
    read: (reader) => reader.rest(),
  };
}

export function base64Rest<K extends string>(name: K): Field<K, Uint8Array> {
  return {
    name,
    parse: (words) => {
      const octets = inField(name, () => parseBase64(joinRest(words, name)));
      if (octets.length === 0) throw new RecordError(name, 'is empty');
      return octets;
    },
    print: base64Text,
    write: (value, writer) => writer.bytes(value),
    read: (reader) => reader.rest(),
  };
}

/** RFC 1035 3.3: a length octet and up to 255 octets. */
export function characterString<K extends string>(name: K): Field<K, Uint8Array> {
  return {
    name,
    parse: (words) => {
      const octets = inField(name, () => unescapeOctets(words.next(name).text));
      if (octets.length > MAX_STRING_OCTETS) throw new RecordError(name, `is longer than ${MAX_STRING_OCTETS} octets`);
      return octets;
    },
    print: quoted,
    write: (value, writer) => {
      writer.u8(value.length);
      writer.bytes(value);
    },
    read: (reader) => reader.bytes(reader.u8()),
  };
}

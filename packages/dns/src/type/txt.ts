import { RecordError, type Warning } from '../error.ts';
import { joined, utf8Octets, utf8Text } from '../octets.ts';
import { MAX_STRING_OCTETS, quoted, unescapeOctets } from '../text.ts';
import { type Token, TokenCursor } from '../token.ts';
import type { Reader, Writer } from '../wire.ts';
import { inField } from './field.ts';
import type { RecordType } from './record-type.ts';

interface TextRdata {
  readonly strings: readonly Uint8Array[];
}

const MAX_RDATA_OCTETS = 65_535;
/** Longer texts require TCP at most resolvers. */
const LONG_TEXT_OCTETS = 4_096;

/** RFC 1035 3.3.14. A value longer than one string is split; readers join the strings. */
export function splitStrings(octets: Uint8Array): Uint8Array[] {
  const strings: Uint8Array[] = [];
  for (let at = 0; at < octets.length; at += MAX_STRING_OCTETS)
    strings.push(octets.subarray(at, at + MAX_STRING_OCTETS));
  return strings.length > 0 ? strings : [new Uint8Array(0)];
}

function stringsOf(token: Token): Uint8Array[] {
  const octets = inField('text', () => unescapeOctets(token.text));
  if (!token.quoted) return splitStrings(octets);
  if (octets.length > MAX_STRING_OCTETS) {
    throw new RecordError('text', `a quoted string of ${octets.length} octets is over ${MAX_STRING_OCTETS}`);
  }
  return [octets];
}

function check(rdata: TextRdata): void {
  const total = rdata.strings.reduce((sum, string) => sum + string.length + 1, 0);
  if (total > MAX_RDATA_OCTETS) throw new RecordError('text', `${total} octets in all are over ${MAX_RDATA_OCTETS}`);
}

function warn(rdata: TextRdata): Warning[] {
  const total = rdata.strings.reduce((sum, string) => sum + string.length, 0);
  return total > LONG_TEXT_OCTETS ? [{ field: 'text', reason: `${total} octets are unusually long` }] : [];
}

function textType(type: string, code: number): RecordType<TextRdata> {
  return {
    type,
    code,
    check,
    warn,
    parseText: (tokens) => {
      const words = new TokenCursor(tokens);
      const strings = stringsOf(words.next('text'));
      while (words.left > 0) strings.push(...stringsOf(words.next('text')));
      const rdata = { strings };
      check(rdata);
      return rdata;
    },
    toText: (rdata) => rdata.strings.map(quoted).join(' '),
    toWire: (rdata: TextRdata, writer: Writer) => {
      for (const string of rdata.strings) {
        writer.u8(string.length);
        writer.bytes(string);
      }
    },
    fromWire: (reader: Reader) => {
      const strings = [reader.bytes(reader.u8())];
      while (reader.left > 0) strings.push(reader.bytes(reader.u8()));
      return { strings };
    },
  };
}

export const TXT = textType('TXT', 16);
/** RFC 7208 3.1: obsolete, kept for zones that still have it. */
export const SPF = textType('SPF', 99);

/** The rdata of a TXT record from a plain value: no quotes, no escapes, any length up to the limit. */
export function textFromRaw(value: string): TextRdata {
  const rdata = { strings: splitStrings(utf8Octets(value)) };
  check(rdata);
  return rdata;
}

/** The plain value of a TXT record: its strings joined, read as UTF-8. */
export function rawFromText(rdata: TextRdata): string {
  return utf8Text(joined(rdata.strings));
}

import { RecordError } from '../error.ts';
import { hexText, parseHex } from '../text.ts';
import { type Token, TokenCursor } from '../token.ts';
import { inField, parseWhole } from './field.ts';
import type { RecordType } from './record-type.ts';
import { typeName } from './type-code.ts';

interface GenericRdata {
  readonly octets: Uint8Array;
}

/** RFC 3597 5: "\# length hex" is a valid form of any type's rdata. */
export function isGenericForm(tokens: readonly Token[]): boolean {
  return tokens[0]?.text === '\\#' && !tokens[0].quoted;
}

export function parseGenericForm(tokens: readonly Token[]): Uint8Array {
  const words = new TokenCursor(tokens);
  if (words.word('rdata') !== '\\#')
    throw new RecordError('rdata', 'an unknown type is written "\\# length hex" (RFC 3597)');
  const length = parseWhole('length', words.word('length'), 0xffff);
  let hex = '';
  while (words.left > 0) hex += words.word('rdata');
  const octets = inField('rdata', () => parseHex(hex));
  if (octets.length !== length)
    throw new RecordError('length', `${length} octets were announced, ${octets.length} are there`);
  return octets;
}

function genericText(octets: Uint8Array): string {
  return octets.length === 0 ? '\\# 0' : `\\# ${octets.length} ${hexText(octets)}`;
}

export function genericType(code: number): RecordType<GenericRdata> {
  return {
    type: typeName(code),
    code,
    check: () => undefined,
    warn: () => [],
    parseText: (tokens) => ({ octets: parseGenericForm(tokens) }),
    toText: (rdata) => genericText(rdata.octets),
    toWire: (rdata, writer) => writer.bytes(rdata.octets),
    fromWire: (reader) => ({ octets: reader.rest() }),
  };
}

import { RecordError, WireError } from '../error.ts';
import type { Field } from './field.ts';
import { findTypeCode, typeName } from './type-code.ts';

const MAX_BITMAP_OCTETS = 32;

/** RFC 4034 4.1.2: the set of types, in windows of 256, in ascending order. */
export const typeBitmap: Field<'types', readonly number[]> = {
  name: 'types',
  parse: (words) => {
    const codes = new Set<number>();
    while (words.left > 0) {
      const text = words.word('types');
      const code = findTypeCode(text);
      if (code === undefined || code === 0) throw new RecordError('types', `"${text}" is not a record type`);
      codes.add(code);
    }
    return [...codes].sort((a, b) => a - b);
  },
  print: (codes) => codes.map(typeName).join(' '),
  write: (codes, writer) => {
    const windows = new Map<number, Uint8Array>();
    for (const code of codes) {
      const bits = windows.get(code >> 8) ?? new Uint8Array(MAX_BITMAP_OCTETS);
      bits[(code & 0xff) >> 3]! |= 0x80 >> (code & 7);
      windows.set(code >> 8, bits);
    }
    for (const [window, bits] of [...windows].sort(([a], [b]) => a - b)) {
      const length = bits.findLastIndex((octet) => octet !== 0) + 1;
      writer.u8(window);
      writer.u8(length);
      writer.bytes(bits.subarray(0, length));
    }
  },
  read: (reader) => {
    const codes: number[] = [];
    let lastWindow = -1;
    while (reader.left > 0) {
      const window = reader.u8();
      const length = reader.u8();
      if (window <= lastWindow || length === 0 || length > MAX_BITMAP_OCTETS) {
        throw new WireError('a type bitmap out of order or of wrong length', reader.offset);
      }
      lastWindow = window;
      reader.bytes(length).forEach((octet, at) => {
        for (let bit = 0; bit < 8; bit++) if (octet & (0x80 >> bit)) codes.push((window << 8) | (at << 3) | bit);
      });
    }
    return codes;
  },
};

import { RecordError } from '../error.ts';
import { defineType } from './define.ts';
import type { Field } from './field.ts';

function hyphenated(octetCount: number): Field<'address', Uint8Array> {
  const form = new RegExp(`^[0-9a-f]{2}(?:-[0-9a-f]{2}){${octetCount - 1}}$`, 'i');
  return {
    name: 'address',
    parse: (words) => {
      // Most systems print colons; RFC 7043 3.2 and 4.2 use hyphens.
      const text = words.word('address').replaceAll(':', '-');
      if (!form.test(text)) throw new RecordError('address', `is not ${octetCount} pairs of hex digits with hyphens`);
      return Uint8Array.fromHex(text.replaceAll('-', ''));
    },
    print: (value) => [...value].map((octet) => octet.toString(16).padStart(2, '0')).join('-'),
    write: (value, writer) => writer.bytes(value),
    read: (reader) => reader.bytes(octetCount),
  };
}

/** RFC 7043 3 */
export const EUI48 = defineType('EUI48', 108, [hyphenated(6)]);
/** RFC 7043 4 */
export const EUI64 = defineType('EUI64', 109, [hyphenated(8)]);

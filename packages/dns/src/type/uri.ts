import { RecordError } from '../error.ts';
import { latin1Text } from '../octets.ts';
import { quoted, unescapeOctets } from '../text.ts';
import { defineType } from './define.ts';
import { type Field, inField, u16 } from './field.ts';

/** RFC 7553 4.4: the rest of the rdata, without a length octet. */
const target: Field<'target', Uint8Array> = {
  name: 'target',
  parse: (words) => inField('target', () => unescapeOctets(words.next('target').text)),
  print: quoted,
  write: (value, writer) => writer.bytes(value),
  read: (reader) => reader.rest(),
};

/** RFC 7553 4 */
export const URI = defineType('URI', 256, [u16('priority'), u16('weight'), target], {
  check: (rdata) => {
    const text = latin1Text(rdata.target);
    if (!/^[a-z][a-z0-9+.-]*:./i.test(text)) throw new RecordError('target', 'is not a URI with a scheme');
  },
});

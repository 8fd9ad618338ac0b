import { ipv4Text, ipv6Text, isAddress, parseIpv4, parseIpv6, unroutableReason } from '../address.ts';
import { RecordError, type Warning } from '../error.ts';
import { defineType } from './define.ts';
import { type Field, inField } from './field.ts';

const ipv4: Field<'address', Uint8Array> = {
  name: 'address',
  parse: (words) => inField('address', () => parseIpv4(words.word('address'))),
  print: ipv4Text,
  write: (value, writer) => writer.bytes(value),
  read: (reader) => reader.bytes(4),
};

const ipv6: Field<'address', Uint8Array> = {
  name: 'address',
  parse: (words) => {
    const text = words.word('address');
    if (!text.includes(':') && isAddress(text))
      throw new RecordError('address', `"${text}" is an IPv4 address; use type A`);
    return inField('address', () => parseIpv6(text));
  },
  print: ipv6Text,
  write: (value, writer) => writer.bytes(value),
  read: (reader) => reader.bytes(16),
};

function warnUnroutable(rdata: { address: Uint8Array }): Warning[] {
  const reason = unroutableReason(rdata.address);
  return reason === undefined ? [] : [{ field: 'address', reason: `is ${reason}` }];
}

/** RFC 1035 3.4.1 */
export const A = defineType('A', 1, [ipv4], { warn: warnUnroutable });
/** RFC 3596 2.2 */
export const AAAA = defineType('AAAA', 28, [ipv6], { warn: warnUnroutable });

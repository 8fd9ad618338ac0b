import { ipv4Text, ipv6Text, parseIpv4, parseIpv6 } from '../address.ts';
import { RecordError, WireError } from '../error.ts';
import type { Reader } from '../wire.ts';
import { defineType } from './define.ts';
import { type Field, inField, parseWhole } from './field.ts';

interface AddressPrefix {
  readonly family: number;
  readonly negated: boolean;
  readonly prefixBits: number;
  /** The whole address; trailing zero octets are omitted on the wire only. */
  readonly address: Uint8Array;
}

const IPV4_FAMILY = 1;
const IPV6_FAMILY = 2;
const NEGATED = 0x80;

function addressOctets(family: number): number {
  return family === IPV4_FAMILY ? 4 : 16;
}

function parsePrefix(text: string): AddressPrefix {
  const match = /^(!?)([12]):([0-9a-f.:]+)\/(\d{1,3})$/i.exec(text);
  if (!match) throw new RecordError('prefixes', `"${text}" is not like 1:192.0.2.0/24 or !2:2001:db8::/32`);
  const family = Number(match[2]);
  const address = inField('prefixes', () => (family === IPV4_FAMILY ? parseIpv4(match[3]!) : parseIpv6(match[3]!)));
  const prefixBits = parseWhole('prefixes', match[4]!, addressOctets(family) * 8);
  return { family, negated: match[1] === '!', prefixBits, address };
}

function readPrefix(reader: Reader): AddressPrefix {
  const family = reader.u16();
  const prefixBits = reader.u8();
  const lengthOctet = reader.u8();
  const part = reader.bytes(lengthOctet & 0x7f);
  if (family !== IPV4_FAMILY && family !== IPV6_FAMILY)
    throw new WireError(`address family ${family} is unknown`, reader.offset);
  const octets = addressOctets(family);
  if (part.length > octets || prefixBits > octets * 8)
    throw new WireError('an address prefix is too long', reader.offset);
  const address = new Uint8Array(octets);
  address.set(part);
  return { family, negated: (lengthOctet & NEGATED) !== 0, prefixBits, address };
}

const prefixes: Field<'prefixes', readonly AddressPrefix[]> = {
  name: 'prefixes',
  parse: (words) => {
    const list: AddressPrefix[] = [];
    while (words.left > 0) list.push(parsePrefix(words.word('prefixes')));
    return list;
  },
  print: (list) =>
    list
      .map((item) => {
        const address = item.family === IPV4_FAMILY ? ipv4Text(item.address) : ipv6Text(item.address);
        return `${item.negated ? '!' : ''}${item.family}:${address}/${item.prefixBits}`;
      })
      .join(' '),
  write: (list, writer) => {
    for (const item of list) {
      // RFC 3123 4: trailing zero octets are not sent.
      const length = item.address.findLastIndex((octet) => octet !== 0) + 1;
      writer.u16(item.family);
      writer.u8(item.prefixBits);
      writer.u8(length | (item.negated ? NEGATED : 0));
      writer.bytes(item.address.subarray(0, length));
    }
  },
  read: (reader) => {
    const list: AddressPrefix[] = [];
    while (reader.left > 0) list.push(readPrefix(reader));
    return list;
  },
};

/** RFC 3123 */
export const APL = defineType('APL', 42, [prefixes]);

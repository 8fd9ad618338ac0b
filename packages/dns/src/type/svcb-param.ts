import { ipv4Text, ipv6Text, parseIpv4, parseIpv6 } from '../address.ts';
import { NameError } from '../error.ts';
import { utf8Text } from '../octets.ts';
import { base64Text, escapeOctets, parseBase64, quoted, unescapeOctets } from '../text.ts';

/** RFC 9460 14.3.2, RFC 9461, RFC 9540 */
export const SVCB_KEYS = {
  mandatory: 0,
  alpn: 1,
  'no-default-alpn': 2,
  port: 3,
  ipv4hint: 4,
  ech: 5,
  ipv6hint: 6,
  dohpath: 7,
  ohttp: 8,
} as const satisfies Readonly<Record<string, number>>;

const KEY_BY_NAME = new Map<string, number>(Object.entries(SVCB_KEYS));
/** Newer keys are read by name but printed by number, because deployed nameservers do not know their names yet. */
const PRINTED_BY_NAME_UP_TO: number = SVCB_KEYS.ipv6hint;
const NAME_BY_KEY = new Map<number, string>(
  Object.entries(SVCB_KEYS)
    .filter(([, key]) => key <= PRINTED_BY_NAME_UP_TO)
    .map(([name, key]) => [key, name]),
);
const INVALID_KEY = 65_535;

export function parseKey(text: string): number {
  const known = KEY_BY_NAME.get(text.toLowerCase());
  if (known !== undefined) return known;
  const number = /^key(0|[1-9]\d{0,4})$/i.exec(text)?.[1];
  if (number === undefined || Number(number) >= INVALID_KEY) throw new NameError(`"${text}" is not a parameter key`);
  return Number(number);
}

export function keyText(key: number): string {
  return NAME_BY_KEY.get(key) ?? `key${key}`;
}

/** How the value of one key is written; `text` has no quotes but keeps its escapes. Undefined: there was no "=". */
interface ParamCodec {
  parse(text: string): Uint8Array;
  /** Undefined if the octets are invalid for the key; they are then printed as plain octets. */
  print(value: Uint8Array): string | undefined;
  /** The key has no value, or an empty one. */
  readonly emptyValue?: true;
}

function u16Octets(value: number): [number, number] {
  return [value >> 8, value & 0xff];
}

/** RFC 9460 A.1: a list is one string with commas as separators; a backslash escapes a comma or a backslash. */
function splitList(text: string): Uint8Array[] {
  const octets = unescapeOctets(text);
  const items: number[][] = [[]];
  for (let at = 0; at < octets.length; at++) {
    if (octets[at] === 0x2c) items.push([]);
    else if (octets[at] === 0x5c) {
      if (at + 1 >= octets.length) throw new NameError('the list ends with a backslash');
      items.at(-1)!.push(octets[++at]!);
    } else items.at(-1)!.push(octets[at]!);
  }
  if (items.some((item) => item.length === 0)) throw new NameError('the list has an empty item');
  return items.map((item) => Uint8Array.from(item));
}

const mandatory: ParamCodec = {
  parse: (text) => {
    const keys = text.split(',').map(parseKey);
    if (new Set(keys).size !== keys.length) throw new NameError('a key is listed twice');
    if (keys.includes(SVCB_KEYS.mandatory)) throw new NameError('mandatory may not list itself');
    return Uint8Array.from(keys.sort((a, b) => a - b).flatMap(u16Octets));
  },
  print: (value) => {
    if (value.length === 0 || value.length % 2 !== 0) return undefined;
    return mandatoryKeys(value).map(keyText).join(',');
  },
};

export function mandatoryKeys(value: Uint8Array): number[] {
  const keys: number[] = [];
  for (let at = 0; at + 1 < value.length; at += 2) keys.push((value[at]! << 8) | value[at + 1]!);
  return keys;
}

const alpn: ParamCodec = {
  parse: (text) => {
    const ids = splitList(text);
    if (ids.some((id) => id.length > 255)) throw new NameError('a protocol is longer than 255 octets');
    return Uint8Array.from(ids.flatMap((id) => [id.length, ...id]));
  },
  print: (value) => {
    const ids: string[] = [];
    for (let at = 0; at < value.length; at += value[at]! + 1) {
      if (value[at] === 0 || at + 1 + value[at]! > value.length) return undefined;
      const id = value.subarray(at + 1, at + 1 + value[at]!);
      const kept = [...id].flatMap((octet) => (octet === 0x2c || octet === 0x5c ? [0x5c, octet] : [octet]));
      ids.push(escapeOctets(Uint8Array.from(kept)));
    }
    const text = ids.join(',');
    if (text === '') return undefined;
    return /[\s"\\;()]/.test(text) ? `"${text}"` : text;
  },
};

const nothing: ParamCodec = {
  emptyValue: true,
  parse: (text) => {
    if (text !== '') throw new NameError('takes no value');
    return new Uint8Array(0);
  },
  print: (value) => (value.length === 0 ? '' : undefined),
};

const port: ParamCodec = {
  parse: (text) => {
    if (!/^\d{1,5}$/.test(text) || Number(text) > 0xffff) throw new NameError(`"${text}" is not a port`);
    return Uint8Array.from(u16Octets(Number(text)));
  },
  print: (value) => (value.length === 2 ? String((value[0]! << 8) | value[1]!) : undefined),
};

function addressList(
  octets: number,
  parse: (text: string) => Uint8Array,
  print: (value: Uint8Array) => string,
): ParamCodec {
  return {
    parse: (text) => Uint8Array.from(text.split(',').flatMap((item) => [...parse(item)])),
    print: (value) => {
      if (value.length === 0 || value.length % octets !== 0) return undefined;
      const count = value.length / octets;
      return Array.from({ length: count }, (_, at) => print(value.subarray(at * octets, (at + 1) * octets))).join(',');
    },
  };
}

const ech: ParamCodec = {
  parse: (text) => {
    const value = parseBase64(text);
    if (value.length === 0) throw new NameError('is empty');
    return value;
  },
  print: (value) => (value.length === 0 ? undefined : base64Text(value)),
};

/** RFC 9461 5: a relative URI template with the variable "dns". */
const dohpath: ParamCodec = {
  parse: (text) => {
    const value = unescapeOctets(text);
    const template = utf8Text(value);
    if (!/^\/.*\{\?dns\}/.test(template)) throw new NameError('is not a path with the variable {?dns}');
    return value;
  },
  print: (value) => (value.length === 0 ? undefined : quoted(value)),
};

const plainOctets: ParamCodec = {
  emptyValue: true,
  parse: unescapeOctets,
  print: (value) => (value.length === 0 ? '' : quoted(value)),
};

const CODECS = new Map<number, ParamCodec>([
  [SVCB_KEYS.mandatory, mandatory],
  [SVCB_KEYS.alpn, alpn],
  [SVCB_KEYS['no-default-alpn'], nothing],
  [SVCB_KEYS.port, port],
  [SVCB_KEYS.ipv4hint, addressList(4, parseIpv4, ipv4Text)],
  [SVCB_KEYS.ech, ech],
  [SVCB_KEYS.ipv6hint, addressList(16, parseIpv6, ipv6Text)],
  [SVCB_KEYS.dohpath, dohpath],
  [SVCB_KEYS.ohttp, nothing],
]);

export function parseParamValue(key: number, text: string | undefined): Uint8Array {
  const codec = CODECS.get(key) ?? plainOctets;
  if ((text === undefined || text === '') && codec.emptyValue === undefined) throw new NameError('needs a value');
  return codec.parse(text ?? '');
}

/** "key=value", or the key alone. Octets that are invalid for the key are printed under its number (RFC 9460 2.1). */
export function paramText(key: number, value: Uint8Array): string {
  const known = CODECS.get(key)?.print(value);
  if (known !== undefined) return known === '' ? keyText(key) : `${keyText(key)}=${known}`;
  const plain = plainOctets.print(value);
  return plain === '' ? `key${key}` : `key${key}=${plain}`;
}

import { NameError } from './error.ts';

const PLAIN_QUAD = /^(?:(?:25[0-5]|2[0-4]\d|1\d\d|[1-9]?\d)(?:\.(?!$)|$)){4}$/;
const GROUP = /^[0-9a-fA-F]{1,4}$/;
const QUAD = /^(\d{1,3})\.(\d{1,3})\.(\d{1,3})\.(\d{1,3})$/;

/** Strict dotted quad: some programs read a leading zero as octal, so it is refused. */
export function parseIpv4(text: string): Uint8Array {
  const parts = QUAD.exec(text)?.slice(1);
  if (!parts) throw new NameError(`"${text}" is not an IPv4 address`);
  if (parts.some((part) => part.length > 1 && part.startsWith('0'))) {
    throw new NameError(`"${text}" has a leading zero in an IPv4 address`);
  }
  const octets = parts.map(Number);
  if (octets.some((octet) => octet > 255)) throw new NameError(`"${text}" is not an IPv4 address`);
  return Uint8Array.from(octets);
}

export function ipv4Text(octets: Uint8Array): string {
  return `${octets[0]}.${octets[1]}.${octets[2]}.${octets[3]}`;
}

export function parseIpv6(text: string): Uint8Array {
  const groups = ipv6Groups(text);
  if (!groups) throw new NameError(`"${text}" is not an IPv6 address`);
  return Uint8Array.from(groups.flatMap((group) => [group >> 8, group & 0xff]));
}

/** RFC 4291 2.2: eight groups. One run of zero groups may be omitted, and a dotted quad may replace the last two. */
function ipv6Groups(text: string): number[] | undefined {
  const [head = '', tail, ...more] = withoutQuad(text).split('::');
  if (more.length > 0) return undefined;
  const left = head === '' && tail !== undefined ? [] : head.split(':');
  const right = tail === undefined || tail === '' ? [] : tail.split(':');
  const missing = 8 - left.length - right.length;
  if (tail === undefined ? missing !== 0 : missing < 1) return undefined;
  if (![...left, ...right].every((group) => GROUP.test(group))) return undefined;
  const numbers = (groups: readonly string[]) => groups.map((group) => Number.parseInt(group, 16));
  return [...numbers(left), ...new Array<number>(missing).fill(0), ...numbers(right)];
}

function withoutQuad(text: string): string {
  const from = text.lastIndexOf(':') + 1;
  const last = text.slice(from);
  if (!PLAIN_QUAD.test(last)) return text;
  const quad = parseIpv4(last);
  const high = ((quad[0]! << 8) | quad[1]!).toString(16);
  const low = ((quad[2]! << 8) | quad[3]!).toString(16);
  return `${text.slice(0, from)}${high}:${low}`;
}

/** Whether the text is an IPv4 or IPv6 address and therefore not a name. */
export function isAddress(text: string): boolean {
  return text.includes(':') ? ipv6Groups(text) !== undefined : PLAIN_QUAD.test(text);
}

/** RFC 5952: lower case, no leading zeros, the longest run of at least two zero groups shortened, the first of equal ones. */
export function ipv6Text(octets: Uint8Array): string {
  const groups: number[] = [];
  for (let at = 0; at < 16; at += 2) groups.push((octets[at]! << 8) | octets[at + 1]!);
  let best = { start: -1, length: 1 };
  for (let start = 0; start < 8; start++) {
    let length = 0;
    while (start + length < 8 && groups[start + length] === 0) length++;
    if (length > best.length) best = { start, length };
  }
  const hex = groups.map((group) => group.toString(16));
  // RFC 5952 5: only the mapped prefix is shown with a dotted quad.
  if (best.start === 0 && best.length === 5 && groups[5] === 0xffff) return `::ffff:${ipv4Text(octets.subarray(12))}`;
  if (best.start < 0) return hex.join(':');
  return `${hex.slice(0, best.start).join(':')}::${hex.slice(best.start + best.length).join(':')}`;
}

/** Why an address is probably not intended for the public DNS; undefined if it may be. */
export function unroutableReason(octets: Uint8Array): string | undefined {
  if (octets.length === 4) return unroutableIpv4(octets);
  if (octets.every((octet, at) => octet === (at === 15 ? octets[15] : 0))) {
    if (octets[15] === 0) return 'the unspecified address';
    if (octets[15] === 1) return 'the loopback address';
  }
  if ((octets[0]! & 0xfe) === 0xfc) return 'a private address (fc00::/7)';
  if (octets[0] === 0xfe && (octets[1]! & 0xc0) === 0x80) return 'a link-local address';
  if (octets[0] === 0xff) return 'a multicast address';
  if (octets.subarray(0, 10).every((octet) => octet === 0) && octets[10] === 0xff && octets[11] === 0xff) {
    return 'an IPv4-mapped address, which belongs in an A record';
  }
  return undefined;
}

function unroutableIpv4(octets: Uint8Array): string | undefined {
  const a = octets[0]!;
  const b = octets[1]!;
  if (a === 0) return 'an address of "this network" (0.0.0.0/8)';
  if (a === 10 || (a === 172 && b >= 16 && b < 32) || (a === 192 && b === 168)) return 'a private address';
  if (a === 100 && b >= 64 && b < 128) return 'a shared address (100.64.0.0/10)';
  if (a === 127) return 'a loopback address';
  if (a === 169 && b === 254) return 'a link-local address';
  if (a >= 224) return 'a multicast or reserved address';
  return undefined;
}

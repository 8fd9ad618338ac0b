import { DnsError } from '../error.ts';

/** IANA "Resource Record (RR) TYPEs": the mnemonics this library knows; every other code is TYPEnnn (RFC 3597 5). */
export const TYPE_CODES = {
  A: 1,
  NS: 2,
  CNAME: 5,
  SOA: 6,
  NULL: 10,
  PTR: 12,
  HINFO: 13,
  MX: 15,
  TXT: 16,
  RP: 17,
  AFSDB: 18,
  SIG: 24,
  KEY: 25,
  AAAA: 28,
  LOC: 29,
  SRV: 33,
  NAPTR: 35,
  KX: 36,
  CERT: 37,
  DNAME: 39,
  OPT: 41,
  APL: 42,
  DS: 43,
  SSHFP: 44,
  IPSECKEY: 45,
  RRSIG: 46,
  NSEC: 47,
  DNSKEY: 48,
  DHCID: 49,
  NSEC3: 50,
  NSEC3PARAM: 51,
  TLSA: 52,
  SMIMEA: 53,
  CDS: 59,
  CDNSKEY: 60,
  OPENPGPKEY: 61,
  CSYNC: 62,
  ZONEMD: 63,
  SVCB: 64,
  HTTPS: 65,
  SPF: 99,
  EUI48: 108,
  EUI64: 109,
  TKEY: 249,
  TSIG: 250,
  IXFR: 251,
  AXFR: 252,
  MAILB: 253,
  MAILA: 254,
  ANY: 255,
  URI: 256,
  CAA: 257,
} as const satisfies Readonly<Record<string, number>>;

const CODE_BY_NAME = new Map<string, number>(Object.entries(TYPE_CODES));
const NAME_BY_CODE = new Map<number, string>(Object.entries(TYPE_CODES).map(([name, code]) => [code, name]));

/** Types that exist only in questions or on the wire and never in a zone (RFC 6895 3.1). */
export function isMetaType(code: number): boolean {
  return code === 0 || code === TYPE_CODES.OPT || (code >= 128 && code <= 255);
}

const span = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, at) => from + at);

/**
 * Types that have a text form without a codec in this library: old, experimental or rare. In the generic form their octets would not be
 * checked, and a nameserver that knows the type aborts the transfer over one invalid record.
 */
const UNCHECKED_FORMS = new Set([
  ...[3, 4, 7, 8, 9, 10, 11, 14, 30, 31, 32, 34, 38, 40, 258, 259, 260, 32_768, 32_769],
  ...[...span(19, 27), ...span(55, 58), ...span(100, 107)],
]);

export function hasUncheckedForm(code: number): boolean {
  return UNCHECKED_FORMS.has(code);
}

export function typeCode(mnemonic: string): number {
  const code = findTypeCode(mnemonic);
  if (code === undefined) throw new DnsError(`"${mnemonic}" is not a record type`);
  return code;
}

export function findTypeCode(mnemonic: string): number | undefined {
  const known = CODE_BY_NAME.get(mnemonic) ?? CODE_BY_NAME.get(mnemonic.toUpperCase());
  if (known !== undefined) return known;
  const number = /^TYPE(\d{1,5})$/i.exec(mnemonic)?.[1];
  return number === undefined || Number(number) > 0xffff ? undefined : Number(number);
}

export function typeName(code: number): string {
  return NAME_BY_CODE.get(code) ?? `TYPE${code}`;
}

import fc, { type Arbitrary } from 'fast-check';
import { GOLDEN } from './golden.ts';

const LETTERS = 'abcdefghijklmnopqrstuvwxyz0123456789';
const oneOf = (signs: string) => fc.constantFrom(...signs);

export const hostLabel: Arbitrary<string> = fc
  .tuple(oneOf('abcdefghijklmnopqrstuvwxyz'), fc.string({ unit: oneOf(`${LETTERS}-`), maxLength: 8 }), oneOf(LETTERS))
  .map((parts) => parts.join(''));

/** Absolute host names outside the zone under test. */
const host: Arbitrary<string> = fc
  .array(hostLabel, { minLength: 1, maxLength: 4 })
  .map((labels) => `${labels.join('.')}.test.`);

const oddLabel = fc
  .uint8Array({ minLength: 1, maxLength: 12 })
  .map((octets) => [...octets].map((octet) => `\\${String(octet).padStart(3, '0')}`).join(''));

/** Any name, including unprintable octets. */
export const anyName: Arbitrary<string> = fc.oneof(
  host,
  fc.array(fc.oneof(hostLabel, oddLabel), { minLength: 1, maxLength: 4 }).map((labels) => `${labels.join('.')}.`),
);

const u8 = fc.integer({ min: 0, max: 0xff });
const u16 = fc.integer({ min: 0, max: 0xffff });
const u32 = fc.integer({ min: 0, max: 0xffff_ffff });
const hex = (octets: number) =>
  fc.uint8Array({ minLength: octets, maxLength: octets }).map((bytes) => Buffer.from(bytes).toString('hex'));
const base64 = (min: number, max: number) =>
  fc.uint8Array({ minLength: min, maxLength: max }).map((bytes) => Buffer.from(bytes).toString('base64'));

const quotedString: Arbitrary<string> = fc.oneof(
  fc.string({ unit: oneOf(`${LETTERS} ;()=@-`), maxLength: 40 }).map((text) => `"${text}"`),
  fc
    .uint8Array({ maxLength: 60 })
    .map((octets) => `"${[...octets].map((octet) => `\\${String(octet).padStart(3, '0')}`).join('')}"`),
);

const ipv4 = fc.ipV4();
const ipv6 = fc.ipV6();
const words = (...parts: Arbitrary<string | number>[]) => fc.tuple(...parts).map((values) => values.join(' '));
const types = fc
  .uniqueArray(fc.constantFrom('A', 'NS', 'MX', 'TXT', 'AAAA', 'CAA', 'TYPE1234', 'TYPE65300'), { minLength: 1 })
  .map((list) => list.join(' '));

const tlsaData = fc.oneof(
  hex(32).map((data) => `1 ${data}`),
  hex(64).map((data) => `2 ${data}`),
  hex(40).map((data) => `0 ${data}`),
);
const digest = fc.oneof(
  hex(20).map((data) => `1 ${data}`),
  hex(32).map((data) => `2 ${data}`),
  hex(48).map((data) => `4 ${data}`),
);
const dnskey = fc.oneof(
  base64(64, 64).map((key) => `13 ${key}`),
  base64(32, 32).map((key) => `15 ${key}`),
  base64(260, 260).map((key) => `8 ${key}`),
);

const svcParams = fc
  .record(
    {
      alpn: fc
        .uniqueArray(fc.constantFrom('h2', 'h3', 'http/1.1', 'dot'), { minLength: 1 })
        .map((ids) => `alpn="${ids.join(',')}"`),
      port: u16.map((port) => `port=${port}`),
      ipv4hint: fc.array(ipv4, { minLength: 1, maxLength: 3 }).map((list) => `ipv4hint=${list.join(',')}`),
      ipv6hint: fc.array(ipv6, { minLength: 1, maxLength: 3 }).map((list) => `ipv6hint=${list.join(',')}`),
      ech: base64(4, 40).map((config) => `ech=${config}`),
      dohpath: fc.constant('dohpath=/dns-query{?dns}'),
      other: fc.tuple(fc.integer({ min: 100, max: 60_000 }), quotedString).map(([key, value]) => `key${key}=${value}`),
    },
    { requiredKeys: [] },
  )
  .map((params) => Object.values(params).join(' '));

const service = fc.oneof(
  words(fc.constant('0'), host),
  words(fc.integer({ min: 1, max: 0xffff }), fc.oneof(host, fc.constant('.')), svcParams),
);

const angle = (max: number, sides: string) =>
  words(
    fc.integer({ min: 0, max: max - 1 }),
    fc.integer({ min: 0, max: 59 }),
    fc.integer({ min: 0, max: 59_999 }).map((ms) => (ms / 1000).toFixed(3)),
    oneOf(sides),
  );
const metres = (max: number) => fc.integer({ min: 0, max: max * 100 }).map((cm) => `${(cm / 100).toFixed(2)}m`);
const eui = (octets: number) => hex(octets).map((digits) => digits.match(/../g)!.join('-'));
const prefix = fc.oneof(
  fc.tuple(ipv4, fc.integer({ min: 0, max: 32 })).map(([address, bits]) => `1:${address}/${bits}`),
  fc.tuple(ipv6, fc.integer({ min: 0, max: 128 })).map(([address, bits]) => `!2:${address}/${bits}`),
);

const generated: Readonly<Record<string, Arbitrary<string>>> = {
  A: ipv4,
  AAAA: ipv6,
  AFSDB: words(u16, host),
  APL: fc.array(prefix, { minLength: 1, maxLength: 4 }).map((list) => list.join(' ')),
  CAA: words(fc.constantFrom(0, 128), fc.constantFrom('issue', 'issuewild', 'Issue', 'other1'), quotedString),
  CDNSKEY: words(fc.constantFrom(256, 257), fc.constant(3), dnskey),
  CDS: words(u16, fc.constantFrom(8, 13, 15), digest),
  // RFC 4398 2.1: type 0 is reserved, and ldns refuses it.
  CERT: words(fc.integer({ min: 1, max: 0xffff }), u16, u8, base64(1, 80)),
  CNAME: anyName,
  CSYNC: words(u32, fc.integer({ min: 0, max: 3 }), types),
  DHCID: base64(3, 40),
  DNAME: anyName,
  DNSKEY: words(fc.constantFrom(256, 257), fc.constant(3), dnskey),
  DS: words(u16, fc.constantFrom(8, 13, 15), digest),
  EUI48: eui(6),
  EUI64: eui(8),
  HINFO: words(quotedString, quotedString),
  HTTPS: service,
  IPSECKEY: fc.oneof(
    words(u8, fc.constant('1 2'), ipv4, base64(3, 40)),
    words(u8, fc.constant('2 2'), ipv6, base64(3, 40)),
    words(u8, fc.constant('3 2'), host, base64(3, 40)),
  ),
  KX: words(u16, host),
  LOC: words(
    angle(90, 'NS'),
    angle(180, 'EW'),
    fc.integer({ min: -10_000_000, max: 400_000_000 }).map((cm) => `${(cm / 100).toFixed(2)}m`),
    metres(90_000),
    metres(90_000),
    metres(90_000),
  ),
  MX: words(u16, host),
  NAPTR: fc.oneof(
    words(
      u16,
      u16,
      fc.constantFrom('"U"', '"u"', '""'),
      quotedString,
      fc.constant('"!^.*$!sip:info@example.com!"'),
      fc.constant('.'),
    ),
    words(u16, u16, fc.constantFrom('"S"', '"A"', '"P"'), quotedString, fc.constant('""'), host),
  ),
  NS: host,
  NSEC: words(anyName, types),
  NSEC3: words(
    fc.constant('1 0'),
    u16,
    fc.oneof(fc.constant('-'), hex(4)),
    fc.constant('2T7B4G4VSA5SMI47K61MV5BV1A22BOJR'),
    types,
  ),
  NSEC3PARAM: words(fc.constant('1 0'), u16, fc.oneof(fc.constant('-'), hex(8))),
  OPENPGPKEY: base64(1, 200),
  PTR: anyName,
  RP: words(anyName, anyName),
  RRSIG: words(
    fc.constantFrom('A', 'MX', 'TYPE999'),
    fc.constant(13),
    fc.integer({ min: 6, max: 20 }),
    fc.integer({ min: 0, max: 0x7fff_ffff }),
    u32,
    u32,
    u16,
    host,
    base64(64, 64),
  ),
  SMIMEA: words(fc.integer({ min: 0, max: 3 }), fc.integer({ min: 0, max: 1 }), tlsaData),
  SPF: fc.array(quotedString, { minLength: 1, maxLength: 3 }).map((list) => list.join(' ')),
  SRV: words(u16, u16, u16, fc.oneof(host, fc.constant('.'))),
  SSHFP: words(
    fc.constantFrom(1, 2, 3, 4, 6),
    fc.oneof(
      hex(20).map((print) => `1 ${print}`),
      hex(32).map((print) => `2 ${print}`),
    ),
  ),
  SVCB: service,
  TLSA: words(fc.integer({ min: 0, max: 3 }), fc.integer({ min: 0, max: 1 }), tlsaData),
  TXT: fc.array(quotedString, { minLength: 1, maxLength: 4 }).map((list) => list.join(' ')),
  TYPE65280: fc
    .uint8Array({ maxLength: 40 })
    .map((octets) => `\\# ${octets.length} ${Buffer.from(octets).toString('hex')}`),
  URI: words(
    u16,
    u16,
    fc.string({ unit: oneOf(LETTERS), minLength: 1 }).map((path) => `"https://example.com/${path}"`),
  ),
  ZONEMD: words(u32, fc.constant('1 1'), hex(48)),
};

/** Types without a generator have the texts of their golden vectors. A zone has one SOA record, which `SOA_TEXT` makes. */
const known = Map.groupBy(
  GOLDEN.filter(([type]) => type !== 'SOA' && !Object.hasOwn(generated, type)),
  ([type]) => type,
);

/** Valid text for every type that users may add to a zone, and for the types that signers add. */
export const RDATA_TEXT: Readonly<Record<string, Arbitrary<string>>> = {
  ...generated,
  ...Object.fromEntries([...known].map(([type, rows]) => [type, fc.constantFrom(...rows.map(([, text]) => text))])),
};

export const SOA_TEXT: Arbitrary<string> = words(
  host,
  host,
  u32,
  ...[1, 2, 3, 4].map(() => fc.integer({ min: 0, max: 0x7fff_ffff })),
);

/** A type with valid rdata text. */
export const typedText: Arbitrary<readonly [string, string]> = fc.oneof(
  ...Object.entries({ ...RDATA_TEXT, SOA: SOA_TEXT }).map(([type, text]) =>
    text.map((value) => [type, value] as const),
  ),
);

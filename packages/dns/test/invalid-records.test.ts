import { describe, expect, it } from 'vitest';
import {
  buildRRset,
  checkZone,
  DEFAULT_RRSET_LIMITS,
  decodeRdata,
  parseRecord,
  RecordError,
  RRsetError,
  rawFromText,
  recordFromRawText,
} from '../src/index.ts';
import { built } from './zone-arbitrary.ts';

const origin = 'zone.test.';

/** Type, text, the named field, a word of the reason. */
const BAD_RECORDS: readonly (readonly [string, string, string, string])[] = [
  ['A', '192.0.2', 'address', 'IPv4'],
  ['A', '192.0.2.01', 'address', 'leading zero'],
  ['A', '192.0.2.256', 'address', 'IPv4'],
  ['A', '192.0.2.1 x', 'rdata', 'too many'],
  ['A', '', 'address', 'missing'],
  ['AAAA', '2001:db8::g', 'address', 'IPv6'],
  ['AAAA', 'fe80::1%eth0', 'address', 'IPv6'],
  ['AAAA', '::ffff:192.0.2.01', 'address', 'IPv'],
  ['CNAME', '"www"', 'target', 'quotes'],
  ['CNAME', 'a..b.', 'target', 'empty'],
  ['MX', '10 192.0.2.1', 'exchange', 'address'],
  ['MX', '10 192.0.2.1.', 'exchange', 'address'],
  ['MX', '10 2001:db8::1', 'exchange', 'address'],
  ['MX', '65536 mail', 'preference', 'over'],
  ['MX', '-1 mail', 'preference', 'whole number'],
  ['MX', '10', 'exchange', 'missing'],
  ['MX', '10 .', 'preference', 'null MX'],
  ['MX', '10 ma!l', 'exchange', 'label'],
  ['NS', '192.0.2.1', 'target', 'address'],
  ['NS', '.', 'target', 'root'],
  ['SRV', '0 0 65536 a', 'port', 'over'],
  ['SRV', '0 0 a', 'port', 'whole number'],
  ['TXT', `"${'x'.repeat(256)}"`, 'text', '255'],
  ['TXT', `"${'\\001'.repeat(256)}"`, 'text', '255'],
  ['TXT', 'x'.repeat(70_000), 'text', '65535'],
  ['TXT', '"open', 'rdata', 'not closed'],
  ['TXT', '"a\\300"', 'text', '255'],
  ['CAA', '1 issue "x"', 'flags', '128'],
  ['CAA', '0 is-sue "x"', 'tag', 'letters'],
  ['CAA', '0 iodef "example.com"', 'value', 'mailto'],
  ['CAA', '0 issue a;b', 'rdata', 'quotes'],
  ['TLSA', '3 1 1 abcd', 'data', '32 octets'],
  ['TLSA', '4 1 1 abcd', 'usage', '0 to 3'],
  ['TLSA', `3 2 1 ${'ab'.repeat(32)}`, 'selector', '0 or 1'],
  ['TLSA', `3 1 3 ${'ab'.repeat(32)}`, 'matching', '0 to 2'],
  ['SMIMEA', '3 0 2 abcd', 'data', '64 octets'],
  ['SSHFP', '5 1 abcd', 'algorithm', '6'],
  ['SSHFP', '1 1 abcd', 'fingerprint', '20 octets'],
  ['SSHFP', '1 3 abcd', 'fingerprintType', '1 or 2'],
  ['DS', '1 13 2 abcd', 'digest', '32 octets'],
  ['DS', `1 13 9 ${'ab'.repeat(32)}`, 'digestType', '9'],
  ['DS', '0 0 0 00', 'digestType', '0'],
  ['DS', '1 13 2 abc', 'digest', 'hex'],
  ['DS', '\\# 6 00010d02abcd', 'digest', '32 octets'],
  ['DNSKEY', '257 2 13 AAAA', 'protocol', '3'],
  ['DNSKEY', '257 3 13 AAAA', 'key', '64 octets'],
  ['HTTPS', '0 a. alpn=h2', 'params', 'alias'],
  ['HTTPS', '1 a. alpn=h2 alpn=h3', 'params', 'twice'],
  ['HTTPS', '1 a. no-default-alpn', 'no-default-alpn', 'alpn'],
  ['HTTPS', '1 a. mandatory=port', 'mandatory', 'port'],
  ['HTTPS', '1 a. mandatory=mandatory', 'mandatory', 'itself'],
  ['HTTPS', '1 a. port=65536', 'port', 'port'],
  ['HTTPS', '1 a. ipv4hint=1.2.3', 'ipv4hint', 'IPv4'],
  ['HTTPS', '1 a. port', 'port', 'value'],
  ['HTTPS', '1 a. foo=bar', 'params', 'key'],
  ['HTTPS', '1 a. ech=%%%', 'ech', 'base64'],
  ['NAPTR', '1 1 "X" "" "" a.', 'flags', 'S, A'],
  ['NAPTR', '1 1 "U" "" "!a!b!" a.', 'replacement', 'beside'],
  ['NAPTR', '1 1 "U" "" "" .', 'regexp', 'needed'],
  ['LOC', '91 N 0 E 0m', 'latitude', 'range'],
  ['LOC', '1 60 0 N 0 E 0m', 'latitude', 'range'],
  ['LOC', '1 N 0 X 0m', 'longitude', 'E or W'],
  ['LOC', '1 N 0 E 0m 90000001m', 'size', 'range'],
  ['URI', '1 1 "example.com"', 'target', 'scheme'],
  ['OPENPGPKEY', 'A', 'key', 'base64'],
  ['EUI48', '00-11-22', 'address', '6 pairs'],
  ['APL', '3:192.0.2.0/24', 'prefixes', 'like'],
  ['APL', '1:192.0.2.0/33', 'prefixes', 'over'],
  ['IPSECKEY', '10 0 2 a. AAAA', 'gateway', '"."'],
  ['NSEC3PARAM', '1 0 0 abc', 'salt', 'hex'],
  ['SOA', 'a. b. 1 2 3 4', 'minimum', 'missing'],
  ['SOA', 'a. b. 1 2 3 4 99999999999', 'minimum', 'over'],
  ['TYPE65280', 'abc', 'rdata', 'RFC 3597'],
  ['TYPE65280', '\\# 3 abcd', 'length', 'announced'],
  ['A', '\\# 3 010203', 'rdata', 'not a valid A'],
];

describe('refused records', () => {
  const titled = BAD_RECORDS.map(([type, text, ...rest]) => [type, text.slice(0, 60), text, ...rest] as const);
  it.each(titled)('%s %s is refused with its field', (type, _title, text, field, word) => {
    let caught: unknown;
    try {
      parseRecord(type, text, { origin });
    } catch (error) {
      caught = error;
    }
    expect(caught).toBeInstanceOf(RecordError);
    expect(caught).toMatchObject({ field });
    expect((caught as RecordError).reason).toContain(word);
  });
});

describe('corrected records', () => {
  it.each([
    ['AAAA', '2001:0DB8:0000::0001', '2001:db8::1'],
    ['TXT', 'v=spf1 -all', '"v=spf1 -all"'],
    ['TXT', 'v=DKIM1; k=rsa; p=abc', '"v=DKIM1; k=rsa; p=abc"'],
    ['TXT', 'grün', '"gr\\195\\188n"'],
    ['TXT', '"a" "b"', '"a" "b"'],
    ['TXT', '', '""'],
    ['MX', '10 Mail', '10 mail.zone.test.'],
    ['HTTPS', '1 . alpn="h2,h3"', '1 . alpn=h2,h3'],
    ['HTTPS', '1 . port=443 alpn=h2', '1 . alpn=h2 port=443'],
    ['CAA', '0 ISSUE letsencrypt.org', '0 issue "letsencrypt.org"'],
    ['EUI48', '00:00:5E:00:53:2A', '00-00-5e-00-53-2a'],
    ['LOC', '52 22 23 N 4 53 32 E -2 0 10000 10', '52 22 23.000 N 4 53 32.000 E -2.00m 0.00m 10000.00m 10.00m'],
    ['CNAME', 'bücher.example.', 'xn--bcher-kva.example.'],
    [
      'DS',
      '1 ECDSAP256SHA256 2 ( abababababababababababababababab abababababababababababababababab )',
      `1 13 2 ${'AB'.repeat(32)}`,
    ],
  ])('%s %s is stored in its canonical form', (type, text, canonical) =>
    expect(parseRecord(type, text, { origin }).text).toBe(canonical),
  );

  it('are split into strings of 255 octets if they are long', () => {
    const strings = decodeRdata('TXT', parseRecord('TXT', 'x'.repeat(600)).wire).strings;
    expect(strings.map((string) => string.length)).toEqual([255, 255, 90]);
  });

  it('keep a raw value as it is', () => {
    const value = 'a "quoted" \\ ; ü '.repeat(30);
    expect(rawFromText(decodeRdata('TXT', recordFromRawText(value).wire))).toBe(value);
  });
});

function problems(name: string, type: string, records: string[], ttl = 300, limits = DEFAULT_RRSET_LIMITS): string {
  try {
    buildRRset({ name, type, ttl, records }, { origin }, limits);
    return 'accepted';
  } catch (error) {
    if (!(error instanceof RRsetError)) throw error;
    return error.problems.map((problem) => `${problem.field}: ${problem.reason}`).join('\n');
  }
}

describe('refused RRsets', () => {
  it.each([
    ['two CNAMEs', problems('a', 'CNAME', ['b', 'c']), /^records: only one CNAME/],
    ['a CNAME to itself', problems('a', 'CNAME', ['a']), /^records\[0\]\.target: .*itself/],
    ['a DNAME below itself', problems('a', 'DNAME', ['b.a']), /below itself/],
    ['duplicates', problems('a', 'AAAA', ['2001:db8::1', '2001:DB8:0::1']), /^records\[1\]: .*duplicate/],
    ['a TTL over 2^31-1', problems('a', 'A', ['192.0.2.1'], 4_294_967_295), /^ttl: .*2147483647/],
    ['a TTL under the minimum', problems('a', 'A', ['192.0.2.1'], 5), /^ttl: .*minimum/],
    ['a fractional TTL', problems('a', 'A', ['192.0.2.1'], 1.5), /^ttl: .*whole/],
    ['a name outside the zone', problems('www.other.test.', 'A', ['192.0.2.1']), /^name: .*not in the zone/],
    ['no records', problems('a', 'A', []), /^records: there are none/],
    [
      'too many records',
      problems(
        'a',
        'A',
        Array.from({ length: 101 }, (_, at) => `192.0.2.${at}`),
      ),
      /^records: 101 .*limit of 100/,
    ],
    [
      'more than 64 kB',
      problems(
        'a',
        'TXT',
        Array.from({ length: 90 }, (_, at) => `${at}${'x'.repeat(900)}`),
      ),
      /^records: .*octets in all/,
    ],
    ['the null MX beside another', problems('a', 'MX', ['0 .', '10 mail']), /null MX/],
    ['octets that cannot be shown', problems('a\\200b', 'TXT', ['x']), /^name: /],
    ['a backslash without quotes', problems('a', 'TXT', ['C:\\temp']), /backslash/],
    ['a space in a name', problems('a\\032b', 'A', ['192.0.2.1']), /^name: /],
    ['an unknown type', problems('a', 'FOO', ['x']), /^type: /],
    ['a type of unknown form', problems('a', 'TYPE55', ['\\# 2 abcd']), /^type: TYPE55 is not supported/],
    ['a type of messages only', problems('a', 'AXFR', ['x']), /^type: AXFR is not allowed in a zone/],
    [
      'several problems at once',
      problems('a', 'MX', ['10 192.0.2.1', 'x y'], -1),
      /records\[0\]\.exchange.*\n.*records\[1\]\.preference.*\n.*ttl/s,
    ],
  ])('are refused for %s', (_what, problemText, expected) => expect(problemText).toMatch(expected));

  it('are accepted with warnings for unusual values', () => {
    const warn = (name: string, type: string, records: string[]) =>
      buildRRset({ name, type, ttl: 300, records }, { origin })
        .warnings.map((warning) => `${warning.field}: ${warning.reason}`)
        .join('\n');
    expect(warn('a', 'A', ['10.0.0.1'])).toContain('private');
    expect(warn('a', 'AAAA', ['fe80::1'])).toContain('link-local');
    expect(warn('a', 'AAAA', ['::ffff:192.0.2.1'])).toContain('mapped');
    expect(warn('a_b', 'A', ['192.0.2.1'])).toContain('underscore');
    expect(warn('a', 'MX', ['10 a_b'])).toContain('underscore');
    expect(warn('a', 'SRV', ['0 0 1 b'])).toContain('_service._proto');
    expect(warn('a', 'CAA', ['0 foo "x"'])).toContain('tag');
    expect(warn('a', 'TXT', ['v=spf1 -all', 'v=spf1 ~all'])).toContain('SPF');
    expect(warn('a', 'TXT', ['x'.repeat(5000)])).toContain('long');
    expect(warn('a', 'A', ['192.0.2.1'])).toBe('');
  });
});

const BASE = [
  built(origin, 'SOA', 300, ['ns1.other.test. h.other.test. 1 2 3 4 5'])!,
  built(origin, 'NS', 300, ['ns1.other.test.', 'ns2.other.test.'])!,
];

function problemsOf(...sets: (readonly [string, string, ...string[]])[]) {
  const result = checkZone(origin, [
    ...BASE,
    ...sets.map(([name, type, ...records]) => built(name, type, 300, records)!),
  ]);
  const lines = (list: typeof result.errors) =>
    list.map((problem) => `${problem.name} ${problem.type}: ${problem.reason}`).join('\n');
  return { errors: lines(result.errors), warnings: lines(result.warnings) };
}

describe('zones', () => {
  it('are accepted without problems if they are plain', () =>
    expect(problemsOf(['www', 'A', '192.0.2.1'], ['a', 'CNAME', 'www'])).toEqual({ errors: '', warnings: '' }));

  it.each([
    [
      'CNAME beside other data',
      problemsOf(['a', 'CNAME', 'b.x.'], ['a', 'A', '192.0.2.1']),
      /CNAME: .*records of type A\b/,
    ],
    ['CNAME at the apex', problemsOf(['@', 'CNAME', 'b.x.']), /^zone\.test\. CNAME: /],
    ['wildcard NS', problemsOf(['*', 'NS', 'b.x.']), /NS: .*wildcard/],
    ['DS at the apex', problemsOf(['@', 'DS', `1 13 2 ${'ab'.repeat(32)}`]), /DS: .*parent/],
    ['DS without a delegation', problemsOf(['a', 'DS', `1 13 2 ${'ab'.repeat(32)}`]), /DS: .*delegation/],
    ['SOA below the apex', problemsOf(['a', 'SOA', 'a. b. 1 2 3 4 5']), /SOA: SOA records are allowed only/],
    ['names below a DNAME', problemsOf(['a', 'DNAME', 'b.x.'], ['c.a', 'A', '192.0.2.1']), /below the DNAME/],
    ['names below an apex DNAME', problemsOf(['@', 'DNAME', 'b.x.'], ['c.a', 'A', '192.0.2.1']), /below the DNAME/],
    ['DNAME beside a CNAME', problemsOf(['a', 'DNAME', 'b.x.'], ['a', 'CNAME', 'b.x.']), /CNAME: .*type DNAME/],
    ['MX to a CNAME in the zone', problemsOf(['@', 'MX', '10 mail'], ['mail', 'CNAME', 'b.x.']), /MX: .*is a CNAME/],
    ['NS to a CNAME in the zone', problemsOf(['a', 'NS', 'n'], ['n', 'CNAME', 'b.x.']), /NS: .*is a CNAME/],
    ['a delegation without glue', problemsOf(['a', 'NS', 'ns.a']), /no A or AAAA record/],
    ['the same RRset twice', problemsOf(['a', 'A', '192.0.2.1'], ['a', 'A', '192.0.2.2']), /duplicate/],
    [
      'a digest of the zone below its apex',
      problemsOf(['a', 'ZONEMD', `1 1 1 ${'ab'.repeat(48)}`]),
      /ZONEMD records are allowed only/,
    ],
    ['a wildcard DNAME', problemsOf(['*.a', 'DNAME', 'b.x.']), /DNAME: .*wildcard/],
    ['a DNAME at a delegation', problemsOf(['a', 'NS', 'n.x.'], ['a', 'DNAME', 'b.x.']), /DNAME: .*at a delegation/],
    ['keys below the apex', problemsOf(['a', 'CDS', `1 13 2 ${'ab'.repeat(32)}`]), /CDS: CDS records are allowed only/],
    [
      'a nameserver in the zone without an address',
      problemsOf(['a', 'NS', 'ns']),
      /a\.zone\.test\. NS: .*no A or AAAA record/,
    ],
    [
      'a nameserver whose wildcard has no address',
      problemsOf(['a', 'NS', 'ns.a'], ['*.a', 'TXT', 'x']),
      /ns\.a\.zone\.test has no A or AAAA record/,
    ],
    [
      'a nameserver name that exists without an address below a wildcard',
      problemsOf(['a', 'NS', 'ns.b'], ['b', 'TXT', 'x'], ['*', 'A', '192.0.2.1']),
      /ns\.b\.zone\.test has no A or AAAA record/,
    ],
  ])('are refused for %s', (_what, problemText, expected) => expect(problemText.errors).toMatch(expected));

  it.each([
    ['glue below a delegation', problemsOf(['a', 'NS', 'ns.a'], ['ns.a', 'A', '192.0.2.1'])],
    ['glue at a delegation', problemsOf(['a', 'NS', 'a'], ['a', 'AAAA', '2001:db8::1'])],
    ['no mail at all (RFC 7505)', problemsOf(['@', 'MX', '0 .'])],
    ['a CNAME to a name outside the zone', problemsOf(['a', 'CNAME', 'nothing.x.'])],
    ['a CNAME to a name that a wildcard answers', problemsOf(['a', 'CNAME', 'b'], ['*', 'TXT', 'x'])],
    ['a CNAME to a name that a wildcard further up answers', problemsOf(['a', 'CNAME', 'c.b'], ['*', 'TXT', 'x'])],
    ['a CNAME below a delegation', problemsOf(['a', 'CNAME', 'c.b'], ['b', 'NS', 'n.x.'])],
    ['an MX below a delegation', problemsOf(['@', 'MX', '10 c.b'], ['b', 'NS', 'n.x.'])],
    ['an MX whose address comes from a wildcard', problemsOf(['@', 'MX', '10 mail'], ['*', 'AAAA', '2001:db8::1'])],
    [
      'an MX whose address comes from a wildcard further up',
      problemsOf(['@', 'MX', '10 m.ail'], ['*', 'A', '192.0.2.1']),
    ],
    [
      'a nameserver whose address comes from a wildcard further up',
      problemsOf(['a', 'NS', 'n.s'], ['*', 'A', '192.0.2.1']),
    ],
    ['a secure delegation', problemsOf(['a', 'NS', 'n.x.'], ['a', 'DS', `1 13 2 ${'ab'.repeat(32)}`])],
    ['a CNAME beside the records of a signer', problemsOf(['a', 'CNAME', 'b.x.'], ['a', 'NSEC', 'b CNAME NSEC'])],
    ['a DNAME beside other data', problemsOf(['a', 'DNAME', 'b.x.'], ['a', 'TXT', 'x'])],
  ])('are accepted with %s', (_what, problemText) => expect(problemText).toEqual({ errors: '', warnings: '' }));

  it('are refused once for a CNAME at the apex, and for two CNAMEs at one name', () => {
    expect(problemsOf(['@', 'CNAME', 'b.x.']).errors.split('\n')).toHaveLength(1);
    const [one, two] = ['b.x.', 'c.x.'].map((target) => built('a', 'CNAME', 300, [target])!);
    const both = { ...one!, records: [...one!.records, ...two!.records] };
    expect(checkZone(origin, [...BASE, both]).errors[0]?.reason).toMatch(/only one CNAME/i);
  });

  it('are accepted with a warning for a single nameserver', () => {
    const alone = [BASE[0]!, built(origin, 'NS', 300, ['ns1.other.test.'])!];
    expect(checkZone(origin, alone)).toMatchObject({ errors: [], warnings: [{ type: 'NS', name: origin }] });
    expect(checkZone(origin, BASE).warnings).toEqual([]);
  });

  it('are refused with problems in the order of names', () => {
    const { errors } = problemsOf(
      ['z', 'SOA', 'a. b. 1 2 3 4 5'],
      ['b', 'SOA', 'a. b. 1 2 3 4 5'],
      ['a.b', 'SOA', 'a. b. 1 2 3 4 5'],
    );
    expect(errors.split('\n').map((line) => line.split('.zone.')[0])).toEqual(['b', 'a.b', 'z']);
  });

  it('require exactly one SOA, nameservers, and names in the zone', () => {
    expect(checkZone(origin, []).errors.map((problem) => problem.type)).toEqual(['SOA', 'NS']);
    expect(checkZone(origin, BASE, { minApexNameservers: 3 }).errors[0]?.reason).toContain('at least 3');
    expect(checkZone('other.test.', BASE).errors.at(-1)?.reason).toContain('not in the zone');
  });

  it.each([
    [
      'data hidden below a delegation',
      problemsOf(['a', 'NS', 'n.x.'], ['b.a', 'TXT', 'x']),
      /hidden below the delegation/,
    ],
    ['data hidden at a delegation', problemsOf(['a', 'NS', 'n.x.'], ['a', 'TXT', 'x']), /hidden by the delegation/],
    ['a chain of CNAMEs', problemsOf(['a', 'CNAME', 'b'], ['b', 'CNAME', 'c.x.']), /chain/],
    ['a CNAME to a missing name', problemsOf(['a', 'CNAME', 'nothing']), /does not exist/],
    ['an MX to a missing name', problemsOf(['@', 'MX', '10 nothing']), /no A or AAAA record/],
    [
      'an MX to a name without an address',
      problemsOf(['@', 'MX', '10 mail'], ['mail', 'TXT', 'x']),
      /no A or AAAA record/,
    ],
    [
      'an SRV to a CNAME',
      problemsOf(['_a._tcp', 'SRV', '0 0 1 b'], ['b', 'CNAME', 'c.x.']),
      /SRV: .*b\.zone\.test is a CNAME/,
    ],
    [
      'a nameserver below another delegation',
      problemsOf(['a', 'NS', 'ns.b'], ['b', 'NS', 'n.x.']),
      /a\.zone\.test\. NS: .*delegated zone must define it/,
    ],
    [
      'a delegation that is itself hidden, and needs no glue',
      problemsOf(['a', 'NS', 'n.x.'], ['b.a', 'NS', 'ns.b.a']),
      /b\.a\.zone\.test\. NS: .*hidden below/,
    ],
    [
      'a CNAME to a name that a wildcard above does not reach',
      problemsOf(['a', 'CNAME', 'c.b'], ['b', 'TXT', 'x'], ['*', 'TXT', 'x']),
      /c\.b\.zone\.test does not exist/,
    ],
    [
      'a CNAME to a name below an empty one, which a wildcard above does not reach',
      problemsOf(['a', 'CNAME', 'c.b'], ['d.b', 'TXT', 'x'], ['*', 'TXT', 'x']),
      /c\.b\.zone\.test does not exist/,
    ],
  ])('are accepted with a warning for %s', (_what, problemText, expected) => {
    expect(problemText.errors).toBe('');
    expect(problemText.warnings).toMatch(expected);
  });
});

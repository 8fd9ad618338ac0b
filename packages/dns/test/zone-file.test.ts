import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { times } from '../../../test/support/times.ts';
import { DEFAULT_RRSET_LIMITS, type RRset, readZoneFile, writeZoneFile } from '../src/index.ts';
import { kzonecheck, ldnsReadZone, namedCheckzone } from './debian-tools.ts';
import { built, ORIGIN, zoneSets } from './zone-arbitrary.ts';

const SEED = 99;
const WIDE = { ...DEFAULT_RRSET_LIMITS, minTtlSeconds: 0, maxTtlSeconds: 0x7fff_ffff };
const flat = (sets: readonly RRset[]) =>
  sets.flatMap((set) => set.records.map((record) => `${set.name} ${set.ttl} ${set.type} ${record.text}`)).sort();

const SAMPLE = `; a comment
$ORIGIN zone.test.
$TTL 1h30m
@   IN SOA ns1 host\\.master (
        2024010101 ; serial
        1h 15m ; refresh, retry
        2w
        1d )
    IN NS ns1
       NS ns2.other.test.
ns1 300 IN A 192.0.2.1
    IN 600 AAAA 2001:db8::1 ; class before TTL
www CNAME @
txt TXT "a;b (c)" d\\"e ( "f"
  "g" )
$ORIGIN sub
mail 60 MX 10 mail
  60 MX 20 mail.other.test.
svc HTTPS 1 . alpn="h2,h3" port=8443
raw TYPE65280 \\# 3 AB CD EF
a A \\# 4 C0000202
`;

describe('readZoneFile', () => {
  it('reads the syntax of RFC 1035 and BIND', () => {
    const { rrsets, errors, warnings } = readZoneFile(SAMPLE, { origin: ORIGIN });
    expect(errors).toEqual([]);
    expect(warnings).toEqual([]);
    expect(flat(rrsets)).toEqual(
      [
        'zone.test. 5400 SOA ns1.zone.test. host\\.master.zone.test. 2024010101 3600 900 1209600 86400',
        'zone.test. 5400 NS ns1.zone.test.',
        'zone.test. 5400 NS ns2.other.test.',
        'ns1.zone.test. 300 A 192.0.2.1',
        'ns1.zone.test. 600 AAAA 2001:db8::1',
        'www.zone.test. 5400 CNAME zone.test.',
        'txt.zone.test. 5400 TXT "a;b (c)" "d\\"e" "f" "g"',
        'mail.sub.zone.test. 60 MX 10 mail.sub.zone.test.',
        'mail.sub.zone.test. 60 MX 20 mail.other.test.',
        'svc.sub.zone.test. 5400 HTTPS 1 . alpn=h2,h3 port=8443',
        'raw.sub.zone.test. 5400 TYPE65280 \\# 3 ABCDEF',
        'a.sub.zone.test. 5400 A 192.0.2.2',
      ].sort(),
    );
  });

  it('reports every invalid line with its number and continues', () => {
    const text = `$TTL 300
@ SOA a. b. 1 2 3 4 5
@ NS ns1.x.
a A 300.1.1.1
b TXT "open
c MX 10 192.0.2.1
$INCLUDE other.zone
$GENERATE 1-10 h$ A 192.0.2.$
d FOO bar
e CH A 192.0.2.1
f A 192.0.2.1 ) x
www.other.test. A 192.0.2.1
g CNAME x.
g CNAME y.
h 99999999999 A 192.0.2.1
ok A 192.0.2.9
`;
    const { rrsets, errors } = readZoneFile(text, { origin: ORIGIN });
    expect(errors.map((error) => `${error.line} ${error.field}`)).toEqual([
      '4 address',
      '5 line',
      '6 exchange',
      '7 $INCLUDE',
      '8 $GENERATE',
      '9 type',
      '10 class',
      '11 line',
      '12 name',
      '13 records',
      '15 ttl',
    ]);
    expect(flat(rrsets).at(-1)).toContain('zone.test.');
    expect(rrsets.some((set) => set.name === 'ok.zone.test.')).toBe(true);
  });

  it('warns of a duplicate and of two TTLs, and uses the lower one', () => {
    const { rrsets, warnings } = readZoneFile(
      '@ 300 SOA a. b. 1 2 3 4 5\na 300 A 192.0.2.1\na 200 A 192.0.2.2\na A 192.0.2.1\n',
      { origin: ORIGIN },
    );
    expect(warnings.map((warning) => warning.line)).toEqual([3, 4]);
    expect(rrsets.find((set) => set.type === 'A')?.ttl).toBe(200);
  });

  it('uses the minimum of the SOA if no TTL is given', () => {
    const { rrsets, errors } = readZoneFile('@ SOA a. b. 1 2 3 4 777\na A 192.0.2.1\n', { origin: ORIGIN });
    expect(errors).toEqual([]);
    expect(rrsets.map((set) => set.ttl)).toEqual([777, 777]);
    expect(readZoneFile('a A 192.0.2.1', { origin: ORIGIN }).errors[0]?.field).toBe('ttl');
  });

  it('stops after too many errors', () => {
    const { errors } = readZoneFile('x y z\n'.repeat(10_000), { origin: ORIGIN, maxErrors: 10 });
    expect(errors.length).toBe(11);
  });

  it('never throws on any text', () => {
    const noise = fc.string({ unit: fc.constantFrom(...'ab.@$\\"();\n\t 019TXAN'), maxLength: 200 });
    fc.assert(
      fc.property(noise, (text) => {
        readZoneFile(text, { origin: ORIGIN });
      }),
      { seed: SEED, numRuns: 2_000 },
    );
  });
});

describe('writeZoneFile', () => {
  it('writes a file that is read back the same', () => {
    fc.assert(
      fc.property(zoneSets, (sets) => {
        const back = readZoneFile(writeZoneFile(ORIGIN, sets), { origin: ORIGIN, limits: WIDE });
        expect(back.errors).toEqual([]);
        expect(flat(back.rrsets)).toEqual(flat(sets));
      }),
      { seed: SEED, numRuns: 100 },
    );
  });

  it('writes files that named-checkzone, kzonecheck and ldns-read-zone accept', async () => {
    for (const sets of fc.sample(zoneSets, { seed: SEED, numRuns: times(15, 60) })) {
      const text = writeZoneFile(ORIGIN, sets);
      for (const check of [
        await namedCheckzone(ORIGIN, text),
        await kzonecheck(ORIGIN, text),
        await ldnsReadZone(text),
      ]) {
        expect(check.ok, `${check.output}\n${text}`).toBe(true);
      }
    }
  });

  it('escapes owners that have another meaning in a file', async () => {
    const sets = [
      built(ORIGIN, 'SOA', 300, ['a. b. 1 2 3 4 5'])!,
      built(ORIGIN, 'NS', 300, ['a.'])!,
      { name: '\\@.zone.test.', type: 'A', ttl: 300, records: built('x', 'A', 300, ['192.0.2.1'])!.records },
      { name: '\\$ttl.zone.test.', type: 'A', ttl: 300, records: built('x', 'A', 300, ['192.0.2.1'])!.records },
      built('in', 'A', 300, ['192.0.2.1'])!,
      built('300', 'A', 300, ['192.0.2.1'])!,
    ];
    const text = writeZoneFile(ORIGIN, sets);
    const check = await namedCheckzone(ORIGIN, text);
    expect(check.ok, check.output).toBe(true);
    expect(check.output).not.toContain('ignored');
  });
});

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { checkZone, DnsError, parseRecord, type RRset, writeZoneFile } from '../src/index.ts';
import { RDATA_TEXT } from './arbitrary.ts';
import { bindCompile, kzonecheck, namedCheckzone } from './debian-tools.ts';
import { built, ORIGIN } from './zone-arbitrary.ts';

const SEED = 31;
/** Two programs are started for each accepted zone. */
const ZONES = process.env.NAMEHOLD_TESTS === 'long' ? 2_000 : 150;
const HEAD = '$ORIGIN example.com.\n$TTL 300\n@ IN SOA ns1.test. h.test. 1 2 3 4 5\n@ NS ns1.test.\n';

/** Damages one text: a character changed, removed or doubled, or a word removed or moved. */
const damage = fc.record({ at: fc.nat(), kind: fc.nat({ max: 4 }), sign: fc.constantFrom(...'0179a.z-"\\;:/=,+ ') });

function damaged(text: string, { at, kind, sign }: { at: number; kind: number; sign: string }): string {
  const words = text.split(' ');
  const index = at % Math.max(1, text.length);
  if (kind === 0) return text.slice(0, index) + sign + text.slice(index + 1);
  if (kind === 1) return text.slice(0, index) + text.slice(index + 1);
  if (kind === 2) return text.slice(0, index) + sign + text.slice(index);
  if (kind === 3) return words.filter((_, word) => word !== at % words.length).join(' ');
  return [...words.slice(1), words[0]].join(' ');
}

const broken = fc.oneof(
  ...Object.entries(RDATA_TEXT).map(([type, text]) =>
    fc.tuple(fc.constant(type), text, damage).map(([name, value, how]) => [name, damaged(value, how)] as const),
  ),
);

describe('accepted input', () => {
  it('is accepted by BIND and Knot with the same octets for damaged records', async () => {
    const accepted: { type: string; text: string; wire: Uint8Array }[] = [];
    let refused = 0;
    for (const [type, text] of fc.sample(broken, { seed: SEED, numRuns: 6_000 })) {
      try {
        accepted.push({ type, ...parseRecord(type, text, { origin: 'example.com.' }) });
      } catch (error) {
        if (!(error instanceof DnsError)) throw error;
        refused++;
      }
    }
    expect(refused).toBeGreaterThan(1_500);
    expect(accepted.length).toBeGreaterThan(1_500);
    const zone = HEAD + accepted.map(({ type, text }, at) => `r${at} IN ${type} ${text}\n`).join('');
    const seen = new Map(
      (await bindCompile('example.com', zone)).map((set) => [
        Buffer.from(set.owner, 'hex').toString('latin1'),
        set.rdata[0],
      ]),
    );
    accepted.forEach(({ type, text, wire }, at) => {
      const label = `r${at}`;
      expect(
        seen.get(`${String.fromCharCode(label.length)}${label}\u0007example\u0003com\u0000`),
        `${type} ${text}`,
      ).toBe(Buffer.from(wire).toString('hex'));
    });
    // Knot 3.2 rejects protocols of one character, which do not exist.
    const readable = accepted.filter(({ text }) => !/alpn=(?:\S+,)?[^,\s](?:,|\s|$)/.test(text));
    // Records of signers make Knot check signatures, which is not tested here.
    const plain = readable.filter(({ type }) => !/^(?:NSEC|RRSIG|DNSKEY|CDS|CDNSKEY|DS|NS$|ZONEMD|DNAME)/.test(type));
    const knot = await kzonecheck(
      'example.com',
      HEAD + plain.map(({ type, text }, at) => `r${at} IN ${type} ${text}\n`).join(''),
    );
    expect(knot.ok, knot.output).toBe(true);
  });

  it('is accepted by named-checkzone and kzonecheck for zones with conflicting names', async () => {
    const names = ['@', 'a', 'b', 'a.b', 'c.a', '*.a', '*', 'ns.a', 'd.c.a'];
    const name = fc.constantFrom(...names);
    const digest = `1 13 2 ${'AB'.repeat(32)}`;
    const set = fc.oneof(
      fc.tuple(name, fc.constant('A'), fc.constant('192.0.2.1')),
      fc.tuple(name, fc.constant('A'), fc.constant('192.0.2.1')),
      fc.tuple(name, fc.constant('TXT'), fc.constant('"x"')),
      fc.tuple(
        name,
        fc.constantFrom('CNAME', 'NS', 'DNAME'),
        fc.constantFrom(...names.filter((each) => !each.includes('*')), 'x.other.'),
      ),
      fc.tuple(name, fc.constant('MX'), fc.constantFrom('10 a', '10 b', '10 a.b', '0 .', '10 x.other.')),
      fc.tuple(name, fc.constant('DS'), fc.constant(digest)),
    );
    const zones = fc.sample(fc.array(set, { minLength: 1, maxLength: 5 }), { seed: SEED, numRuns: ZONES });
    let accepted = 0;
    let refused = 0;
    for (const sets of zones) {
      const zone = [
        ...new Map(sets.map(([owner, type, text]) => [`${owner} ${type}`, built(owner, type, 300, [text])])).values(),
      ];
      if (zone.some((rrset) => rrset === undefined)) continue;
      const soa = built('@', 'SOA', 300, ['ns.other. h.other. 1 2 3 4 5'])!;
      const ns = built('@', 'NS', 300, ['n1.other.', 'n2.other.'])!;
      const whole = [soa, ns, ...(zone as RRset[]).filter((rrset) => !(rrset.name === ORIGIN && rrset.type === 'NS'))];
      if (checkZone(ORIGIN, whole).errors.length > 0) {
        refused++;
        continue;
      }
      accepted++;
      const text = writeZoneFile(ORIGIN, whole);
      const [bind, knot] = await Promise.all([namedCheckzone(ORIGIN, text), kzonecheck(ORIGIN, text)]);
      expect(bind.ok, `${bind.output}\n${text}`).toBe(true);
      expect(knot.ok, `${knot.output}\n${text}`).toBe(true);
    }
    expect(refused).toBeGreaterThan(ZONES / 5);
    expect(accepted).toBeGreaterThan(ZONES / 5);
  });
});

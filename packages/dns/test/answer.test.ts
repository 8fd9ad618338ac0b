import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  answerQuery,
  type Message,
  parentOf,
  parseName,
  plainEdns,
  query,
  RCODE,
  type RRset,
  readMessage,
  readZoneFile,
  rrText,
  ServedZone,
  typeCode,
  writeMessage,
  writeZoneFile,
  ZoneTable,
} from '../src/index.ts';
import { inFolder } from './debian-tools.ts';
import { askUdp, startKnot } from './loopback.ts';
import { built, ORIGIN, zoneSets } from './zone-arbitrary.ts';

const ZONE = `$ORIGIN zone.test.
$TTL 300
@ 3600 SOA ns1 h 1 2 3 4 100
@ NS ns1
@ NS ns.other.test.
@ MX 10 mail
ns1 A 192.0.2.1
www A 192.0.2.2
www A 192.0.2.3
www AAAA 2001:db8::2
alias CNAME www
alias2 CNAME alias
outside CNAME www.other.test.
across CNAME a.second.test.
dangling CNAME nothing
intocut CNAME x.cut
loop1 CNAME loop2
loop2 CNAME loop1
deep.empty.ent A 192.0.2.4
*.wild TXT "wild"
*.wild MX 10 mail
sub.wild A 192.0.2.5
*.wcname CNAME www
cut NS ns.cut
cut NS ns.other.test.
cut DS 1 13 2 ABABABABABABABABABABABABABABABABABABABABABABABABABABABABABABABAB
ns.cut A 192.0.2.6
ns.cut AAAA 2001:db8::6
ren DNAME www
far DNAME other.test.
mail A 192.0.2.7
`;
const SECOND = '$TTL 60\n@ SOA a. b. 1 2 3 4 5\n@ NS a.\na A 192.0.2.9\n';

function served(origin: string, text: string): ServedZone {
  const { rrsets, errors } = readZoneFile(text, {
    origin,
    limits: { minTtlSeconds: 0, maxTtlSeconds: 1e9, maxRecords: 1e6, maxWireOctets: 1e6, allowUnknownTypes: true },
  });
  expect(errors).toEqual([]);
  return new ServedZone(origin, rrsets);
}

const zones = new ZoneTable();
zones.put(served('zone.test.', ZONE));
zones.put(served('second.test.', SECOND));

function ask(name: string, type: string, table = zones, transport: 'udp' | 'tcp' = 'udp'): Message {
  const answer = answerQuery(table, writeMessage({ ...query(1, name, type), edns: plainEdns() }), { transport });
  return readMessage(answer!);
}

function shown(message: Message) {
  const rcode = Object.entries(RCODE).find(([, code]) => code === message.rcode)?.[0];
  return {
    rcode,
    aa: message.flags.authoritative,
    answer: message.answer.map(rrText),
    authority: message.authority.map(rrText),
    additional: message.additional.map(rrText),
  };
}

const NEGATIVE_SOA = 'zone.test. 100 SOA ns1.zone.test. h.zone.test. 1 2 3 4 100';
const www = (owner: string) => [`${owner} 300 A 192.0.2.2`, `${owner} 300 A 192.0.2.3`];

describe('answers', () => {
  it.each<[string, string, string, boolean, string[], string[]]>([
    ['www.zone.test.', 'A', 'NOERROR', true, www('www.zone.test.'), []],
    ['www.zone.test.', 'TXT', 'NOERROR', true, [], [NEGATIVE_SOA]],
    ['no.zone.test.', 'A', 'NXDOMAIN', true, [], [NEGATIVE_SOA]],
    ['a.b.www.zone.test.', 'A', 'NXDOMAIN', true, [], [NEGATIVE_SOA]],
    ['empty.ent.zone.test.', 'A', 'NOERROR', true, [], [NEGATIVE_SOA]],
    ['ent.zone.test.', 'A', 'NOERROR', true, [], [NEGATIVE_SOA]],
    [
      'alias.zone.test.',
      'A',
      'NOERROR',
      true,
      ['alias.zone.test. 300 CNAME www.zone.test.', ...www('www.zone.test.')],
      [],
    ],
    ['alias.zone.test.', 'CNAME', 'NOERROR', true, ['alias.zone.test. 300 CNAME www.zone.test.'], []],
    [
      'alias2.zone.test.',
      'A',
      'NOERROR',
      true,
      [
        'alias2.zone.test. 300 CNAME alias.zone.test.',
        'alias.zone.test. 300 CNAME www.zone.test.',
        ...www('www.zone.test.'),
      ],
      [],
    ],
    ['alias.zone.test.', 'TXT', 'NOERROR', true, ['alias.zone.test. 300 CNAME www.zone.test.'], [NEGATIVE_SOA]],
    ['outside.zone.test.', 'A', 'NOERROR', true, ['outside.zone.test. 300 CNAME www.other.test.'], []],
    [
      'across.zone.test.',
      'A',
      'NOERROR',
      true,
      // A resolver queries the other zone itself and trusts only that answer.
      ['across.zone.test. 300 CNAME a.second.test.'],
      [],
    ],
    [
      'dangling.zone.test.',
      'A',
      'NXDOMAIN',
      true,
      ['dangling.zone.test. 300 CNAME nothing.zone.test.'],
      [NEGATIVE_SOA],
    ],
    [
      'intocut.zone.test.',
      'A',
      'NOERROR',
      true,
      ['intocut.zone.test. 300 CNAME x.cut.zone.test.'],
      ['cut.zone.test. 300 NS ns.cut.zone.test.', 'cut.zone.test. 300 NS ns.other.test.'],
    ],
    ['any.wild.zone.test.', 'TXT', 'NOERROR', true, ['any.wild.zone.test. 300 TXT "wild"'], []],
    ['a.b.wild.zone.test.', 'TXT', 'NOERROR', true, ['a.b.wild.zone.test. 300 TXT "wild"'], []],
    ['any.wild.zone.test.', 'A', 'NOERROR', true, [], [NEGATIVE_SOA]],
    ['wild.zone.test.', 'TXT', 'NOERROR', true, [], [NEGATIVE_SOA]],
    ['sub.wild.zone.test.', 'TXT', 'NOERROR', true, [], [NEGATIVE_SOA]],
    ['x.sub.wild.zone.test.', 'TXT', 'NXDOMAIN', true, [], [NEGATIVE_SOA]],
    ['*.wild.zone.test.', 'TXT', 'NOERROR', true, ['*.wild.zone.test. 300 TXT "wild"'], []],
    [
      'q.wcname.zone.test.',
      'A',
      'NOERROR',
      true,
      ['q.wcname.zone.test. 300 CNAME www.zone.test.', ...www('www.zone.test.')],
      [],
    ],
    [
      'cut.zone.test.',
      'A',
      'NOERROR',
      false,
      [],
      ['cut.zone.test. 300 NS ns.cut.zone.test.', 'cut.zone.test. 300 NS ns.other.test.'],
    ],
    [
      'a.b.cut.zone.test.',
      'A',
      'NOERROR',
      false,
      [],
      ['cut.zone.test. 300 NS ns.cut.zone.test.', 'cut.zone.test. 300 NS ns.other.test.'],
    ],
    ['cut.zone.test.', 'DS', 'NOERROR', true, [`cut.zone.test. 300 DS 1 13 2 ${'AB'.repeat(32)}`], []],
    [
      'a.ren.zone.test.',
      'A',
      'NXDOMAIN',
      true,
      ['ren.zone.test. 300 DNAME www.zone.test.', 'a.ren.zone.test. 300 CNAME a.www.zone.test.'],
      [NEGATIVE_SOA],
    ],
    [
      'a.b.far.zone.test.',
      'A',
      'NOERROR',
      true,
      ['far.zone.test. 300 DNAME other.test.', 'a.b.far.zone.test. 300 CNAME a.b.other.test.'],
      [],
    ],
    ['ren.zone.test.', 'DNAME', 'NOERROR', true, ['ren.zone.test. 300 DNAME www.zone.test.'], []],
    ['ren.zone.test.', 'A', 'NOERROR', true, [], [NEGATIVE_SOA]],
    ['zone.test.', 'DS', 'NOERROR', true, [], [NEGATIVE_SOA]],
    ['other.test.', 'A', 'REFUSED', false, [], []],
    ['test.', 'A', 'REFUSED', false, [], []],
    ['.', 'NS', 'REFUSED', false, [], []],
    ['zone.test.', 'AXFR', 'NOTIMP', false, [], []],
  ])('%s %s with %s', (name, type, rcode, aa, answer, authority) => {
    expect(shown(ask(name, type))).toMatchObject({ rcode, aa, answer, authority });
  });

  it('adds glue to a referral', () => {
    expect(shown(ask('x.cut.zone.test.', 'A')).additional).toEqual([
      'ns.cut.zone.test. 300 A 192.0.2.6',
      'ns.cut.zone.test. 300 AAAA 2001:db8::6',
    ]);
  });

  it('answers ANY with one RRset, and stops at a CNAME loop', () => {
    expect(shown(ask('www.zone.test.', 'ANY')).answer).toEqual(www('www.zone.test.'));
    const loop = ask('loop1.zone.test.', 'A');
    expect(loop.rcode).toBe(0);
    expect(loop.answer.length).toBe(2);
  });

  it('answers a DS query from the parent zone if that is served too', () => {
    const table = new ZoneTable();
    table.put(served('zone.test.', ZONE));
    table.put(served('cut.zone.test.', '$TTL 60\n@ SOA a. b. 1 2 3 4 5\n@ NS a.\n'));
    expect(shown(ask('cut.zone.test.', 'DS', table))).toMatchObject({
      aa: true,
      answer: [`cut.zone.test. 300 DS 1 13 2 ${'AB'.repeat(32)}`],
    });
    expect(shown(ask('cut.zone.test.', 'NS', table)).answer).toEqual(['cut.zone.test. 60 NS a.']);
  });

  it('repeats the case of the question and answers without EDNS', () => {
    const octets = writeMessage({
      ...query(77, 'WwW.zOnE.test.', 'A'),
      flags: { ...query(1, '.', 'A').flags, recursionDesired: true },
    });
    const answer = readMessage(answerQuery(zones, octets, { transport: 'udp' })!);
    expect(answer.question[0]?.name).toBe('WwW.zOnE.test.');
    expect(answer).toMatchObject({
      id: 77,
      flags: { response: true, recursionDesired: true, recursionAvailable: false },
    });
    expect(answer.edns).toBeUndefined();
    expect(answer.answer.length).toBe(2);
  });

  it('answers YXDOMAIN if a DNAME makes a name too long', () => {
    const table = new ZoneTable();
    const label = 'x'.repeat(60);
    table.put(served('zone.test.', `$TTL 60\n@ SOA a. b. 1 2 3 4 5\n@ NS a.\nd DNAME ${label}.${label}.${label}.\n`));
    expect(shown(ask(`${label}.${label}.d.zone.test.`, 'A', table)).rcode).toBe('YXDOMAIN');
  });

  it('answers other requests with the correct rcode', () => {
    const bits = (request: Message) =>
      readMessage(answerQuery(zones, writeMessage(request), { transport: 'udp' })!).rcode;
    expect(bits({ ...query(1, 'zone.test.', 'SOA'), opcode: 4 })).toBe(RCODE.NOTIMP);
    expect(bits({ ...query(1, 'zone.test.', 'SOA'), edns: { ...plainEdns(), version: 1 } })).toBe(RCODE.BADVERS);
    expect(
      bits({ ...query(1, 'zone.test.', 'SOA'), question: [{ name: 'version.bind.', type: 'TXT', class: 3 }] }),
    ).toBe(RCODE.REFUSED);
    expect(bits({ ...query(1, 'zone.test.', 'SOA'), question: [] })).toBe(RCODE.FORMERR);
    expect(
      answerQuery(
        zones,
        writeMessage({ ...query(1, 'a.', 'A'), flags: { ...query(1, '.', 'A').flags, response: true } }),
        { transport: 'udp' },
      ),
    ).toBeUndefined();
    expect(answerQuery(zones, Uint8Array.of(1, 2, 3), { transport: 'udp' })).toBeUndefined();
  });
});

describe('response size', () => {
  const table = new ZoneTable();
  table.put(
    served(
      'zone.test.',
      `$TTL 60\n@ SOA a. b. 1 2 3 4 5\n@ NS a.\n${Array.from({ length: 200 }, (_, at) => `many A 10.0.0.${at}\n`).join('')}${Array.from({ length: 300 }, (_, at) => `cut NS ${'n'.repeat(40)}${at}.cut\n${'n'.repeat(40)}${at}.cut A 10.0.0.1\n`).join('')}`,
    ),
  );

  it('is truncated over UDP with TC and complete over TCP', () => {
    const udp = ask('many.zone.test.', 'A', table);
    expect(udp.flags.truncated).toBe(true);
    expect(udp.answer).toEqual([]);
    const octets = answerQuery(table, writeMessage(query(1, 'many.zone.test.', 'A')), { transport: 'udp' })!;
    expect(octets.length).toBeLessThanOrEqual(512);
    const tcp = ask('many.zone.test.', 'A', table, 'tcp');
    expect(tcp.flags.truncated).toBe(false);
    expect(tcp.answer.length).toBe(200);
  });

  it('is unlimited for owners beyond the range of compression pointers, which are written in full', () => {
    const referral = ask('x.cut.zone.test.', 'A', table, 'tcp');
    expect(referral.authority.length).toBe(300);
    expect(referral.additional.length).toBe(300);
    expect(new Set(referral.additional.map((record) => record.name)).size).toBe(300);
  });
});

describe('changing a zone in place', () => {
  it('gives the same result as building it again', () => {
    fc.assert(
      fc.property(zoneSets, zoneSets, (first, second) => {
        const changed = new ServedZone(ORIGIN, first);
        for (const set of first) if (set.type !== 'SOA') changed.remove(set.name, set.type);
        for (const set of second) changed.put(set);
        const fresh = new ServedZone(ORIGIN, second);
        expect(changed.nameCount).toBe(fresh.nameCount);
        expect(changed.hasCuts).toBe(fresh.hasCuts);
        const tables = [changed, fresh].map((zone) => {
          const table = new ZoneTable();
          table.put(zone);
          return table;
        });
        for (const [name, type] of questions(second).slice(0, 60)) {
          const [one, two] = tables.map((table) => shown(ask(name, type, table, 'tcp')));
          expect(one).toEqual(two);
        }
      }),
      { seed: 11, numRuns: 25 },
    );
  });

  it('refuses to remove its SOA', () => {
    const zone = served('second.test.', SECOND);
    expect(zone.serial).toBe(1);
    expect(() => zone.remove('second.test.', 'SOA')).toThrow('SOA');
    expect(() => new ServedZone('x.', [])).toThrow('no SOA');
    expect(() => zone.put(built('a.zone.test.', 'A', 60, ['10.0.0.1'])!)).toThrow('not in the zone');
  });
});

/** Names that exist, are below or beside them, each with a few types. */
function questions(sets: readonly RRset[]): [string, string][] {
  const queries: [string, string][] = [];
  for (const set of sets) {
    queries.push([set.name, set.type], [set.name, 'A'], [`below.${set.name}`, 'TXT'], [`a.b.${set.name}`, set.type]);
    const parent = parentOf(set.name);
    if (parent?.endsWith(ORIGIN))
      queries.push([parent, 'MX'], [`sister.${parent}`, set.type], [`x.sister.${parent}`, 'AAAA']);
    if (set.name.startsWith('*')) queries.push([`host.${set.name.slice(2)}`, set.type]);
  }
  return queries.filter(([name]) => name.length < 240);
}

describe('against knotd', () => {
  it(
    'gives the same answers as knotd for random zones',
    () =>
      inFolder(async (folder) => {
        const samples = fc.sample(zoneSets, { seed: 2, numRuns: 8 });
        const renamed = samples.map((sets, at) =>
          sets.map((set) => ({ ...set, name: set.name.replace(/zone\.test\.$/, `z${at}.zone.test.`) })),
        );
        const sample = readZoneFile(ZONE, { origin: 'zone.test.' }).rrsets;
        const table = new ZoneTable();
        const files: Record<string, string> = {};
        const all = new Map<string, readonly RRset[]>([
          ['zone.test.', sample],
          ...renamed.map((sets, at) => [`z${at}.zone.test.`, sets] as const),
        ]);
        for (const [origin, sets] of all) {
          files[origin] = writeZoneFile(origin, sets);
          table.put(new ServedZone(origin, sets));
        }
        const knot = await startKnot(folder, files);
        try {
          let compared = 0;
          for (const sets of all.values()) {
            for (const [name, type] of questions(sets)) {
              // Knot answers these two differently.
              if (type === 'ANY' || typeCode(type) === 46) continue;
              const request = writeMessage({ ...query(compared & 0xffff, parseName(name), type), edns: plainEdns() });
              const theirs = comparable(readMessage(await askUdp(knot.port, request)));
              const ours = comparable(readMessage(answerQuery(table, request, { transport: 'udp' })!));
              expect(ours, `${name} ${type}`).toEqual(theirs);
              compared++;
            }
          }
          expect(compared).toBeGreaterThan(1_000);
        } finally {
          await knot.close();
        }
      }),
    120_000,
  );
});

/** Equal answers: the same rcode, AA and answer records; for negative answers and referrals the same authority section. */
function comparable(message: Message) {
  const whole = shown(message);
  const authority = message.answer.length === 0 ? whole.authority.sort() : [];
  return {
    rcode: whole.rcode,
    aa: whole.aa,
    tc: message.flags.truncated,
    answer: message.flags.truncated ? [] : whole.answer.sort(),
    authority,
  };
}

import fc from 'fast-check';
import { expect, it } from 'vitest';
import {
  AnswerCache,
  answerQuery,
  buildRRset,
  plainEdns,
  query,
  RateLimiter,
  type RRset,
  readMessage,
  readZoneFile,
  ServedZone,
  writeMessage,
  ZoneTable,
} from '../src/index.ts';
import { ORIGIN, zoneSets } from './zone-arbitrary.ts';

/** Random case of the name (0x20), with which resolvers make forged answers harder. */
function otherCase(request: Uint8Array, bits: number): Uint8Array {
  const octets = Uint8Array.from(request);
  for (let at = 12, bit = bits; octets[at]; at += octets[at]! + 1)
    for (let letter = at + 1; letter <= at + octets[at]!; letter++, bit = (bit * 5 + 1) | 0)
      if (/[a-z]/i.test(String.fromCharCode(octets[letter]!)) && bit & 4) octets[letter]! ^= 0x20;
  return octets;
}

const arbitraryQuery = fc.record({
  at: fc.nat(),
  head: fc.constantFrom('', '', '', 'no.', 'a.b.'),
  type: fc.constantFrom('A', 'TXT', 'MX', 'SOA', 'ANY', 'CNAME', 'NS', 'AXFR', 'DS'),
  edns: fc.constantFrom(undefined, { ...plainEdns(), udpPayloadOctets: 512 }, { ...plainEdns(), dnssecOk: true }),
  cls: fc.constantFrom(1, 1, 1, 3, 255),
  flags: fc.constantFrom(0x00, 0x01, 0x20, 0x21),
  bits: fc.nat(),
  id: fc.nat(0xffff),
});

it('returns the same octets as a fresh answer, in any case and with any id', () => {
  const property = fc.property(zoneSets, fc.array(arbitraryQuery, { minLength: 5, maxLength: 30 }), (sets, list) => {
    const zones = new ZoneTable();
    zones.put(new ServedZone(ORIGIN, sets));
    const cache = new AnswerCache();
    for (const { at, head, type, edns, cls, flags, bits, id } of list) {
      const name = `${head}${sets[at % sets.length]!.name}`;
      if (name.length > 250) continue;
      const first = writeMessage({ ...query(id, name, type), ...(edns ? { edns } : {}) });
      first[2]! |= flags & 1;
      first[3]! |= flags & 0x20;
      first[writeMessage(query(id, name, type)).length - 1] = cls;
      for (const request of [first, first, otherCase(first, bits), otherCase(first, bits ^ 0xffff)]) {
        const plain = answerQuery(zones, request, { transport: 'udp' });
        expect(answerQuery(zones, request, { transport: 'udp', cache })).toEqual(plain);
      }
    }
  });
  fc.assert(property, { numRuns: 40, seed: 20 });
});

const soa = 'ns1.example.net. hostmaster.example.net. 1 2 3 4 5';
const set = (name: string, type: string, records: string[]): RRset =>
  buildRRset({ name, type, ttl: 300, records }, { origin: 'example.com.' }).rrset;
const request = writeMessage(query(7, 'www.example.com.', 'A'));
const shown = (octets: Buffer | undefined) => octets && readMessage(octets);

it('is invalidated by every change of any zone', () => {
  const zones = new ZoneTable();
  const zone = new ServedZone('example.com.', [set('@', 'SOA', [soa])]);
  const cache = new AnswerCache();
  const ask = () => {
    answerQuery(zones, request, { transport: 'udp', cache });
    return shown(answerQuery(zones, request, { transport: 'udp', cache }))!;
  };
  expect(ask().rcode).toBe(5);
  zones.put(zone);
  expect(ask().rcode).toBe(3);
  zone.put(set('www', 'A', ['192.0.2.1']));
  expect(ask().answer).toHaveLength(1);
  zone.put(set('www', 'A', ['192.0.2.1', '192.0.2.2']));
  expect(ask().answer).toHaveLength(2);
  zone.remove('www.example.com.', 'A');
  expect(ask().rcode).toBe(3);
  zones.put(
    new ServedZone(
      'www.example.com.',
      readZoneFile(`$TTL 300\n@ SOA ${soa}\n@ A 192.0.2.9\n`, { origin: 'www.example.com.' }).rrsets,
    ),
  );
  expect(ask().answer).toHaveLength(1);
  zones.remove('www.example.com.');
  expect(ask().rcode).toBe(3);
});

it('caches nothing with a cookie, and applies the rate limit', () => {
  const zones = new ZoneTable();
  zones.put(new ServedZone('example.com.', [set('@', 'SOA', [soa]), set('www', 'A', ['192.0.2.1'])]));
  const cache = new AnswerCache();
  const cookies = { secrets: [new Uint8Array(16)] };
  const withCookie = writeMessage({
    ...query(7, 'www.example.com.', 'A'),
    edns: { ...plainEdns(), options: [{ code: 10, octets: new Uint8Array(8) }] },
  });
  const options = { transport: 'udp', cache, cookies, address: '192.0.2.77' } as const;
  const [early, late] = [1, 2].map((nowSeconds) => answerQuery(zones, withCookie, { ...options, nowSeconds })!);
  expect(early!.equals(late!)).toBe(false);
  const rate = new RateLimiter({ perSecond: 3, slip: 2, seed: 1 });
  const verdicts = Array.from({ length: 7 }, () => {
    const answer = shown(answerQuery(zones, request, { ...options, rate, nowSeconds: 5 }));
    return answer ? (answer.flags.truncated ? `slip ${answer.answer.length}` : 'answer') : 'drop';
  });
  expect(verdicts).toEqual(['answer', 'answer', 'answer', 'drop', 'slip 0', 'drop', 'slip 0']);
});

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  answerQuery,
  DnsError,
  findTsig,
  parseRecord,
  QueryView,
  query,
  RECORD_TYPES,
  type RR,
  readMessage,
  readQuery,
  recordText,
  reply,
  ServedZone,
  signMessage,
  TransferReader,
  tsigKey,
  verifyMessage,
  writeMessage,
  ZoneTable,
} from '../src/index.ts';
import { GOLDEN } from './golden.ts';
import { ORIGIN, zoneSets } from './zone-arbitrary.ts';

/** All of them in `npm run test:long`; a part in `npm test`. */
const PACKETS = process.env.NAMEHOLD_TESTS === 'long' ? 100_000 : 5_000;
const MAX_GROWTH_OCTETS = 200 * 1024 * 1024;

/** A small seeded generator (xorshift32), so that a run can be repeated. */
function chance(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return (state >>> 0) % below;
  };
}

function seeds(): Uint8Array[] {
  const records: RR[] = GOLDEN.map(([type, , , rdata]) => ({
    name: 'www.example.com.',
    type,
    class: 1,
    ttl: 300,
    rdata: Buffer.from(rdata, 'hex'),
  }));
  const list = records.map((record) =>
    writeMessage({
      ...reply(query(1, 'www.example.com.', record.type), 0),
      answer: [record, record],
      authority: [record],
    }),
  );
  list.push(
    signMessage(writeMessage(query(2, ORIGIN, 'AXFR')), tsigKey('k', 'hmac-sha256', 'AAAA'), { timeSeconds: 1 }).octets,
  );
  list.push(
    writeMessage({
      ...query(3, `www.${ORIGIN}`, 'A'),
      edns: {
        udpPayloadOctets: 1232,
        version: 0,
        dnssecOk: true,
        reservedFlags: 0,
        options: [{ code: 10, octets: new Uint8Array(8) }],
      },
    }),
  );
  list.push(writeMessage({ ...reply(query(4, 'x.', 'ANY'), 0), answer: records, additional: records }));
  return list;
}

function broken(seed: Uint8Array, random: (below: number) => number): Uint8Array {
  const octets = Uint8Array.from(seed);
  const changes = 1 + random(6);
  for (let count = 0; count < changes; count++) {
    const at = random(octets.length);
    const kind = random(4);
    if (kind === 0) octets[at] = random(256);
    else if (kind === 1) octets[at]! ^= 1 << random(8);
    else if (kind === 2) octets[at] = 0xc0 | random(4);
    else octets[Math.min(at, 11)] = random(256);
  }
  return random(5) === 0 ? octets.slice(0, random(octets.length + 1)) : octets;
}

/** Runs the function and accepts only errors of this library. */
function guarded(run: () => void): void {
  try {
    run();
  } catch (error) {
    if (!(error instanceof DnsError)) throw error;
  }
}

describe('invalid packets', () => {
  it(`cause no crash, no hang and bounded memory in ${PACKETS} variants`, () => {
    const random = chance(4711);
    const table = new ZoneTable();
    table.put(new ServedZone(ORIGIN, fc.sample(zoneSets, { seed: 1, numRuns: 1 })[0]!));
    const key = tsigKey('k', 'hmac-sha256', 'AAAA');
    const list = seeds();
    const request = query(1, 'www.example.com.', 'AXFR');
    const before = process.memoryUsage().rss;
    let readable = 0;
    for (let count = 0; count < PACKETS; count++) {
      const octets = broken(list[random(list.length)]!, random);
      answerQuery(table, octets, { transport: 'udp' });
      readQuery(octets, new QueryView());
      verifyMessage(octets, () => key, { nowSeconds: 1 });
      guarded(() => findTsig(octets));
      guarded(() => {
        const message = readMessage(octets);
        readable++;
        for (const record of [...message.answer, ...message.authority, ...message.additional]) {
          if (record.rdata.length > 0) recordText(record.type, record.rdata);
        }
        writeMessage(message);
        new TransferReader(request, 1).add(message);
      });
    }
    expect(readable).toBeGreaterThan(PACKETS / 100);
    expect(process.memoryUsage().rss - before).toBeLessThan(MAX_GROWTH_OCTETS);
  }, 1_800_000);

  it('reads or refuses random octets as rdata of every type', () => {
    const random = chance(99);
    for (const type of Object.keys(RECORD_TYPES)) {
      for (let count = 0; count < 300; count++) {
        const octets = Uint8Array.from({ length: random(60) }, () => random(256));
        guarded(() => {
          const text = recordText(type, octets);
          expect(text).not.toMatch(/[\n\r]/);
        });
      }
    }
  });

  it('reads or refuses random words as text of every type', () => {
    const words = [
      '0',
      '1',
      '65536',
      'a.',
      '"x"',
      '.',
      '@',
      '\\#',
      'h2',
      'alpn=',
      '::1',
      '1.2.3.4',
      'AB==',
      '-',
      '\\',
      '\\999',
      '"',
      '(',
      ')',
      'N',
      'E',
      '1m',
      '!1:1.1.1.1/8',
      'mandatory=alpn',
    ];
    const random = chance(7);
    for (const type of [...Object.keys(RECORD_TYPES), 'TYPE65280']) {
      for (let count = 0; count < 500; count++) {
        const text = Array.from({ length: random(9) }, () => words[random(words.length)]).join(' ');
        guarded(() => parseRecord(type, text, { origin: ORIGIN }));
      }
    }
  });

  it('reads names that are expensive to read in linear time', () => {
    // 2,000 answers whose names are chains of pointers into one long name.
    const long = `${'a.'.repeat(120)}`;
    const record: RR = { name: long, type: 'NS', class: 1, ttl: 0, rdata: parseRecord('NS', 'b.').wire };
    const octets = writeMessage({ ...reply(query(1, long, 'NS'), 0), answer: new Array(2_000).fill(record) });
    expect(readMessage(octets).answer.length).toBe(2_000);
  });
});

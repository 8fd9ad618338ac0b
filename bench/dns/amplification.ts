import {
  answerQuery,
  makeCookie,
  plainEdns,
  query,
  RateLimiter,
  readZoneFile,
  ServedZone,
  writeMessage,
  ZoneTable,
} from '@namehold/dns';
import { printTable } from './table.ts';

const FLOOD_PER_SECOND = 1_000;
const FLOOD_SECONDS = 10;
/** The default settings. */
const RATE = { perSecond: 50, slip: 2, seed: 1 };
const address = '198.51.100.7';
const cookies = { secrets: [new Uint8Array(16)] };

/** A zone with large answers: texts and keys that fill an answer to the last octet allowed over UDP. */
const zoneText = `$TTL 300
@ SOA ns1.example.net. hostmaster.example.net. 1 7200 3600 1209600 300
@ NS ns1.example.net.
@ TXT ${Array.from({ length: 4 }, (_, n) => `"${'x'.repeat(240)}${n}"`).join(' ')}
@ DNSKEY 257 3 8 ${Buffer.alloc(516, 7).toString('base64')}
@ DNSKEY 256 3 8 ${Buffer.alloc(516, 9).toString('base64')}
many A ${Array.from({ length: 60 }, (_, n) => `192.0.2.${n + 1}`).join('\nmany A ')}
`;

/** Bytes of answers per byte of queries: one answer alone, and a flood in one victim's name under the default limits. */
export function measureAmplification(): void {
  const zones = new ZoneTable();
  zones.put(new ServedZone('example.', readZoneFile(zoneText, { origin: 'example.' }).rrsets));
  const rows: (string | number)[][] = [
    ['question', 'octets', 'answer', 'ratio', 'flood without cookie', 'flood, limits off', 'with our cookie'],
  ];
  for (const [name, type] of [
    ['example.', 'ANY'],
    ['example.', 'TXT'],
    ['example.', 'DNSKEY'],
    ['many.example.', 'A'],
    ['no.example.', 'A'],
    ['elsewhere.', 'A'],
  ] as const) {
    const plain = writeMessage({ ...query(1, name, type), edns: { ...plainEdns(), udpPayloadOctets: 4_096 } });
    const own = makeCookie(cookies, new Uint8Array(8), address, 1);
    const known = writeMessage({
      ...query(1, name, type),
      edns: { ...plainEdns(), udpPayloadOctets: 4_096, options: [{ code: 10, octets: own }] },
    });
    const single = answerQuery(zones, plain, { transport: 'udp' })!;
    rows.push([
      `${name} ${type}`,
      plain.length,
      `${single.length}${single[2]! & 2 ? ' (TC)' : ''}`,
      (single.length / plain.length).toFixed(1),
      flood(zones, plain, new RateLimiter(RATE)).toFixed(2),
      flood(zones, plain, undefined).toFixed(2),
      flood(zones, known, new RateLimiter(RATE)).toFixed(2),
    ]);
  }
  printTable(
    `amplification: bytes out per byte in; floods of ${FLOOD_PER_SECOND} queries a second for ${FLOOD_SECONDS} s from one network`,
    rows,
  );
}

function flood(zones: ZoneTable, request: Uint8Array, rate: RateLimiter | undefined): number {
  let [taken, given] = [0, 0];
  for (let n = 0; n < FLOOD_PER_SECOND * FLOOD_SECONDS; n++) {
    const nowSeconds = 1 + Math.floor(n / FLOOD_PER_SECOND);
    const options = { transport: 'udp', address, cookies, nowSeconds } as const;
    taken += request.length;
    given += answerQuery(zones, request, rate ? { ...options, rate } : options)?.length ?? 0;
  }
  return given / taken;
}

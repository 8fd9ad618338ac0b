import { describe, expect, it } from 'vitest';
import { parseRecord, RECORD_TYPES, recordText, recordType } from '../src/index.ts';
import { bindCompile, kzonecheck, ldnsReadZone } from './debian-tools.ts';
import { GOLDEN } from './golden.ts';

const HEAD = '$ORIGIN example.com.\n$TTL 300\n@ IN SOA ns1 h 1 2 3 4 5\n@ NS ns1.example.net.\nns1 A 192.0.2.9\n';
const hex = (octets: Uint8Array) => Buffer.from(octets).toString('hex');

describe('golden vectors', () => {
  it.each(GOLDEN)('%s %s matches its octets', (type, text, canonical, rdata) => {
    const record = parseRecord(type, text, { origin: 'example.com.' });
    expect(record.text).toBe(canonical);
    expect(hex(record.wire)).toBe(rdata);
    expect(recordText(type, record.wire)).toBe(canonical);
    expect(hex(parseRecord(type, canonical).wire)).toBe(rdata);
  });

  it('cover every type with a codec', () => {
    const covered = new Set(GOLDEN.map(([type]) => type));
    expect(Object.keys(RECORD_TYPES).filter((type) => !covered.has(type))).toEqual([]);
    for (const [type, codec] of Object.entries(RECORD_TYPES)) expect(recordType(type).code).toBe(codec.code);
  });

  it('give the same octets as BIND, from the original and from our canonical text', async () => {
    for (const column of [1, 2] as const) {
      const zone =
        HEAD + GOLDEN.map((row, at) => (row[0] === 'SOA' ? '' : `r${at} IN ${row[0]} ${row[column]}\n`)).join('');
      const seen = new Map((await bindCompile('example.com', zone)).map((set) => [set.owner, set.rdata[0]]));
      GOLDEN.forEach(([type, , , rdata], at) => {
        const label = `r${at}`;
        const owner = Buffer.from(`${String.fromCharCode(label.length)}${label}\u0007example\u0003com\u0000`).toString(
          'hex',
        );
        if (type !== 'SOA') expect(seen.get(owner), `${type} ${at}`).toBe(rdata);
      });
    }
  });

  it('are read by Knot and ldns from our canonical text', async () => {
    const zone =
      HEAD + GOLDEN.map(([type, , text], at) => (type === 'SOA' ? '' : `r${at} IN ${type} ${text}\n`)).join('');
    expect(await kzonecheck('example.com', zone)).toMatchObject({ ok: true });
    expect(await ldnsReadZone(zone)).toMatchObject({ ok: true });
  });
});

import { mkdtempSync, readFileSync, rmSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buildRRset } from '@namehold/dns';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type FeedEntry, openEntry, packEntry } from '../../src/nameservers/responder/zone-feed.ts';
import { ZoneLog } from '../../src/nameservers/responder/zone-log.ts';

let folder: string;
let path: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'namehold-zone-log-'));
  path = join(folder, 'zones');
});

afterEach(() => rmSync(folder, { recursive: true, force: true }));

const set = (name: string, type: string, records: string[]) =>
  buildRRset({ name, type, ttl: 300, records }, { origin: 'a.test.' }).rrset;

function zone(id: string, serial: number, text = 'x'): Buffer {
  const rrsets = [set('@', 'SOA', [`a. b. ${serial} 7200 3600 1209600 300`]), set('www', 'TXT', [text])];
  return packEntry({ kind: 'zone', id, name: `z${id}.test.`, serial, rrsets });
}

const complete = packEntry({ kind: 'complete' });

/** The state after a start: the last serial of each zone, and whether it is complete. */
async function found() {
  const log = new ZoneLog(path);
  const serials: Record<string, number> = {};
  const { damaged, isComplete } = await log.read(async (octets) => {
    const entry = openEntry(octets);
    if (entry.kind === 'remove') delete serials[entry.id];
    else if (entry.kind !== 'complete') serials[entry.id] = entry.serial;
  });
  await log.close();
  return { serials, damaged, isComplete };
}

async function write(...entries: Buffer[]): Promise<void> {
  const log = new ZoneLog(path);
  await log.read(async () => undefined);
  await log.append(entries);
  await log.close();
}

test('reads entries as they were written', () => {
  const rrsets = [set('mail', 'MX', ['10 a.test.', '20 b.test.']), set('_sip._tcp', 'SRV', ['1 2 3 a.test.'])];
  const entry: FeedEntry = {
    kind: 'edit',
    id: '7',
    serial: 4_294_967_295,
    rrsets,
    removed: [{ name: 'x.', type: 'A' }],
  };
  const read = openEntry(packEntry(entry));
  const plain = rrsets.map(({ name, type, ttl, records }) => ({
    name,
    type,
    ttl,
    wires: records.map((r) => [...r.wire]),
  }));
  const back = [...read.rrsets()].map(({ name, type, ttl, records }) => ({
    name,
    type,
    ttl,
    wires: records.map((r) => [...r.wire]),
  }));
  expect([read.kind, read.id, read.serial, back, [...read.removed()]]).toEqual([
    'edit',
    '7',
    4_294_967_295,
    plain,
    entry.removed,
  ]);
});

test('reads the zones after a restart', async () => {
  expect(await found()).toEqual({ serials: {}, damaged: 0, isComplete: false });
  await write(zone('1', 1), zone('2', 1), complete);
  await write(zone('1', 2), packEntry({ kind: 'remove', id: '2' }), zone('3', 9));
  expect(await found()).toEqual({ serials: { 1: 2, 3: 9 }, damaged: 0, isComplete: true });
});

test('detects an entry truncated at any length and keeps all entries before it', async () => {
  await write(zone('1', 1), complete);
  const before = statSync(path).size;
  await write(zone('2', 1));
  const whole = readFileSync(path);
  for (let size = before + 1; size < whole.length; size += 7) {
    writeFileSync(path, whole);
    truncateSync(path, size);
    expect(await found(), `cut at ${size}`).toEqual({ serials: { 1: 1 }, damaged: 1, isComplete: false });
    // The damaged end was removed, and the zone can be written again.
    await write(zone('2', 1), complete);
    expect((await found()).serials).toEqual({ 1: 1, 2: 1 });
  }
});

test('loses only the zone of a damaged entry in the middle', async () => {
  await write(zone('1', 1), zone('2', 1, 'to be damaged'), zone('3', 1), complete);
  const octets = readFileSync(path);
  octets[octets.indexOf('to be damaged') + 3]! ^= 0x40;
  writeFileSync(path, octets);
  const { serials, damaged, isComplete } = await found();
  expect([serials, damaged > 0, isComplete]).toEqual([{ 1: 1, 3: 1 }, true, false]);
});

test('detects any changed byte and returns no damaged entry', async () => {
  await write(zone('1', 1), zone('2', 1), complete);
  const whole = readFileSync(path);
  for (let at = 0; at < whole.length; at += 5) {
    const octets = Buffer.from(whole);
    octets[at]! ^= 0xff;
    writeFileSync(path, octets);
    const { serials, isComplete } = await found();
    expect(isComplete, `octet ${at}`).toBe(false);
    for (const serial of Object.values(serials)) expect(serial).toBe(1);
  }
});

test('compacts a log that consists mostly of outdated entries', async () => {
  const log = new ZoneLog(path, 2_000);
  await log.read(async () => undefined);
  await log.append([zone('1', 1), complete]);
  for (let round = 1; round <= 200; round++) await log.append([zone('2', round)]);
  await log.close();
  expect(statSync(path).size).toBeLessThan(3_000);
  expect(await found()).toEqual({ serials: { 1: 1, 2: 200 }, damaged: 0, isComplete: true });
});

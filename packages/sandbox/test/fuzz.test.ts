import { seededRandom } from '@namehold/base';
import { ALL_NAMESPACES, encodeFrame, writeCommand } from '@namehold/epp';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { newContact, newDomain } from './support/objects.ts';
import { codeOf, openSession, type RawClient } from './support/raw.ts';
import { startTestRegistry, type TestRegistry } from './support/sandbox.ts';

let registry: TestRegistry;
beforeAll(async () => {
  registry = await startTestRegistry();
});
afterAll(() => registry.close());

const random = seededRandom(4_711);
const upTo = (limit: number) => Math.floor(random() * limit);

const sane = [
  writeCommand({ object: 'domain', verb: 'check', names: ['a-name.org'] }, 'FUZZ-1', ALL_NAMESPACES),
  writeCommand(newDomain('fuzzed-name.org', 'nobody-here'), 'FUZZ-2', ALL_NAMESPACES),
  writeCommand(newContact('fuzzed-contact'), 'FUZZ-3', ALL_NAMESPACES),
  writeCommand(
    { object: 'domain', verb: 'renew', name: 'a-name.org', curExpDate: '2027-01-01' },
    'FUZZ-4',
    ALL_NAMESPACES,
  ),
  writeCommand({ object: 'poll', verb: 'ack', msgID: '12' }, 'FUZZ-5', ALL_NAMESPACES),
].map((xml) => Buffer.from(xml));

/** One way to break a valid frame. */
const breakers: ((frame: Buffer) => Buffer)[] = [
  (frame) => {
    const copy = Buffer.from(frame);
    for (let hits = 1 + upTo(8); hits > 0; hits--) copy[upTo(copy.length)] = upTo(256);
    return encodeFrame(copy);
  },
  (frame) => encodeFrame(frame.subarray(0, 1 + upTo(frame.length - 1))),
  (frame) => encodeFrame(Buffer.concat([frame.subarray(0, upTo(frame.length)), frame.subarray(upTo(frame.length))])),
  (frame) => {
    const length = encodeFrame(frame);
    length.writeUInt32BE(upTo(0xffff_ffff), 0);
    return length;
  },
  (frame) => encodeFrame(frame.toString().replace(/<[^>]+>/g, (tag) => (random() < 0.1 ? '' : tag)) || 'x'),
  (frame) =>
    encodeFrame(
      frame.toString().replace(/>([^<]+)</g, (whole) => (random() < 0.3 ? `>${'A'.repeat(upTo(5_000))}<` : whole)),
    ),
  (frame) => encodeFrame(`<!DOCTYPE x [<!ENTITY e "${'e'.repeat(upTo(100))}">]>${frame.toString()}`),
  (frame) =>
    encodeFrame(frame.toString().replace(/urn:ietf:params:xml:ns:\w+/g, (ns) => (random() < 0.3 ? 'urn:none' : ns))),
  () => encodeFrame(Buffer.from(Array.from({ length: 1 + upTo(400) }, () => upTo(256)))),
  () => encodeFrame(`<a>`.repeat(1 + upTo(2_000))),
];

test('answers or ends hundreds of invalid frames over TLS, and keeps running', async () => {
  const frames = 600;
  const before = process.memoryUsage().rss;
  let raw: RawClient | undefined;
  const seen = new Map<string, number>();
  for (let at = 0; at < frames; at++) {
    raw ??= await openSession(registry.sandbox);
    const frame = (breakers[at % breakers.length] as (typeof breakers)[number])(sane[upTo(sane.length)] as Buffer);
    raw.bytes(frame);
    // A frame shorter than its stated length makes the registry wait; more bytes or an end resolve it.
    const claimed = frame.readUInt32BE(0);
    if (claimed > frame.length) {
      raw.close();
      await raw.closed();
      raw = undefined;
      continue;
    }
    const answer = await raw.frame();
    const code = answer === undefined ? 'closed' : (/code="(\d{4})"/.exec(answer)?.[1] ?? 'greeting');
    seen.set(code, (seen.get(code) ?? 0) + 1);
    expect(code).not.toBe('2400');
    if (answer === undefined || raw.socket.readableEnded) {
      raw.close();
      raw = undefined;
    }
  }
  raw?.close();
  const alive = await openSession(registry.sandbox);
  expect(codeOf(await alive.send({ object: 'poll', verb: 'request' }))).toBe(1300);
  alive.close();
  expect(seen.get('2001')).toBeGreaterThan(100);
  expect(process.memoryUsage().rss - before).toBeLessThan(200 * 1024 * 1024);
});

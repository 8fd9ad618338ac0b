import { createSocket, type Socket } from 'node:dgram';
import { once } from 'node:events';
import { buildRRset, query, readMessage, ServedZone, writeMessage, ZoneTable } from '@namehold/dns';
import { afterAll, expect, test } from 'vitest';
import { plainAnswering } from '../../../../test/nameservers/support/answering.ts';
import { summary } from '../../../../test/nameservers/support/ask.ts';
import { startResponder } from '../../src/nameservers/responder.ts';
import { UdpBatch } from '../../src/nameservers/sockets/udp-batch.ts';

const origin = 'example.com.';
const NAMES = 150;
const set = (name: string, type: string, records: string[]) =>
  buildRRset({ name, type, ttl: 300, records }, { origin }).rrset;
const zones = new ZoneTable();
zones.put(
  new ServedZone(origin, [
    set('@', 'SOA', ['ns1.example.net. hostmaster.example.com. 7 86400 7200 1209600 3600']),
    ...Array.from({ length: NAMES }, (_, n) => set(`h${n}`, 'A', [`192.0.2.${n}`])),
    ...Array.from({ length: NAMES }, (_, n) => set(`h${n}`, 'TXT', [`${'x'.repeat(n)}`])),
  ]),
);
const closing: (() => unknown)[] = [];
afterAll(async () => {
  for (const close of closing) await close();
});

async function responder(host: string, more: Partial<typeof plainAnswering> = {}) {
  const errors: unknown[] = [];
  const opened = await startResponder({
    host,
    port: 0,
    zones,
    answering: { ...plainAnswering, ...more },
    cookies: { secrets: [new Uint8Array(16)] },
    onError: (error) => errors.push(error),
  });
  closing.push(() => opened.close());
  return { host, port: opened.port, errors };
}

async function client(host: string): Promise<Socket> {
  const socket = createSocket({
    type: host.includes(':') ? 'udp6' : 'udp4',
    recvBufferSize: 4 * 1024 * 1024,
    lookup: (address, _options, found) => found(null, address, host.includes(':') ? 6 : 4),
  });
  await new Promise<void>((resolve) => socket.bind(0, host, resolve));
  closing.push(() => socket.close());
  return socket;
}

/**
 * Sends a burst in one tick of this thread, which also runs the responder, so that all wait together. A larger burst would exceed the
 * socket buffer without batches.
 */
async function burst(
  at: { host: string; port: number },
  sockets: readonly Socket[],
  requests: readonly Uint8Array[],
  atOnce: number,
) {
  const received = sockets.map(() => new Map<number, Buffer>());
  for (const [index, socket] of sockets.entries())
    socket.on('message', (answer) => received[index]!.set(answer.readUInt16BE(0), answer));
  for (let from = 0; from < requests.length; from += atOnce) {
    for (const request of requests.slice(from, from + atOnce))
      for (const socket of sockets) socket.send(request, at.port, at.host);
    // Repeats one more query until its response comes: all before it were answered or dropped by then.
    const last = 50_000 + from;
    const end = writeMessage(query(last, 'h1.example.com.', 'A'));
    for (let waited = 0; !received.every((answers) => answers.has(last)); waited += 20) {
      if (waited > 300_000) throw new Error(`query ${last} is not answered`);
      for (const socket of sockets) socket.send(end, at.port, at.host);
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  }
  for (const socket of sockets) socket.removeAllListeners('message');
  for (const answers of received) for (const id of answers.keys()) if (id >= 50_000) answers.delete(id);
  return received;
}

for (const host of ['127.0.0.1', '::1']) {
  test(`${host}: answers queries received in a batch like single queries`, async () => {
    const requests = Array.from({ length: NAMES * 2 }, (_, n) =>
      writeMessage(query(n, `h${n % NAMES}.example.com.`, n < NAMES ? 'A' : 'TXT')),
    );
    // Queries without a response leave gaps, and one is longer than any query.
    requests.splice(40, 0, new Uint8Array(5), Uint8Array.of(0, 1, 0x80, 0, 0, 0, 0, 0, 0, 0, 0, 0));
    requests.splice(90, 0, Buffer.concat([writeMessage(query(40_000, 'h5.example.com.', 'A')), Buffer.alloc(8_000)]));
    const [together, alone] = [await responder(host), await responder(host, { batches: false })];
    const sockets = [await client(host), await client(host)];
    const found = await burst(together, sockets, requests, requests.length);
    const expected = await burst(alone, sockets, requests, 20);
    const shown = (answers: Map<number, Buffer>) =>
      [...answers].sort(([a], [b]) => a - b).map(([id, answer]) => `${id} ${summary(readMessage(answer))}`);
    expect(found.map((answers) => answers.size)).toEqual([NAMES * 2 + 1, NAMES * 2 + 1]);
    expect(found.map(shown)).toEqual(expected.map(shown));
    expect([...together.errors, ...alone.errors]).toEqual([]);
  });
}

test('applies the response rate limit to batches', async () => {
  const at = await responder('127.0.0.1', { ratePerSecond: 20, rateSlip: 0 });
  const socket = await client('127.0.0.1');
  let answered = 0;
  socket.on('message', () => answered++);
  const began = Math.floor(Date.now() / 1_000);
  for (let id = 0; id < 200; id++) socket.send(writeMessage(query(id, 'h1.example.com.', 'A')), at.port, at.host);
  // Errors have a count of their own, and are sent after them.
  socket.send(writeMessage(query(300, 'elsewhere.example.', 'A')), at.port, at.host);
  await new Promise<void>((resolve) => socket.on('message', (answer) => answer.readUInt16BE(0) === 300 && resolve()));
  const seconds = Math.floor(Date.now() / 1_000) - began + 1;
  expect(answered).toBeGreaterThan(0);
  expect(answered).toBeLessThanOrEqual(20 * seconds + 1);
});

test('reports a port in use, with batches enabled and disabled', async () => {
  const { port } = await responder('127.0.0.1');
  expect(await UdpBatch.open('127.0.0.1', port, false)).toBeUndefined();
  const stranger = createSocket({ type: 'udp4', reuseAddr: true });
  stranger.bind(port, '127.0.0.1');
  const [error] = await once(stranger, 'error');
  expect((error as NodeJS.ErrnoException).code).toBe('EADDRINUSE');
});

import { createSocket } from 'node:dgram';
import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { seededRandom } from '@namehold/base';
import { buildRRset, query, RCODE, readMessage, ServedZone, writeMessage, ZoneTable } from '@namehold/dns';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { plainAnswering } from '../../../../test/nameservers/support/answering.ts';
import { askUdp, summary, talkTcp } from '../../../../test/nameservers/support/ask.ts';
import { startResponder } from '../../src/nameservers/responder.ts';
import type { Endpoint } from '../../src/nameservers/sockets/endpoint.ts';

const origin = 'example.com.';
const set = (name: string, type: string, records: string[]) =>
  buildRRset({ name, type, ttl: 300, records }, { origin }).rrset;

let responder: Endpoint;
let at: { address: string; port: number };
let isComplete = true;
const errors: unknown[] = [];

beforeAll(async () => {
  const zones = new ZoneTable();
  zones.put(
    new ServedZone(origin, [
      set('@', 'SOA', ['ns1.example.net. hostmaster.example.com. 7 86400 7200 1209600 3600']),
      set('@', 'NS', ['ns1.example.net.', 'ns2.example.net.']),
      set('www', 'A', ['192.0.2.1']),
      set(
        'many',
        'TXT',
        Array.from({ length: 60 }, (_, n) => `a rather long text that fills the message ${n}`),
      ),
    ]),
  );
  responder = await startResponder({
    host: '127.0.0.1',
    port: 0,
    zones,
    isComplete: () => isComplete,
    answering: { ...plainAnswering, tcpConnections: 8, tcpConnectionsPerAddress: 8, tcpIdleMs: 300, tcpQuestions: 250 },
    cookies: { secrets: [new Uint8Array(16)] },
    onError: (error) => errors.push(error),
  });
  at = { address: '127.0.0.1', port: responder.port };
});

afterAll(() => responder.close());

test('answers with the same records over UDP and TCP on one port', async () => {
  const overUdp = await askUdp(at, 'www.example.com.', 'A');
  const [overTcp] = await talkTcp(at, [writeMessage(query(7, 'www.example.com.', 'A'))], 1);
  expect(summary(overUdp!)).toBe('rcode 0 aa true\nwww.example.com. 300 A 192.0.2.1');
  expect(summary(readMessage(overTcp!))).toBe(summary(overUdp!));
});

test('truncates a long response over UDP and sends it complete over TCP', async () => {
  const overUdp = await askUdp(at, 'many.example.com.', 'TXT');
  expect([overUdp!.flags.truncated, overUdp!.answer.length]).toEqual([true, 0]);
  const [overTcp] = await talkTcp(at, [writeMessage(query(7, 'many.example.com.', 'TXT'))], 1);
  expect(readMessage(overTcp!).answer).toHaveLength(60);
});

test('answers all queries of one connection in order', async () => {
  const requests = Array.from({ length: 200 }, (_, id) => writeMessage(query(id, 'www.example.com.', 'A')));
  const answers = await talkTcp(at, requests, 200);
  expect(answers.map((answer) => readMessage(answer).id)).toEqual(requests.map((_, id) => id));
});

test('closes a connection after the maximum number of queries', async () => {
  const requests = Array.from({ length: 300 }, (_, id) => writeMessage(query(id, 'www.example.com.', 'A')));
  expect(await talkTcp(at, requests, 300)).toHaveLength(250);
});

test('refuses zone transfers and queries for zones that it does not serve', async () => {
  const [axfr] = await talkTcp(at, [writeMessage(query(1, origin, 'AXFR'))], 1);
  expect(readMessage(axfr!).rcode).toBe(RCODE.REFUSED);
  expect((await askUdp(at, 'example.org.', 'A'))!.rcode).toBe(RCODE.REFUSED);
});

test('returns SERVFAIL for unknown zones while it is loading', async () => {
  isComplete = false;
  expect((await askUdp(at, 'example.org.', 'A'))!.rcode).toBe(RCODE.SERVFAIL);
  expect((await askUdp(at, 'www.example.com.', 'A'))!.rcode).toBe(RCODE.NOERROR);
  isComplete = true;
});

test('keeps answering after invalid messages over UDP and TCP', async () => {
  const random = seededRandom(5);
  const garbage = () =>
    Buffer.from(Array.from({ length: Math.floor(random() * 80) }, () => Math.floor(random() * 256)));
  const socket = createSocket('udp4');
  for (let n = 0; n < 500; n++) {
    await new Promise((sent) => socket.send(garbage(), at.port, at.address, sent));
  }
  socket.close();
  for (let n = 0; n < 20; n++) {
    const client = connect(at.port, at.address).on('error', () => undefined);
    client.end(garbage());
    await new Promise((closed) => client.once('close', closed).resume());
  }
  expect((await askUdp(at, 'www.example.com.', 'A'))!.rcode).toBe(RCODE.NOERROR);
  expect(errors).toEqual([]);
});

test('closes idle connections, and the longest idle connection above the limit', async () => {
  const clients = Array.from({ length: 12 }, () => connect(at.port, at.address).on('error', () => undefined));
  await Promise.all(clients.map((client) => new Promise((open) => client.once('connect', open))));
  const [answer] = await talkTcp(at, [writeMessage(query(9, 'www.example.com.', 'A'))], 1);
  expect(readMessage(answer!).id).toBe(9);
  expect(responder.connectionCount()).toBeLessThanOrEqual(8);
  await Promise.all(
    clients.map((client) => (client.closed ? undefined : new Promise((c) => client.once('close', c).resume()))),
  );
  await expect.poll(() => responder.connectionCount()).toBe(0);
});

test('leaves the TCP connections of others open when the networks of one site open many', async () => {
  const own = await startResponder({
    host: '127.0.0.1',
    port: 0,
    zones: new ZoneTable(),
    isComplete: () => true,
    answering: {
      ...plainAnswering,
      tcpConnections: 16,
      tcpConnectionsPerAddress: 2,
      tcpIdleMs: 60_000,
      tcpQuestions: 250,
    },
    cookies: { secrets: [new Uint8Array(16)] },
    onError: (error) => errors.push(error),
  });
  const open = (localAddress: string) => {
    const socket = connect({ host: '127.0.0.1', port: own.port, localAddress }).on('error', () => undefined);
    return { socket, opened: new Promise((resolve) => socket.once('connect', resolve)) };
  };
  const quiet = open('127.0.9.1');
  await quiet.opened;
  const many = Array.from({ length: 30 }, (_, n) => open(`127.0.8.${1 + (n % 15)}`));
  for (const { socket } of many) socket.resume();
  await Promise.all(many.map(({ opened }) => opened));
  await expect.poll(() => many.filter(({ socket }) => !socket.closed).length).toBe(4);
  const closed = new Promise((resolve) => quiet.socket.resume().once('close', () => resolve('closed')));
  expect(await Promise.race([closed, sleep(200)])).not.toBe('closed');
  for (const { socket } of [quiet, ...many]) socket.destroy();
  await own.close();
});

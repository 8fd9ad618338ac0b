import { execFile, spawn } from 'node:child_process';
import { createSocket } from 'node:dgram';
import { mkdirSync, writeFileSync } from 'node:fs';
import { createConnection, createServer, type Socket } from 'node:net';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { freePort } from '../../../test/support/ports.ts';
import { requireTool } from './debian-tools.ts';

const ANSWER_TIMEOUT_MS = 10_000;
const START_TIMEOUT_MS = 300_000;

/** One question and one answer over UDP. */
export function askUdp(port: number, request: Uint8Array): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const socket = createSocket('udp4');
    const timer = setTimeout(() => {
      socket.close();
      reject(new Error('no answer'));
    }, ANSWER_TIMEOUT_MS);
    socket.on('message', (answer) => {
      clearTimeout(timer);
      socket.close();
      resolve(answer);
    });
    socket.send(request, port, '127.0.0.1');
  });
}

/** Takes the messages out of a TCP stream. */
function onMessages(socket: Socket, take: (message: Buffer) => void): void {
  let held: Buffer = Buffer.alloc(0);
  socket.on('data', (chunk: Buffer) => {
    held = Buffer.concat([held, chunk]);
    while (held.length >= 2 && held.length >= 2 + held.readUInt16BE(0)) {
      const end = 2 + held.readUInt16BE(0);
      take(Buffer.from(held.subarray(2, end)));
      held = held.subarray(end);
    }
  });
}

function framed(message: Uint8Array): Buffer {
  return Buffer.concat([Uint8Array.of(message.length >> 8, message.length & 0xff), message]);
}

/** Sends a request over TCP and reads answers until `take` returns true. */
export function askTcp(port: number, request: Uint8Array, take: (message: Buffer) => boolean): Promise<void> {
  return new Promise((resolve, reject) => {
    const socket = createConnection(port, '127.0.0.1', () => socket.write(framed(request)));
    socket.setTimeout(ANSWER_TIMEOUT_MS, () => socket.destroy(new Error('no answer')));
    socket.on('error', reject);
    socket.on('close', () => reject(new Error('closed before the end')));
    onMessages(socket, (message) => {
      try {
        if (!take(message)) return;
        resolve();
      } catch (error) {
        reject(error as Error);
      }
      socket.destroy();
    });
  });
}

export interface Listening {
  readonly port: number;
  close(): Promise<void>;
}

/** A server on loopback, UDP and TCP on one port, that returns the result of `answer`. */
export async function serve(
  answer: (request: Buffer, transport: 'udp' | 'tcp') => Iterable<Uint8Array>,
): Promise<Listening> {
  const tcp = createServer((socket) => {
    socket.on('error', () => socket.destroy());
    onMessages(socket, (request) => {
      for (const message of answer(request, 'tcp')) socket.write(framed(message));
    });
  });
  await new Promise<void>((resolve) => tcp.listen(0, '127.0.0.1', resolve));
  const port = (tcp.address() as { port: number }).port;
  const udp = createSocket('udp4');
  udp.on('message', (request, peer) => {
    for (const message of answer(request, 'udp')) udp.send(message, peer.port, peer.address);
  });
  await new Promise<void>((resolve) => udp.bind(port, '127.0.0.1', resolve));
  return {
    port,
    close: async () => {
      udp.close();
      await new Promise((resolve) => tcp.close(resolve));
    },
  };
}

/** Runs a client program and returns its output, whatever its exit code. */
export function client(command: string, args: readonly string[]): Promise<string> {
  requireTool(command);
  return new Promise((resolve) => {
    execFile(command, [...args], { timeout: 300_000, maxBuffer: 64 * 1024 * 1024 }, (_error, stdout, stderr) =>
      resolve(stdout + stderr),
    );
  });
}

interface KnotKey {
  readonly name: string;
  readonly algorithm: string;
  readonly secretBase64: string;
}

/** A real nameserver with these zone files. */
export async function startKnot(
  folder: string,
  zones: Readonly<Record<string, string>>,
  key?: KnotKey,
): Promise<Listening> {
  requireTool('knotd');
  const port = await freePort();
  mkdirSync(join(folder, 'zones'), { recursive: true });
  for (const [origin, text] of Object.entries(zones)) writeFileSync(join(folder, 'zones', `${origin}zone`), text);
  const keyPart = key
    ? `key:\n  - id: ${key.name}\n    algorithm: ${key.algorithm}\n    secret: ${key.secretBase64}\n`
    : '';
  const aclPart = key ? `acl:\n  - id: xfr\n    key: ${key.name}\n    action: transfer\n` : '';
  const zonePart = Object.keys(zones).map(
    (origin) => `  - domain: ${origin}\n    file: ${origin}zone\n${key ? '    acl: xfr\n' : ''}`,
  );
  const user = process.getuid?.() === 0 ? '    user: root\n' : '';
  const config = `server:\n    rundir: ${folder}\n    listen: 127.0.0.1@${port}\n${user}database:\n    storage: ${folder}\n${keyPart}${aclPart}template:\n  - id: default\n    storage: ${folder}/zones\nzone:\n${zonePart.join('')}`;
  writeFileSync(join(folder, 'knot.conf'), config);
  const server = spawn('knotd', ['-c', join(folder, 'knot.conf')], { stdio: 'ignore' });
  const ended = new Promise((resolve) => server.on('exit', resolve));
  const close = async () => {
    server.kill('SIGTERM');
    await ended;
  };
  const origins = Object.keys(zones);
  try {
    await untilLoaded(port, origins);
  } catch (error) {
    await close();
    throw error;
  }
  return { port, close };
}

async function untilLoaded(port: number, origins: readonly string[]): Promise<void> {
  for (let waitedMs = 0; waitedMs < START_TIMEOUT_MS; waitedMs += 100) {
    const answers = await Promise.all(
      origins.map((origin) =>
        client('kdig', ['@127.0.0.1', '-p', String(port), origin, 'SOA', '+short', '+time=1', '+retry=0']),
      ),
    );
    if (answers.every((text) => /^\S+\. \S+\. \d+/.test(text))) return;
    await pause(100);
  }
  throw new Error('knotd did not load the zones');
}

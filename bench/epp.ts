import { connect, createServer, type TLSSocket } from 'node:tls';
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads';
import {
  ALL_NAMESPACES,
  CAUTIOUS_PROFILE,
  createEppPool,
  encodeFrame,
  FrameDecoder,
  loadSchemas,
  parseXml,
  type RegistryProfile,
  type ResponseSpec,
  readCommand,
  readResponse,
  writeCommand,
  writeResponse,
} from '@namehold/epp';
import { createEppServer } from '@namehold/epp/server';
import { testAuthority } from '../packages/epp/test/support/certificates.ts';

/**
 * What our EPP client costs: commands a second over 1, 2 and 4 connections against a server that does nothing,
 * as a ratio to a bare TLS echo of the same frame sizes in the same run; and frames written and read a second.
 */

const NS = ALL_NAMESPACES;
const ROUND_MS = 2_000;
/** Node compiles what runs often; a service runs for days, and a round of two seconds would mostly measure that. */
const WARM_COMMANDS = 3_000;
const WARM_LIMIT_MS = 20_000;
const CONNECTIONS = [1, 2, 4];
const SERVER_NAME = 'registry.test';

type Identity = { cert: string; key: string };
type Ports = { eppPort: number; strictPort: number; echoPort: number };

const REQUEST = { object: 'domain', verb: 'info', name: 'example.com' } as const;
const ANSWER: ResponseSpec = {
  results: [{ code: 1000 }],
  data: {
    object: 'domain',
    type: 'infData',
    name: 'example.com',
    roid: 'EXAMPLE1-REP',
    statuses: [{ value: 'ok' }],
    registrant: 'jd1234',
    contacts: [
      { type: 'admin', id: 'sh8013' },
      { type: 'tech', id: 'sh8013' },
    ],
    ns: { model: 'objects', hosts: ['ns1.example.com', 'ns2.example.net'] },
    hosts: ['ns1.example.com'],
    clID: 'ClientX',
    crID: 'ClientX',
    crDate: new Date('2026-01-01T00:00:00Z'),
    exDate: new Date('2027-01-01T00:00:00Z'),
  },
};
const REQUEST_XML = writeCommand(REQUEST, 'NH-00000000-0000-0000-0000-000000000000', NS);
const ANSWER_XML = writeResponse(
  ANSWER,
  { clTRID: 'NH-00000000-0000-0000-0000-000000000000', svTRID: 'SV-00000000-0000-0000-0000-000000000000' },
  NS,
);

async function serve(identity: Identity): Promise<Ports> {
  const schemas = await loadSchemas();
  const options = {
    tls: identity,
    namespaces: NS,
    svID: 'Bench',
    authenticate: async () => ({ kind: 'accepted' }) as const,
    dispatch: async () => ANSWER,
  };
  const answer = encodeFrame(ANSWER_XML);
  const echo = createServer(identity, (socket) => {
    socket.setNoDelay(true);
    const decoder = new FrameDecoder();
    socket.on('error', () => {});
    socket.on('data', (piece: Buffer) => {
      for (const _ of decoder.push(piece)) socket.write(answer);
    });
  });
  const echoPort = await new Promise<number>((resolve) => {
    echo.listen(0, '127.0.0.1', () => {
      const address = echo.address();
      resolve(typeof address === 'object' && address !== null ? address.port : 0);
    });
  });
  return {
    eppPort: await createEppServer(options).listen(0),
    strictPort: await createEppServer({ ...options, validate: schemas.validator }).listen(0),
    echoPort,
  };
}

async function echoRate(port: number, ca: string, connections: number): Promise<number> {
  const request = encodeFrame(REQUEST_XML);
  let rounds = 0;
  const untilMs = performance.now() + ROUND_MS;
  const one = (socket: TLSSocket) =>
    new Promise<void>((resolve) => {
      const decoder = new FrameDecoder();
      socket.on('data', (piece: Buffer) => {
        for (const _ of decoder.push(piece)) {
          rounds += 1;
          if (performance.now() >= untilMs) {
            socket.destroy();
            resolve();
            return;
          }
          socket.write(request);
        }
      });
      socket.once('secureConnect', () => {
        socket.setNoDelay(true);
        socket.write(request);
      });
    });
  const sockets = Array.from({ length: connections }, () =>
    connect({ host: '127.0.0.1', port, ca, servername: SERVER_NAME }),
  );
  await Promise.all(sockets.map(one));
  return rounds / (ROUND_MS / 1000);
}

/** Commands, or echoes, a second, and what the thread of the client has worked for each: the second says the same on a busy machine. */
interface Rate {
  readonly perSecond: number;
  readonly clientMicros: number;
}

async function measured(run: () => Promise<number>): Promise<Rate> {
  const before = process.threadCpuUsage();
  const perSecond = await run();
  const { user, system } = process.threadCpuUsage(before);
  return { perSecond, clientMicros: (user + system) / (perSecond * (ROUND_MS / 1000)) };
}

async function commandRate(port: number, ca: string, connections: number): Promise<Rate> {
  const profile: RegistryProfile = {
    ...CAUTIOUS_PROFILE,
    namespaces: NS,
    limits: { ...CAUTIOUS_PROFILE.limits, sessions: connections, commandsPerSecond: 1e6, maxCommandsPerSession: 1e9 },
  };
  const pool = createEppPool({
    endpoint: { host: '127.0.0.1', port, ca, servername: SERVER_NAME },
    credentials: { clID: 'ClientX', pw: 'secret-1' },
    profile,
  });
  // The money lane may use every connection.
  const send = () => pool.send(REQUEST, { lane: 'money' });
  const sendFor = async (limitMs: number, atMost: number): Promise<number> => {
    let commands = 0;
    const untilMs = performance.now() + limitMs;
    const one = async () => {
      while (performance.now() < untilMs && commands < atMost) {
        const answer = await send();
        if (answer.kind !== 'done') throw new Error(`bench command ended ${answer.kind}`);
        commands += 1;
      }
    };
    await Promise.all(Array.from({ length: connections }, one));
    return commands;
  };
  await sendFor(WARM_LIMIT_MS, WARM_COMMANDS);
  const rate = await measured(async () => (await sendFor(ROUND_MS, Number.POSITIVE_INFINITY)) / (ROUND_MS / 1000));
  await pool.close();
  return rate;
}

function rate(run: () => void): number {
  for (let warm = 0; warm < 500; warm += 1) run();
  let done = 0;
  const startMs = performance.now();
  while (performance.now() - startMs < ROUND_MS / 2) {
    for (let batch = 0; batch < 50; batch += 1) run();
    done += 50;
  }
  return done / ((performance.now() - startMs) / 1000);
}

async function codecRates(): Promise<Record<string, string>[]> {
  const schemas = await loadSchemas();
  const requestBytes = Buffer.from(REQUEST_XML);
  const answerBytes = Buffer.from(ANSWER_XML);
  const rows: [string, () => void][] = [
    ['write request', () => void writeCommand(REQUEST, 'NH-1', NS)],
    ['write answer', () => void writeResponse(ANSWER, { svTRID: 'SV-1' }, NS)],
    ['read request', () => void readCommand(parseXml(requestBytes), NS)],
    ['read answer', () => void readResponse(parseXml(answerBytes), NS)],
    ['validate answer against the schemas', () => void schemas.validator(answerBytes)],
  ];
  return rows.map(([what, run]) => ({ what, 'frames/s': Math.round(rate(run)).toLocaleString('en') }));
}

async function main(): Promise<void> {
  const authority = await testAuthority();
  const { cert, key } = await authority.issue(SERVER_NAME);
  const worker = new Worker(new URL(import.meta.url), { workerData: { cert, key } });
  const ports = await new Promise<Ports>((resolve) => worker.once('message', resolve));
  console.log(
    `frames: request ${REQUEST_XML.length} bytes, answer ${ANSWER_XML.length} bytes; ${ROUND_MS / 1000} s a round`,
  );
  const table: Record<string, string | number>[] = [];
  for (const connections of CONNECTIONS) {
    const echo = await measured(() => echoRate(ports.echoPort, authority.ca, connections));
    const epp = await commandRate(ports.eppPort, authority.ca, connections);
    const strict = await commandRate(ports.strictPort, authority.ca, connections);
    table.push({
      connections,
      'TLS echo/s': Math.round(echo.perSecond),
      'EPP commands/s': Math.round(epp.perSecond),
      ratio: (epp.perSecond / echo.perSecond).toFixed(2),
      'with schemas/s': Math.round(strict.perSecond),
      'ratio ': (strict.perSecond / echo.perSecond).toFixed(2),
      'us of the client: echo': Math.round(echo.clientMicros),
      'EPP ': Math.round(epp.clientMicros),
    });
  }
  console.table(table);
  console.table(await codecRates());
  await worker.terminate();
}

if (isMainThread) await main();
else parentPort?.postMessage(await serve(workerData as Identity));

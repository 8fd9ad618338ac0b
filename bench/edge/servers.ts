import { createServer } from 'node:http';
import { createServer as createSecure } from 'node:https';
import type { AddressInfo, Server } from 'node:net';
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads';
import { Registry } from '@prometheus-io/client';
import type { ForwardedRow } from '../../packages/server/src/core/forwarding/feed.sql.ts';
import { AcmeChallengePages } from '../../packages/server/src/edge/acme-challenge-pages.ts';
import { Certificates } from '../../packages/server/src/edge/certificates.ts';
import { ClickCounter } from '../../packages/server/src/edge/click-counter.ts';
import { RuleCache } from '../../packages/server/src/edge/rule-cache.ts';
import { watchOf } from '../../packages/server/src/edge/watch.ts';
import { serveWeb } from '../../packages/server/src/edge/web-server.ts';

interface Ports {
  readonly edge: number;
  readonly edgeTls: number;
  readonly bare: number;
  readonly bareTls: number;
}

interface Identity {
  readonly cert: string;
  readonly key: string;
}

export const names = 100_000;
export const askedName = `name-${names / 2}.example`;

function rowOf(at: number, chain: string): ForwardedRow {
  const rule = {
    host: '@',
    path: '/',
    match: 'prefix',
    target: `https://target-${at}.example/`,
    code: 301,
    path_mode: 'append',
    query_mode: 'append',
    masking: null,
    enabled: true,
  } as const;
  return {
    domain_id: String(at + 1),
    name: `name-${at}.example`,
    rules: [rule],
    state: 'live',
    removed_reason: null,
    suspended: false,
    unverified: false,
    unpaid: false,
    certificate_id: `crt_${at}`,
    chain,
    key_sealed: '',
    live_since: null,
  };
}

/** An edge with 100,000 names, and the minimal Node server, each in a thread of its own. */
async function serve({ cert, key }: Identity): Promise<void> {
  const cache = new RuleCache();
  for (let at = 0; at < names; at++) cache.put(rowOf(at, cert));
  const settings = {
    databaseUrl: '',
    host: '127.0.0.1',
    port: 0,
    tls: { port: 0 },
    abuseAddress: '',
    deniedHosts: [],
    mailHosts: [],
    limits: { requestsPerSecond: 0, connections: 0 },
  };
  const watch = watchOf(new Registry(), cache, () => true);
  const proofs = new AcmeChallengePages(cache, [], async () => undefined);
  const certificates = new Certificates(cache, () => key);
  const edge = await serveWeb({ cache, settings, certificates, proofs, clicks: new ClickCounter(), watch });
  const answer: Parameters<typeof createServer>[1] = (_request, response) => {
    response.writeHead(301, {
      Location: 'https://target.example/',
      'Cache-Control': 'max-age=3600',
      'Content-Length': 0,
    });
    response.end();
  };
  const listen = (server: Server) =>
    new Promise<number>((resolve) =>
      server.listen(0, '127.0.0.1', () => resolve((server.address() as AddressInfo).port)),
    );
  const bare = await listen(createServer(answer));
  const bareTls = await listen(createSecure({ cert, key, minVersion: 'TLSv1.2' }, answer));
  const ports: Ports = { edge: edge.port, edgeTls: edge.tlsPort!, bare, bareTls };
  parentPort!.on('message', () => parentPort!.postMessage(process.threadCpuUsage()));
  parentPort!.postMessage(ports);
}

export interface Servers {
  readonly ports: Ports;
  /** Processor time of the thread in milliseconds. */
  cpuMs(): Promise<number>;
  stop(): Promise<unknown>;
}

export async function startServers(identity: Identity): Promise<Servers> {
  const worker = new Worker(new URL(import.meta.url), { workerData: identity });
  const next = <T>() => new Promise<T>((resolve) => worker.once('message', resolve));
  const ports = await next<Ports>();
  return {
    ports,
    async cpuMs() {
      const usage = next<NodeJS.CpuUsage>();
      worker.postMessage('cpu');
      const { user, system } = await usage;
      return (user + system) / 1_000;
    },
    stop: () => worker.terminate(),
  };
}

if (!isMainThread) await serve(workerData as Identity);

import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads';
import type { ForwardedRow } from '../packages/server/src/core/forwarding/feed.sql.ts';
import { ClickBook } from '../packages/server/src/edge/click-book.ts';
import { ProofPages } from '../packages/server/src/edge/proof-pages.ts';
import { RuleBook } from '../packages/server/src/edge/rule-book.ts';
import { serveWeb } from '../packages/server/src/edge/web-server.ts';
import { load } from './http/load.ts';

/**
 * What an edge costs: redirects a second from one thread that holds 100,000 names, as a ratio to a bare Node handler in the same run. The
 * client is this thread, the servers are another: each round asks one after the other.
 */

const names = 100_000;
const roundMs = 2_000;
const rounds = 5;
const promised = 0.7;

interface Ports {
  readonly edge: number;
  readonly bare: number;
}

function rowOf(at: number): ForwardedRow {
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
    certificate_id: null,
    chain: null,
    key_sealed: null,
    live_since: null,
  };
}

async function serve(): Promise<void> {
  const book = new RuleBook();
  for (let at = 0; at < names; at++) book.put(rowOf(at));
  const settings = {
    databaseUrl: '',
    host: '127.0.0.1',
    port: 0,
    tls: undefined,
    abuseAddress: '',
    limits: { requestsPerSecond: 0, connections: 0 },
  };
  const watch = { isComplete: () => true, answered: () => undefined };
  const proofs = new ProofPages(book, async () => undefined);
  const edge = await serveWeb({ book, settings, certificates: undefined, proofs, clicks: new ClickBook(), watch });
  const bare = createServer((_request, response) => {
    response.writeHead(301, {
      Location: 'https://target.example/',
      'Cache-Control': 'max-age=3600',
      'Content-Length': 0,
    });
    response.end();
  });
  bare.listen(0, '127.0.0.1', () => {
    const ports: Ports = { edge: edge.port, bare: (bare.address() as AddressInfo).port };
    parentPort!.postMessage(ports);
  });
}

async function measure(): Promise<void> {
  const worker = new Worker(new URL(import.meta.url), { workerData: 'serve' });
  const ports = await new Promise<Ports>((resolve) => worker.once('message', resolve));
  const ask = async (port: number) => {
    const { perSecond, errors } = await load(`http://127.0.0.1:${port}/a/b?c=1`, [], {
      connections: 32,
      ms: roundMs,
      host: `name-${names / 2}.example`,
      status: 301,
    });
    if (errors > 0) throw new Error(`${errors} answers were no redirects`);
    return perSecond;
  };
  await ask(ports.edge);
  await ask(ports.bare);
  const ratios: number[] = [];
  for (let round = 0; round < rounds; round++) {
    const [edge, bare] = [await ask(ports.edge), await ask(ports.bare)];
    ratios.push(edge / bare);
    console.log(`edge ${Math.round(edge)}/s, bare ${Math.round(bare)}/s: ${(edge / bare).toFixed(2)}`);
  }
  await worker.terminate();
  const median = ratios.sort((a, b) => a - b)[Math.floor(rounds / 2)]!;
  console.log(`redirects, ${names} names, one thread: ${median.toFixed(2)} of a bare handler (promise ${promised})`);
  process.exit(median >= promised ? 0 : 1);
}

if (isMainThread) await measure();
else if (workerData === 'serve') await serve();

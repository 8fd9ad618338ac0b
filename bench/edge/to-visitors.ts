import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { Agent, request } from 'node:http';
import { request as requestSecure } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { allTenants, sql } from '@namehold/postgres';
import { type Cluster, ensureDatabase, openCluster } from '@namehold/postgres/embedded/cluster';
import { Pebble } from '../../packages/server/test/certificates/pebble.ts';
import { spawnNamehold } from '../../packages/server/test/support/process.ts';
import { Lab, type LabDomain } from '../../test/nameservers/support/lab.ts';
import { freePort } from '../../test/support/ports.ts';
import { ms, printTable, quantile } from '../dns/table.ts';

const ownNameservers = ['ns1.namehold-dns.net', 'ns2.namehold-dns.net'];

/** For times in milliseconds; true: p95 is within the promise. */
function meets(what: string, times: readonly number[], promisedMs: number): boolean {
  const sorted = times.toSorted((a, b) => a - b);
  const p95 = quantile(sorted, 0.95);
  printTable(`${what}, ${times.length} times (promise: p95 ${promisedMs} ms)`, [
    ['p50', 'p95', 'max'],
    [ms(quantile(sorted, 0.5)), ms(p95), ms(sorted.at(-1)!)],
  ]);
  return p95 < promisedMs;
}

const put = (lab: Lab, domain: LabDomain, target: string) =>
  lab.call(
    'PUT',
    `/domains/${domain.id}/forwarding`,
    { rules: ['@', 'www'].map((host) => ({ host, target })) },
    { 'If-Match': '*' },
  );

async function withCluster<T>(work: (cluster: Cluster) => Promise<T>): Promise<T> {
  const folder = mkdtempSync(join(tmpdir(), 'namehold-bench-edge-'));
  const cluster = await openCluster({ folder });
  try {
    await ensureDatabase(cluster, 'namehold');
    return await work(cluster);
  } finally {
    await cluster.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Starts `namehold edge` and waits for its port. */
async function startEdge(databaseUrl: string) {
  const folder = mkdtempSync(join(tmpdir(), 'namehold-bench-edge-'));
  const child = spawnNamehold(['edge'], {
    folder,
    env: {
      DATABASE_URL: databaseUrl,
      NAMEHOLD_REDIRECT_PORT: '0',
      NAMEHOLD_REDIRECT_TLS_PORT: 'off',
      NAMEHOLD_REDIRECT_RATE_LIMIT: '0',
    },
  });
  const port = await new Promise<number>((resolve, reject) => {
    let text = '';
    child.once('exit', () => reject(new Error(`the edge ended: ${text}`)));
    for (const stream of [child.stdout!, child.stderr!])
      stream.on('data', (piece: Buffer) => {
        text += piece.toString();
        const found = /listens at 127\.0\.0\.1:(\d+)/.exec(text);
        if (found) resolve(Number(found[1]));
      });
  });
  return {
    port,
    async stop() {
      const ended = new Promise((resolve) => child.once('exit', resolve));
      child.kill('SIGTERM');
      await ended;
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

function locationAt(port: number, host: string, agent: Agent): Promise<string | undefined> {
  return new Promise((resolve, reject) => {
    const sent = request({ port, host: '127.0.0.1', agent, headers: { Host: host } }, (response) => {
      response.resume();
      response.on('end', () => resolve(response.headers.location));
    });
    sent.on('error', reject);
    sent.end();
  });
}

/** From the answer of the call that sets a rule until the last of three edges serves it. */
export function measureServed(rounds: number): Promise<boolean> {
  return withCluster(async (cluster) => {
    const url = cluster.url('namehold');
    const lab = await Lab.start(url);
    const edges = await Promise.all([startEdge(url), startEdge(url), startEdge(url)]);
    const agent = new Agent({ keepAlive: true });
    const times: number[] = [];
    try {
      const domain = await lab.domain('served.example');
      for (let round = 0; round <= rounds; round++) {
        const target = `https://target.example/${round}`;
        await put(lab, domain, target);
        const began = performance.now();
        await Promise.all(
          edges.map(async ({ port }) => {
            while ((await locationAt(port, 'served.example', agent)) !== target) await sleep(2);
          }),
        );
        if (round > 0) times.push(performance.now() - began);
      }
    } finally {
      agent.destroy();
      for (const edge of edges) await edge.stop();
      await lab.close();
    }
    return meets('from the answer to a rule until three edges serve it', times, 200);
  });
}

function isSecure(port: number, host: string): Promise<boolean> {
  return new Promise((resolve) => {
    const at = { port, host: '127.0.0.1', servername: host, headers: { Host: host }, agent: false };
    const sent = requestSecure({ ...at, rejectUnauthorized: false }, (response) => {
      response.resume();
      resolve(response.statusCode === 301);
    });
    sent.on('error', () => resolve(false));
    sent.end();
  });
}

/** From sending the first rule of a domain until HTTPS is answered for it, with Debian's Pebble as the certificate authority. */
export function measureHttps(rounds: number): Promise<boolean> {
  execFileSync('pebble', ['-h'], { stdio: 'ignore' });
  return withCluster(async (cluster) => {
    const [dnsPort, edgePort, tlsPort] = [await freePort(), await freePort(), await freePort()];
    const pebble = new Pebble({ dnsPort, httpPort: edgePort, isPatient: false });
    await pebble.open();
    const lab = await Lab.start(cluster.url('namehold'), {
      ...pebble.settings,
      NAMEHOLD_DNS_PORT: String(dnsPort),
      NAMEHOLD_REDIRECT_PORT: String(edgePort),
      NAMEHOLD_REDIRECT_TLS_PORT: String(tlsPort),
      NAMEHOLD_REDIRECT_RATE_LIMIT: '0',
    });
    const times: number[] = [];
    try {
      for (let round = 0; round <= rounds; round++) {
        const domain = await lab.domain(`secure${round}.example`);
        await lab.ctx.db.transaction(allTenants, (tx) =>
          tx.run(sql`update domain set nameservers = ${ownNameservers} where id = ${domain.id}`),
        );
        const began = performance.now();
        await put(lab, domain, 'https://target.example/');
        while (!(await isSecure(tlsPort, domain.name))) await sleep(20);
        if (round > 0) times.push(performance.now() - began);
      }
    } finally {
      await lab.close();
      await pebble.close();
    }
    return meets('from the first rule of a name until HTTPS is answered', times, 5_000);
  });
}

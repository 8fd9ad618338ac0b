import { connect } from 'node:tls';
import { load } from '../http/load.ts';
import { askedName, names, type Servers } from './servers.ts';

const roundMs = 2_000;
const rounds = 7;

const median = (values: readonly number[]) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)]!;

/** Each round measures both, alternately first. True: the median of their ratios is within the promise. */
async function compare(
  what: string,
  promised: number,
  ask: (which: 'edge' | 'bare') => Promise<number>,
): Promise<boolean> {
  await ask('edge');
  await ask('bare');
  const ratios: number[] = [];
  for (let round = 0; round < rounds; round++) {
    const early = round % 2 === 0 ? await ask('bare') : undefined;
    const edge = await ask('edge');
    const bare = early ?? (await ask('bare'));
    ratios.push(edge / bare);
    console.log(`edge ${Math.round(edge)}, bare ${Math.round(bare)}: ${(edge / bare).toFixed(2)}`);
  }
  console.log(`${what}: ${median(ratios).toFixed(2)} of bare Node (promise ${promised})`);
  return median(ratios) >= promised;
}

/** Redirects per second of processor time of the server's thread, which holds 100,000 names. The client is this thread. */
export function measureRedirects(servers: Servers): Promise<boolean> {
  return compare(`redirects a CPU second, ${names} names`, 0.7, async (which) => {
    const busy = await servers.cpuMs();
    const limits = { connections: 32, ms: roundMs, host: askedName, status: 301 };
    const { requests, errors } = await load(`http://127.0.0.1:${servers.ports[which]}/a/b?c=1`, [], limits);
    if (errors > 0) throw new Error(`${errors} answers were not redirects`);
    return (requests * 1_000) / ((await servers.cpuMs()) - busy);
  });
}

/** Full TLS handshakes per second of processor time of the server's thread. */
export function measureHandshakes(servers: Servers): Promise<boolean> {
  const one = (port: number) =>
    new Promise<void>((resolve, reject) => {
      const socket = connect({ port, host: '127.0.0.1', servername: askedName, rejectUnauthorized: false }, () => {
        socket.destroy();
        resolve();
      });
      socket.on('error', reject);
    });
  return compare('TLS handshakes a CPU second', 0.8, async (which) => {
    const port = servers.ports[which === 'edge' ? 'edgeTls' : 'bareTls'];
    const [began, busy] = [performance.now(), await servers.cpuMs()];
    let made = 0;
    await Promise.all(
      Array.from({ length: 16 }, async () => {
        for (; performance.now() - began < roundMs; made++) await one(port);
      }),
    );
    return (made * 1_000) / ((await servers.cpuMs()) - busy);
  });
}

import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads';
import { mxSnippet } from '../packages/server/src/cli/snippets/mx.ts';
import { MailRoutes } from '../packages/server/src/core/mail-forwarding/routes.ts';
import { CountBook } from '../packages/server/src/mx/count-book.ts';
import { lookUpIn } from '../packages/server/src/mx/maps.ts';
import { MessageLimits } from '../packages/server/src/mx/message-limits.ts';
import { policy } from '../packages/server/src/mx/policy.ts';
import { socketmap } from '../packages/server/src/mx/socketmap.ts';
import { Srs } from '../packages/server/src/mx/srs.ts';
import { serveTalk } from '../packages/server/src/mx/talk-server.ts';
import { Verdict } from '../packages/server/src/mx/verdict.ts';
import { startMailHost } from '../packages/server/test/mx/mail-host.ts';
import { freePort } from '../test/nameservers/support/ports.ts';

/**
 * What a mail host costs: messages a second through Postfix with namehold mx, which holds a million addresses, as a ratio to the same Postfix with
 * maps in files and no policy; and what one question costs in time, one address in memory.
 */

const names = 2_000;
const addressesEach = 500;
const questions = 50_000;
const messages = 600;
const sessions = 10;
const rounds = 5;
const promised = { ratio: 0.9, p99Ms: 1, bytes: 300 };

const mailDomain = 'forward.example';
const nameOf = (at: number) => `name-${at}.example`;

interface Served {
  readonly maps: number;
  readonly policy: number;
  readonly bytes: number;
}

async function serve(): Promise<void> {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  collect();
  const before = process.memoryUsage().heapUsed;
  const routes = new MailRoutes();
  for (let at = 0; at < names; at++) {
    const own = Array.from({ length: addressesEach }, (_, each) => {
      const route = { kind: 'targets', addresses: [`box-${each}@home-${at}.example`], spam: 'refuse' } as const;
      return [`local-${each}`, route] as const;
    });
    routes.put({ domain_id: String(at + 1), name: nameOf(at), refused: null, routes: own });
  }
  collect();
  const bytes = (process.memoryUsage().heapUsed - before) / (names * addressesEach);
  const now = () => new Date();
  const srs = new Srs(mailDomain, ['a-secret-of-the-bench'], now);
  const parts = { routes, srs, mailDomain, ownDomains: [mailDomain], postmaster: '', isComplete: () => true };
  const limits = new MessageLimits({ perHour: 1_000_000, perDay: 1_000_000 });
  const verdict = new Verdict({ ...parts, limits, counts: new CountBook(), now });
  const maps = await serveTalk(socketmap(lookUpIn(parts)), '127.0.0.1', 0);
  const asked = await serveTalk(
    policy((attributes) => verdict.decide(attributes)),
    '127.0.0.1',
    0,
  );
  parentPort!.postMessage({ maps: maps.port, policy: asked.port, bytes } satisfies Served);
}

/** One question after the other, of addresses here and there. */
async function latency(port: number): Promise<number> {
  const socket = connect({ port, host: '127.0.0.1', noDelay: true });
  await once(socket, 'connect');
  const times: number[] = [];
  for (let at = 0; at < questions; at++) {
    const key = `route local-${(at * 7) % addressesEach}@${nameOf((at * 13) % names)}`;
    const began = performance.now();
    socket.write(`${key.length}:${key},`);
    const [answer] = (await once(socket, 'data')) as [Buffer];
    times.push(performance.now() - began);
    if (!answer.includes('OK box-')) throw new Error(`${key}: ${answer}`);
  }
  socket.destroy();
  return times.sort((a, b) => a - b)[Math.floor(questions * 0.99)]!;
}

/** Messages a second that Postfix takes. */
function push(port: number): number {
  const began = performance.now();
  const words = ['-s', String(sessions), '-m', String(messages), '-f', 'author@sender.example'];
  execFileSync('smtp-source', [...words, '-t', `local-1@${nameOf(1)}`, `inet:127.0.0.1:${port}`], { timeout: 120_000 });
  return (1_000 * messages) / (performance.now() - began);
}

const worker = isMainThread ? new Worker(new URL(import.meta.url), { workerData: 'serve' }) : undefined;

async function measure(): Promise<void> {
  const served = await new Promise<Served>((resolve) => worker!.once('message', resolve));
  const p99 = await latency(served.maps);
  console.log(`look-up among ${names * addressesEach} addresses: p99 ${p99.toFixed(3)} ms (promise ${promised.p99Ms})`);
  console.log(`memory: ${Math.round(served.bytes)} bytes an address (promise ${promised.bytes})`);
  const worldPort = await freePort();
  const world = spawn('smtp-sink', ['-c', `127.0.0.1:${worldPort}`, '1000'], { stdio: 'ignore' });
  const facts = { mailHost: 'mx.bench.example', mailHosts: ['mx.bench.example'], mailDomain, mxHost: '127.0.0.1' };
  const snippet = mxSnippet({ ...facts, mxPort: served.maps, mxPolicyPort: served.policy });
  const asking = startMailHost({ port: await freePort(), snippet, worldPort });
  const routesFile = asking.at('etc', 'static-routes');
  writeFileSync(routesFile, `local-1@${nameOf(1)} box-1@home-1.example\n`);
  const resting = startMailHost({
    port: await freePort(),
    snippet,
    worldPort,
    more: {
      virtual_alias_domains: nameOf(1),
      virtual_alias_maps: `texthash:${routesFile}`,
      sender_canonical_maps: `inline:{ {author@sender.example = SRS0=a=b=sender.example=author@${mailDomain}} }`,
      recipient_canonical_maps: '',
      smtpd_end_of_data_restrictions: '',
      smtpd_recipient_restrictions: 'permit_mynetworks',
    },
  });
  const ratios: number[] = [];
  try {
    for (const { port } of [asking, resting]) push(port);
    for (let round = 0; round < rounds; round++) {
      const [mx, still] = [push(asking.port), push(resting.port)];
      ratios.push(mx / still);
      console.log(`namehold mx ${Math.round(mx)}/s, maps in files ${Math.round(still)}/s: ${(mx / still).toFixed(2)}`);
      await sleep(1_000);
    }
  } finally {
    asking.stop();
    resting.stop();
    world.kill();
  }
  await worker!.terminate();
  const median = ratios.sort((a, b) => a - b)[Math.floor(rounds / 2)]!;
  console.log(
    `messages through Postfix: ${median.toFixed(2)} of the same with maps in files (promise ${promised.ratio})`,
  );
  process.exit(median >= promised.ratio && p99 < promised.p99Ms && served.bytes <= promised.bytes ? 0 : 1);
}

if (isMainThread) await measure();
else if (workerData === 'serve') await serve();

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdtempSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads';
import { mxSnippet } from '../packages/server/src/cli/snippets/mx.ts';
import { MailRoutes } from '../packages/server/src/core/mail-forwarding/routes.ts';
import { MailCounter } from '../packages/server/src/mx/mail-counter.ts';
import { MailPolicy } from '../packages/server/src/mx/mail-policy.ts';
import { lookupIn } from '../packages/server/src/mx/maps.ts';
import { MessageLimits } from '../packages/server/src/mx/message-limits.ts';
import { policy } from '../packages/server/src/mx/policy.ts';
import { serveProtocol, serveProtocolAt } from '../packages/server/src/mx/protocol-server.ts';
import { socketmap } from '../packages/server/src/mx/socketmap.ts';
import { Srs } from '../packages/server/src/mx/srs.ts';
import { startMailHost } from '../packages/server/test/mx/mail-host.ts';
import type { PostfixCopy } from '../packages/server/test/support/postfix.ts';
import { freePort } from '../test/support/ports.ts';
import { type Pushed, push } from './mx/push.ts';

/**
 * The cost of a mail host: messages a second through Postfix with namehold mx, which holds a million addresses, as a ratio to the same
 * Postfix with file maps and no policy, by time and by processor time; also the time of one lookup, and the memory of one address.
 * Rounds alternate the first, and each waits until its mail was delivered.
 */

const names = 2_000;
const addressesEach = 500;
const questions = 50_000;
const letters = { messages: 400, sessions: 10, to: 'local-1@name-1.example' };
const rounds = 7;
const promised = { ratio: 0.9, p99Ms: 1, bytes: 300 };

const mailDomain = 'forward.example';
/** With `--sockets` Postfix connects to Unix sockets, otherwise to ports. */
const socketDir = process.argv.includes('--sockets') ? openFolder() : (workerData?.socketDir as string | undefined);
const nameOf = (at: number) => `name-${at}.example`;

function openFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'namehold-bench-mx-'));
  chmodSync(folder, 0o755);
  return folder;
}

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
  const parts = {
    routes,
    srs,
    mailDomain,
    mailHosts: [],
    writtenDomains: [],
    postmaster: '',
    hasBegun: () => true,
    isComplete: () => true,
  };
  const limits = new MessageLimits({ perHour: 1_000_000, perDay: 1_000_000 });
  const mailPolicy = new MailPolicy({ ...parts, limits, counts: new MailCounter(), now });
  const [talkOfMaps, talkOfPolicy] = [
    socketmap(lookupIn(parts)),
    policy((attributes) => mailPolicy.decide(attributes)),
  ];
  const maps = await serveProtocol(talkOfMaps, '127.0.0.1', 0);
  const policyPort = await serveProtocol(talkOfPolicy, '127.0.0.1', 0);
  if (socketDir !== undefined)
    for (const [name, talk] of [
      ['maps', talkOfMaps],
      ['policy', talkOfPolicy],
    ] as const) {
      await serveProtocolAt(talk, join(socketDir, name));
      chmodSync(join(socketDir, name), 0o666);
    }
  parentPort!.on('message', () => parentPort!.postMessage(process.threadCpuUsage()));
  parentPort!.postMessage({ maps: maps.port, policy: policyPort.port, bytes } satisfies Served);
}

/** One lookup after the other, of random addresses. */
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

// Under root, Postfix needs another user.
const asPostfix = process.getuid?.() === 0 ? ['-u', 'postfix'] : [];

const worker = isMainThread
  ? new Worker(new URL(import.meta.url), { workerData: { task: 'serve', socketDir } })
  : undefined;

/** Processor time of namehold mx so far, in milliseconds. */
async function mxBusyMs(): Promise<number> {
  const usage = new Promise<NodeJS.CpuUsage>((resolve) => worker!.once('message', resolve));
  worker!.postMessage('cpu');
  const { user, system } = await usage;
  return (user + system) / 1_000;
}

async function pushAsking(postfix: PostfixCopy): Promise<Pushed> {
  const before = await mxBusyMs();
  const pushed = await push(postfix, letters);
  return { ...pushed, busyMs: pushed.busyMs + ((await mxBusyMs()) - before) / letters.messages };
}

const median = (values: readonly number[]) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)]!;

/** The median ratios of namehold mx to the same Postfix with file maps. */
async function compare(asking: PostfixCopy, resting: PostfixCopy): Promise<{ byClock: number; byProcessor: number }> {
  const [byClock, byProcessor]: [number[], number[]] = [[], []];
  for (let round = -1; round < rounds; round++) {
    const early = round % 2 === 0 ? await push(resting, letters) : undefined;
    const mx = await pushAsking(asking);
    const still = early ?? (await push(resting, letters));
    // The first round is a warm-up for both.
    if (round < 0) continue;
    byClock.push(mx.perSecond / still.perSecond);
    byProcessor.push(still.busyMs / mx.busyMs);
    const rates = `namehold mx ${Math.round(mx.perSecond)}/s, maps in files ${Math.round(still.perSecond)}/s: ${byClock.at(-1)!.toFixed(2)}`;
    const busy = `${mx.busyMs.toFixed(2)} and ${still.busyMs.toFixed(2)} ms a message: ${byProcessor.at(-1)!.toFixed(2)}`;
    console.log(`${rates}; of processors ${busy}`);
  }
  return { byClock: median(byClock), byProcessor: median(byProcessor) };
}

async function measure(): Promise<void> {
  const served = await new Promise<Served>((resolve) => worker!.once('message', resolve));
  const p99 = await latency(served.maps);
  console.log(`look-up among ${names * addressesEach} addresses: p99 ${p99.toFixed(3)} ms (promise ${promised.p99Ms})`);
  console.log(`memory: ${Math.round(served.bytes)} bytes an address (promise ${promised.bytes})`);
  const othersPort = await freePort();
  const others = spawn('smtp-sink', [...asPostfix, `127.0.0.1:${othersPort}`, '1000'], { stdio: 'ignore' });
  const facts = { mailHost: 'mx.bench.example', mailHosts: ['mx.bench.example'], mailDomain, mxHost: '127.0.0.1' };
  const snippet = mxSnippet({ ...facts, mxPort: served.maps, mxPolicyPort: served.policy, mxSocketDir: socketDir });
  const asking = startMailHost({ port: await freePort(), snippet, othersPort });
  const routesFile = asking.at('etc', 'static-routes');
  writeFileSync(routesFile, `local-1@${nameOf(1)} box-1@home-1.example\n`);
  const resting = startMailHost({
    port: await freePort(),
    snippet,
    othersPort,
    more: {
      virtual_alias_domains: nameOf(1),
      virtual_alias_maps: `texthash:${routesFile}`,
      sender_canonical_maps: `inline:{ {author@sender.example = SRS0=a=b=sender.example=author@${mailDomain}} }`,
      recipient_canonical_maps: '',
      smtpd_reject_unlisted_recipient: 'yes',
      smtpd_end_of_data_restrictions: '',
      smtpd_recipient_restrictions: 'permit_mynetworks',
    },
  });
  const reached = await compare(asking, resting).finally(() => {
    asking.stop();
    resting.stop();
    others.kill();
  });
  await worker!.terminate();
  console.log(
    `messages through Postfix: ${reached.byClock.toFixed(2)} of the same with maps in files (promise ${promised.ratio}), ${reached.byProcessor.toFixed(2)} by processor time`,
  );
  const isKept = reached.byClock >= promised.ratio && p99 < promised.p99Ms && served.bytes <= promised.bytes;
  process.exit(isKept ? 0 : 1);
}

if (isMainThread) await measure();
else if (workerData?.task === 'serve') await serve();

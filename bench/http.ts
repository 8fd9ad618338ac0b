import { rmSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { measureAuthentication } from './http/authentication.ts';
import { load, type Measured } from './http/load.ts';
import { profiled } from './http/profiled.ts';
import {
  basic,
  databaseOf,
  newFolder,
  processorTime,
  type Started,
  seedCustomers,
  settledMiB,
  startBare,
  startService,
} from './http/stage.ts';
import { customerStatements, profileStatements } from './http/statements.ts';

/**
 * The request pipeline as a ratio to a plain Fastify route with the same SQL in the same run: rounds alternate, so that a busy
 * machine slows both. Then the cost of authentication, the time of a start, and memory over 100,000 requests.
 */
const { values } = parseArgs({
  options: {
    customers: { type: 'string', default: '100000' },
    rounds: { type: 'string', default: '5' },
    'round-ms': { type: 'string', default: '2000' },
    connections: { type: 'string', default: '16' },
    requests: { type: 'string', default: '100000' },
    /** `ratio`: without starts and memory. */
    only: { type: 'string' },
    // Instead of all that: a profile of the time of a request.
    profile: { type: 'boolean', default: false },
  },
});
const [customers, rounds, roundMs] = [Number(values.customers), Number(values.rounds), Number(values['round-ms'])];
const [connections, requests] = [Number(values.connections), Number(values.requests)];
const main = [process.execPath, 'packages/server/src/main.ts', 'serve'];
const folder = newFolder();

const median = (list: number[]) => [...list].sort((a, b) => a - b)[Math.floor(list.length / 2)]!;
const shown = (figure: number, digits = 0) => figure.toFixed(digits);

interface Side {
  readonly url: string;
  readonly pid: number;
  readonly headers: readonly string[];
}

interface Round extends Measured {
  readonly microseconds: number;
}

async function loaded({ url, pid, headers }: Side): Promise<Round> {
  const before = processorTime(pid);
  const measured = await load(url, headers, { connections, ms: roundMs });
  return { ...measured, microseconds: (processorTime(pid) - before) / measured.requests };
}

async function compare(name: string, ours: Side, bare: Side) {
  const [a, b]: [Round[], Round[]] = [[], []];
  for (let round = -1; round < rounds; round++) {
    const [mine, theirs] = [await loaded(ours), await loaded(bare)];
    // The first round is a warm-up for both.
    if (round < 0) continue;
    a.push(mine);
    b.push(theirs);
  }
  const [own, floor] = [median(a.map((m) => m.perSecond)), median(b.map((m) => m.perSecond))];
  return {
    measured: name,
    'ours/s': shown(own),
    'bare/s': shown(floor),
    ratio: shown(median(a.map((m, i) => m.perSecond / b[i]!.perSecond)), 2),
    // Of the process alone, without the database's.
    'ours µs': shown(median(a.map((m) => m.microseconds))),
    'bare µs': shown(median(b.map((m) => m.microseconds))),
    'ours p50 ms': shown(median(a.map((m) => m.p50Ms)), 1),
    'ours p99 ms': shown(median(a.map((m) => m.p99Ms)), 1),
    errors: a.reduce((sum, m) => sum + m.errors, 0) + b.reduce((sum, m) => sum + m.errors, 0),
  };
}

if (values.profile) {
  await profiled(folder, { customers, connections, ms: roundMs });
  rmSync(folder, { recursive: true, force: true });
  process.exit();
}
async function measureStart(): Promise<number> {
  const { startMs, stop } = await startService(folder, ['npm', 'start', '--silent']);
  await stop();
  return startMs;
}
const starts = values.only === 'ratio' ? undefined : [await measureStart(), await measureStart()];
const service = await startService(folder, main);
let bare: Awaited<ReturnType<typeof startBare>> | undefined;
try {
  const { base_url, reseller_id } = service.credentials;
  const authorization = basic(service.credentials);
  const headers = [`Authorization: ${authorization}`];
  const databaseUrl = await databaseOf(folder);
  await seedCustomers(databaseUrl, reseller_id, customers);
  const profile = (await (
    await fetch(`${base_url}/v1/account/profile`, { headers: { Authorization: authorization } })
  ).json()) as {
    api_key: { key_id: string };
  };
  bare = await startBare(databaseUrl, reseller_id, {
    '/profile': await profileStatements(reseller_id, profile.api_key.key_id),
    '/customers': await customerStatements(reseller_id),
  });
  const ours = (path: string) => ({ url: `${base_url}${path}`, pid: service.child.pid!, headers });
  const { url, pid: barePid } = bare;
  const theirs = (path: string) => ({ url: `${url}${path}`, pid: barePid, headers: [] });
  for (const path of ['/profile', '/customers']) {
    const rows = (await (await fetch(`${url}${path}`)).json()) as unknown[];
    if (rows.length < 2) throw new Error(`the baseline has no rows to read at ${path}: it does less than the service`);
  }
  const table = [
    await compare('GET /v1/account/profile', ours('/v1/account/profile'), theirs('/profile')),
    await compare(`GET /v1/customers?limit=100 of ${customers}`, ours('/v1/customers?limit=100'), theirs('/customers')),
  ];
  bare.stop();
  console.table(table);
  if (starts) await measureRest(service, starts);
} finally {
  await service.stop();
  bare?.stop();
  rmSync(folder, { recursive: true, force: true });
}

async function measureRest({ child, credentials }: Started, [cold, warm]: readonly number[]): Promise<void> {
  const { base_url } = credentials;
  const authorization = basic(credentials);
  const headers = [`Authorization: ${authorization}`];
  const pid = child.pid!;
  const before = await settledMiB(pid);
  const half = await load(`${base_url}/v1/account/profile`, headers, { connections, requests: requests / 2 });
  const middle = await settledMiB(pid);
  await load(`${base_url}/v1/customers?limit=10`, headers, { connections, requests: requests / 2 });
  const after = await settledMiB(pid);
  const microseconds = await measureAuthentication(folder, authorization);
  console.table([
    { measured: 'warm authentication, microseconds', figure: shown(microseconds, 1), bar: 'under 50' },
    { measured: 'npm start on an empty folder to the first answer, ms', figure: shown(cold!), bar: '' },
    { measured: 'npm start again, ms', figure: shown(warm!), bar: '' },
    { measured: 'resident memory after the rounds above, MiB', figure: shown(before, 1), bar: '' },
    { measured: `after ${requests / 2} more requests, MiB`, figure: shown(middle, 1), bar: '' },
    { measured: `after ${requests} more requests, MiB`, figure: shown(after, 1), bar: '' },
    { measured: 'growth, percent', figure: shown(((after - before) / before) * 100, 1), bar: 'under 10' },
    { measured: 'profile requests a second over the long run', figure: shown(half.perSecond), bar: '' },
  ]);
}

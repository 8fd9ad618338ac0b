import { parseArgs } from 'node:util';
import { connectRegistry, type NewRegistry } from '../packages/server/src/core/registries/connect.ts';
import { readProfileFile } from '../packages/server/src/registries/read-profile.ts';
import { type SimulatedUpstream, upstreams } from '../test/upstream/simulators/upstreams.ts';
import { measureFor, rounded } from './domains/rate.ts';
import { openStage, type Stage } from './domains/stage.ts';
import { type Recorded, sendBare, startRecorder } from './upstream/recorder.ts';

/**
 * The cost of a query through the driver of each upstream dialect, as a ratio to the same HTTP requests sent without it, at the same
 * simulator in the same run. The driver adds the rate limit over all processes, pauses, signature, parsing and our ids of contacts. The
 * rounds alternate. `--answer-ms 0,50`: how long the simulator takes to answer. A public service takes 20 ms or more.
 */
const { values } = parseArgs({
  options: {
    rounds: { type: 'string', default: '5' },
    'round-ms': { type: 'string', default: '1500' },
    'answer-ms': { type: 'string', default: '0,20,50' },
  },
});
const [rounds, roundMs] = [Number(values.rounds), Number(values['round-ms'])];
const target = { ratio: 1.5, answerMs: 20 };
const name = 'measured.org';

const median = (list: readonly number[]) => [...list].sort((a, b) => a - b)[Math.floor(list.length / 2)]!;

/** Each connection has an id of its own, so none has to be opened again. */
async function connect(stage: Stage, { way, profile }: SimulatedUpstream, id: string, port: number): Promise<string> {
  const limits = { sessions: 4, requestsPerMinute: 60_000 };
  const common = { kind: 'upstream', customerId: '2001', currency: 'USD', transport: 'http', limits };
  await connectRegistry(stage.ctx, {
    id,
    profile: readProfileFile(JSON.stringify({ ...common, ...profile }), id) as unknown as NewRegistry['profile'],
    host: '127.0.0.1',
    port,
    clientId: way.reseller,
    password: way.key,
    tlds: ['org'],
    confirmsTlds: true,
  });
  return id;
}

async function query(stage: Stage, id: string): Promise<void> {
  const reply = await (await stage.ctx.registries.of(id)).info(name);
  if (reply.kind !== 'done' || !reply.data?.isOurs) throw new Error(JSON.stringify(reply));
}

/** The requests of one query. */
async function recordQuery(stage: Stage, upstream: SimulatedUpstream): Promise<readonly Recorded[]> {
  const recorder = await startRecorder(upstream.way.port);
  await query(stage, await connect(stage, upstream, `${upstream.profile.dialect}-recorded`, recorder.port));
  await recorder.stop();
  return recorder.recorded;
}

async function measureDialect(stage: Stage, dialect: string): Promise<Record<string, string | number>[]> {
  const upstream = await upstreams[dialect]!();
  upstream.addDomain(name);
  const requests = await recordQuery(stage, upstream);
  const id = await connect(stage, upstream, dialect, upstream.way.port);
  const bare = async () => {
    for (const each of requests) await sendBare(upstream.way.port, each);
  };
  const rows: Record<string, string | number>[] = [];
  for (const answerMs of values['answer-ms'].split(',').map(Number)) {
    upstream.faults.clear();
    if (answerMs > 0) upstream.faults.add({ kind: 'delayed', times: Number.MAX_SAFE_INTEGER, delayMs: answerMs });
    const found: { bare: number; driver: number }[] = [];
    for (let round = 0; round < rounds; round += 1)
      found.push({
        bare: (await measureFor(roundMs, 1, bare)).p50Ms,
        driver: (await measureFor(roundMs, 1, () => query(stage, id))).p50Ms,
      });
    const ratio = median(found.map((each) => each.driver / each.bare));
    if (answerMs >= target.answerMs && ratio > target.ratio) process.exitCode = 1;
    rows.push({
      dialect,
      'answer takes ms': answerMs,
      requests: requests.length,
      'bare ms': rounded(median(found.map((each) => each.bare)), 2),
      'driver ms': rounded(median(found.map((each) => each.driver)), 2),
      ratio: rounded(ratio, 2),
    });
  }
  await upstream.stop();
  return rows;
}

const stage = await openStage();
try {
  const rows: Record<string, string | number>[] = [];
  for (const dialect of Object.keys(upstreams)) rows.push(...(await measureDialect(stage, dialect)));
  console.table(rows);
  console.log(`target: at most ${target.ratio} at a service that answers within ${target.answerMs} ms`);
} finally {
  await stage.stop();
}

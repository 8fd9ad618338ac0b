import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { openCluster } from '@namehold/postgres/embedded/cluster';
import pg from 'pg';
import { bareFrames } from './checks/bare.ts';
import { type Measured, measureFor, rounded, show } from './domains/rate.ts';
import { openPool, type State, startRegistry } from './sandbox/stage.ts';

/**
 * Fifty names in one check, and single names that the check batcher combines. The result is a ratio to the same frames, sent and counted
 * by a client without XML, at the same registry in the same run. The rounds alternate, so that a busy machine slows both.
 */
const { values } = parseArgs({
  options: {
    rounds: { type: 'string', default: '5' },
    'round-ms': { type: 'string', default: '2000' },
  },
});
const [rounds, roundMs] = [Number(values.rounds), Number(values['round-ms'])];
const namesInCheck = 50;
const connections = 4;
/** Callers that each check one name at a time. */
const callers = 400;

type Pool = ReturnType<typeof openPool>;

const median = (list: readonly number[]) => [...list].sort((a, b) => a - b)[Math.floor(list.length / 2)]!;

let requested = 0;
const freshNames = (count: number): string[] => Array.from({ length: count }, () => `look-${requested++}.org`);

function inOneCommand(pool: Pool): Promise<Measured> {
  return measureFor(roundMs, connections, async () => {
    const names = freshNames(namesInCheck);
    const answer = await pool.send({ object: 'domain', verb: 'check', names }, { priority: 'money' });
    if (answer.kind !== 'done' || answer.data.items.length !== namesInCheck) throw new Error(JSON.stringify(answer));
  });
}

function gathered(pool: Pool): Promise<Measured> {
  return measureFor(roundMs, callers, async () => {
    const answer = await pool.checkName(freshNames(1)[0]!, { priority: 'money' });
    if (answer.kind !== 'done') throw new Error(JSON.stringify(answer));
  });
}

/** Checks that the registry has answered so far. */
async function checksAt(state: State): Promise<number> {
  const stats = (await (await fetch(`http://127.0.0.1:${state.control_port}/stats`)).json()) as {
    answers: Record<string, Record<string, number>>;
  };
  return stats.answers['domain:check']?.['1000'] ?? 0;
}

async function compare(state: State): Promise<Record<string, unknown>> {
  const pool = openPool(state, connections);
  const [floors, whole, single, perCheck]: [number[], Measured[], Measured[], number[]] = [[], [], [], []];
  try {
    for (let round = -1; round < rounds; round++) {
      const floor = await bareFrames(state, { connections, ms: roundMs, names: () => freshNames(namesInCheck) });
      const checks = await inOneCommand(pool);
      const before = await checksAt(state);
      const names = await gathered(pool);
      const sent = (await checksAt(state)) - before;
      // The first round is a warm-up.
      if (round < 0) continue;
      floors.push(floor);
      whole.push(checks);
      single.push(names);
      perCheck.push((names.perSecond * roundMs) / 1000 / sent);
    }
  } finally {
    await pool.close();
  }
  const at = (list: readonly Measured[]) =>
    [...list].sort((a, b) => a.perSecond - b.perSecond)[Math.floor(rounds / 2)]!;
  return {
    sessions: connections,
    bare_checks_of_50: rounded(median(floors)),
    checks_of_50: show(at(whole)),
    checks_to_bare: rounded(median(whole.map((each, n) => each.perSecond / floors[n]!)), 2),
    names_by_checks_of_50: rounded(median(whole.map((each) => each.perSecond * namesInCheck))),
    names_gathered: show(at(single)),
    names_a_check_gathered: rounded(median(perCheck)),
    gathered_to_bare: rounded(median(single.map((each, n) => each.perSecond / (floors[n]! * namesInCheck))), 2),
  };
}

const folder = mkdtempSync(join(tmpdir(), 'namehold-bench-'));
const cluster = await openCluster({ folder: join(folder, 'postgres') });
try {
  const admin = new pg.Client({ connectionString: cluster.url('postgres') });
  await admin.connect();
  await admin.query('create database sandbox');
  await admin.end();
  const { state, stop } = await startRegistry(folder, cluster.url('sandbox'));
  try {
    process.stdout.write(`${JSON.stringify(await compare(state), null, 2)}\n`);
  } finally {
    await stop();
  }
} finally {
  await cluster.stop();
  rmSync(folder, { recursive: true, force: true });
}

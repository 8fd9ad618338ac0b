import { readFileSync } from 'node:fs';
import type pg from 'pg';
import { rounded } from './rate.ts';
import type { Stage } from './stage.ts';

/** Units of Linux (`getconf CLK_TCK`). */
const tickMs = 10;

/** Processor time of all processes that take part in an order, in milliseconds; the load of the machine hardly affects it. */
interface ProcessorTime {
  readonly service: number;
  readonly database: number;
  readonly registry: number;
}

/** The time of each so far; returns the difference of two, per order. */
export async function processorTimes(stage: Stage, server: pg.Client): Promise<() => Promise<ProcessorTime>> {
  const before = await byProcess(stage, server);
  return async () => {
    const after = await byProcess(stage, server);
    const used = (part: keyof ProcessorTime) =>
      [...after[part]].reduce((sum, [pid, ms]) => sum + ms - (before[part].get(pid) ?? 0), 0);
    return { service: used('service'), database: used('database'), registry: used('registry') };
  };
}

export const eachOf = ({ service, database, registry }: ProcessorTime, count: number) => ({
  service_cpu_ms: rounded(service / count, 2),
  database_cpu_ms: rounded(database / count, 2),
  registry_cpu_ms: rounded(registry / count, 2),
});

async function byProcess(
  stage: Stage,
  server: pg.Client,
): Promise<Record<keyof ProcessorTime, ReadonlyMap<number, number>>> {
  const { rows } = await server.query<{ pid: number }>(
    `select pid from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()`,
  );
  const timesOf = (pids: readonly number[]) => new Map(pids.map((pid) => [pid, usedMs(pid)]));
  return {
    service: timesOf(stage.pids()),
    database: timesOf(rows.map(({ pid }) => pid)),
    registry: timesOf([stage.registry().pid]),
  };
}

/** proc_pid_stat(5): fields 14 and 15, counted after the name, which may contain any character. Unknown on other systems than Linux. */
function usedMs(pid: number): number {
  try {
    const [, , ...after] = readFileSync(`/proc/${pid}/stat`, 'utf8').replace(/^.*\)/s, 'x x').split(' ');
    return (Number(after[11]) + Number(after[12])) * tickMs;
  } catch {
    return 0;
  }
}

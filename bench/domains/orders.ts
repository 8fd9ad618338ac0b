import { existsSync, mkdirSync, rmdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import { buy, makeBuyers } from './buyers.ts';
import { measureCost } from './cost.ts';
import { measureLedger } from './ledger-rate.ts';
import { eachOf, processorTimes } from './processor.ts';
import { type Measured, measure, measureFor, rounded } from './rate.ts';
import { measureRegistry } from './registry-rate.ts';
import { openStage } from './stage.ts';

/** Short, so that a process that has used up its share pauses only briefly. */
const periodUs = 10_000;

/**
 * Gives a process a share of one core, like a smaller machine: with everything on one machine, a second process helps only while other
 * cores are free. Needs root on Linux. Returns a function that removes the limit after the process has ended.
 */
function limitTo(pid: number, share: number): () => void {
  const quota = String(Math.round(periodUs * share));
  const isUnified = existsSync('/sys/fs/cgroup/cgroup.controllers');
  const group = join('/sys/fs/cgroup', isUnified ? '' : 'cpu', `namehold-bench-${pid}`);
  mkdirSync(group);
  if (isUnified) writeFileSync(join(group, 'cpu.max'), `${quota} ${periodUs}`);
  else {
    writeFileSync(join(group, 'cpu.cfs_period_us'), String(periodUs));
    writeFileSync(join(group, 'cpu.cfs_quota_us'), quota);
  }
  writeFileSync(join(group, 'cgroup.procs'), String(pid));
  return () => rmdirSync(group);
}

const inFlight = 50;
/** At each process: a service runs for weeks, and its first hundreds of orders take twice the processor time of later ones. */
const warmUp = 600;
/**
 * Then its tables are analysed, which PostgreSQL does every minute for growing tables, and which invalidates every plan: this many
 * orders until each connection has planned again.
 */
const planAgain = 300;
const eachMs = 10_000;
const ledgerPairs = 2_000;
const registryCreates = 1_000;
const mostProcesses = 3;

type Row = Readonly<Record<string, number>>;

/** The statements of a registration, one order after another. */
export async function costOfOrders(count: number, postgres: string | undefined): Promise<Record<string, Row>> {
  const stage = await openStage({ countStatements: true, postgres });
  try {
    const { by_statement, ...sums } = await measureCost(stage, await makeBuyers(stage, 4), count);
    console.table(by_statement);
    return { 'one after another': sums };
  } finally {
    await stage.stop();
  }
}

/**
 * The maximum rate of 1, 2 and 3 processes on one database, compared with the rate of money alone, and of the registry alone, in the
 * same run. With a share each process has that part of one core, and the database has more than one.
 */
export async function rateOfOrders(
  resellers: number,
  { share, postgres }: { readonly share?: number; readonly postgres: string | undefined },
): Promise<Record<string, Row>> {
  const stage = await openStage({ postgres });
  const server = new pg.Client({ connectionString: stage.databaseUrl });
  const unlimit: (() => void)[] = [];
  try {
    await server.connect();
    const buyers = await makeBuyers(stage, resellers);
    const urls = [stage.credentials.base_url];
    // Every buyer uses every process.
    const order = (name: string, index: number) =>
      buy(stage, buyers[Math.floor(index / urls.length) % buyers.length]!, name, urls[index % urls.length]);
    const ledger = await measureLedger(stage, buyers, ledgerPairs);
    const registry = await measureRegistry(stage.registry(), registryCreates);
    const rows: Record<string, Row> = {
      'hold and capture alone': rowOf(ledger),
      'the registry alone': rowOf(registry),
    };
    let one: Measured | undefined;
    for (let processes = 1; processes <= mostProcesses; processes++) {
      if (processes > 1) urls.push(await stage.another());
      await measure(warmUp * processes, inFlight, (index) => order(`warm-${processes}-${index}.com`, index));
      await server.query('vacuum analyze');
      await measure(planAgain * processes, inFlight, (index) => order(`plan-${processes}-${index}.com`, index));
      if (share !== undefined) unlimit.push(limitTo(stage.pids().at(-1)!, share));
      const used = await processorTimes(stage, server);
      const orders = await measureFor(eachMs, inFlight, (index) => order(`by-${processes}-${index}.com`, index));
      const processor = eachOf(await used(), orders.count);
      one ??= orders;
      rows[`${processes} ${processes === 1 ? 'process' : 'processes'}`] = {
        ...rowOf(orders),
        to_ledger: rounded(orders.perSecond / ledger.perSecond, 3),
        to_one: rounded(orders.perSecond / one.perSecond, 2),
        ...processor,
      };
    }
    return rows;
  } finally {
    await server.end();
    await stage.stop();
    for (const each of unlimit) each();
  }
}

const rowOf = ({ perSecond, p50Ms, p95Ms }: Measured): Row => ({
  per_second: rounded(perSecond),
  ms: rounded(p50Ms, 2),
  p95_ms: rounded(p95Ms, 2),
});

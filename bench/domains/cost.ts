import pg from 'pg';
import { type Buyer, buy } from './buyers.ts';
import { eachOf, processorTimes } from './processor.ts';
import { measure, rounded } from './rate.ts';
import type { Stage } from './stage.ts';

/** PostgreSQL's work for an order, on average, including the publisher's part. */
interface Cost {
  /** Statements that begin and end transactions are counted; queries of triggers at a commit are not. */
  readonly statements: number;
  readonly transactions: number;
  readonly log_flushes: number;
  readonly sql_ms: number;
  /** From the request to its answer; the median. */
  readonly ms: number;
  readonly service_cpu_ms: number;
  readonly database_cpu_ms: number;
  readonly registry_cpu_ms: number;
  readonly by_statement: readonly StatementCost[];
}

interface StatementCost {
  readonly an_order: number;
  readonly ms: number;
  readonly statement: string;
}

const warmUp = 20;
const isFrame = (text: string) => /^(begin|commit|discard|select \$1$|select set_config)/i.test(text);
const isOfTrigger = (text: string) => /\bnew[.)]/i.test(text);
/** Rarer statements belong to background jobs, which run by time and not by orders. */
const leastAnOrder = 0.25;
/** The server publishes its statistics within a second. */
const statisticsDelayMs = 1_500;

/** Orders one after another, so that no commit is flushed together with another; counted by the server itself. */
export async function measureCost(stage: Stage, buyers: readonly Buyer[], count: number): Promise<Cost> {
  const order = (name: string, index: number) => buy(stage, buyers[index % buyers.length]!, name);
  const server = new pg.Client({ connectionString: stage.databaseUrl });
  await server.connect();
  try {
    await server.query('create extension if not exists pg_stat_statements');
    for (let index = 0; index < warmUp; index++) await order(`cost-warm-${index}.com`, index);
    await statisticsWritten();
    const before = await totals(server);
    await server.query('select pg_stat_statements_reset()');
    const used = await processorTimes(stage, server);
    const { p50Ms } = await measure(count, 1, (index) => order(`cost-${index}.com`, index));
    const processor = eachOf(await used(), count);
    const by_statement = await byStatement(server, count);
    await statisticsWritten();
    const after = await totals(server);
    const sum = (of: (row: StatementCost) => number) =>
      rounded(
        by_statement.reduce((all, row) => all + of(row), 0),
        2,
      );
    const isAsked = ({ statement }: StatementCost) => !isFrame(statement) && !isOfTrigger(statement);
    return {
      statements: sum((row) => (isAsked(row) ? row.an_order : 0)),
      transactions: rounded((after.transactions - before.transactions) / count, 2),
      log_flushes: rounded((after.flushes - before.flushes) / count, 2),
      sql_ms: sum((row) => row.ms),
      ms: rounded(p50Ms, 2),
      ...processor,
      by_statement,
    };
  } finally {
    await server.end();
  }
}

const statisticsWritten = () => new Promise((resolve) => setTimeout(resolve, statisticsDelayMs));

/** Flushes are counted per server: the sandbox registry has a database of its own on it, and does not wait for the disk. */
async function totals(server: pg.Client): Promise<{ transactions: number; flushes: number }> {
  const flushes =
    Number((await server.query('show server_version_num')).rows[0].server_version_num) >= 180_000
      ? `select sum(fsyncs)::float from pg_stat_io where object = 'wal' and backend_type = 'client backend'`
      : 'select wal_sync::float from pg_stat_wal';
  const { rows } = await server.query<{ transactions: number; flushes: number }>(
    `select xact_commit::float as transactions, (${flushes}) as flushes from pg_stat_database where datname = current_database()`,
  );
  return rows[0]!;
}

async function byStatement(server: pg.Client, count: number): Promise<StatementCost[]> {
  const { rows } = await server.query<{ calls: number; ms: number; text: string }>(
    `select calls::float, total_exec_time as ms, query as text from pg_stat_statements
     where dbid = (select oid from pg_database where datname = current_database()) and query not like '%pg_stat_statements%'
     order by calls desc, total_exec_time desc`,
  );
  return rows
    .filter(({ calls }) => calls >= count * leastAnOrder)
    .map(({ calls, ms, text }) => ({
      an_order: rounded(calls / count, 2),
      ms: rounded(ms / count, 3),
      statement: text.replace(/\s+/g, ' ').trim().slice(0, 110),
    }));
}

import { dayMs, exponentOf } from '@namehold/base';
import { allTenants } from '@namehold/postgres';
import { Gauge, type Registry as MetricRegistry } from '@prometheus-io/client';
import { countOpenAlarms } from '../core/alarms/notify.sql.ts';
import type { AppContext } from '../core/app-context.ts';
import { comparisonRate } from '../core/domains/compare/reconcile.sql.ts';
import { readJobStatuses } from '../core/jobs/job-status.ts';
import { countOpenOperations, readOperationStatus, readRegistryStatus } from '../core/operations/watch.sql.ts';
import { reconciliationSources } from '../core/reconciliation/difference.ts';
import { lastRun } from '../core/reconciliation/run.sql.ts';

/** Gauges that are read from the database at each scrape and cover all processes. */
export function registerGauges(register: MetricRegistry, ctx: AppContext): void {
  const gauge: NewGauge = (name, help, labelNames, collect) => {
    const made: Gauge<string> = new Gauge({
      name: `namehold_${name}`,
      help,
      labelNames,
      registers: [register],
      async collect() {
        made.reset();
        // Without a database this gauge is omitted. The other metrics are needed most in that case.
        await collect((labels, value) => made.set(labels, value)).catch(() => made.reset());
      },
    });
  };
  operationGauges(ctx, gauge);
  reconciliationGauges(ctx, gauge);
  registryGauges(ctx, gauge);
  jobGauges(ctx, gauge);
}

function operationGauges(ctx: AppContext, gauge: NewGauge): void {
  const db = () => ctx.db.as(allTenants);
  const status = shared(() => readOperationStatus(db(), ctx.wall.now()));
  gauge('database_up', '1 if the database responds, otherwise 0', [], async (set) => {
    set(
      {},
      await status()
        .then(() => 1)
        .catch(() => 0),
    );
  });
  gauge('oldest_hold_seconds', 'Age of the oldest unfinished order with money on hold', [], async (set) =>
    set({}, (await status()).oldest_hold_seconds),
  );
  gauge('oldest_unknown_seconds', 'Age of the oldest operation whose outcome is unknown', [], async (set) =>
    set({}, (await status()).oldest_unknown_seconds),
  );
  gauge('queue_age_seconds', 'Time that the most overdue operation has been waiting to run', [], async (set) =>
    set({}, (await status()).queue_age_seconds),
  );
  gauge('open_poll_messages', 'Poll messages that are stored and not yet processed', [], async (set) =>
    set({}, (await status()).open_poll_messages),
  );
  gauge('open_operations', 'Unfinished operations', ['state', 'kind'], async (set) => {
    for (const { state, kind, n } of await countOpenOperations(db())) set({ state, kind }, n);
  });
}

function reconciliationGauges(ctx: AppContext, gauge: NewGauge): void {
  const db = () => ctx.db.as(allTenants);
  gauge('open_alarms', 'Open alarms', ['severity'], async (set) => {
    const counted = await countOpenAlarms(db());
    for (const severity of ['warning', 'critical'])
      set({ severity }, sum(counted.filter((each) => each.severity === severity)));
  });
  gauge('books_differences', 'Open differences found by reconciliation, by source', ['book'], async (set) => {
    const counted = await countOpenAlarms(db());
    for (const book of reconciliationSources) set({ book }, sum(counted.filter((each) => each.book === book)));
  });
  gauge('books_age_seconds', 'Time since the last completed reconciliation of all sources', [], async (set) => {
    const run = await lastRun(db());
    if (run?.finished_at) set({}, (ctx.wall.now().getTime() - run.finished_at.getTime()) / 1_000);
  });
  const rate = shared(() => comparisonRate(db(), ctx.clock.now()));
  const comparisonHelp = 'Time since the least recently compared domain was compared with its registry';
  gauge('comparison_age_seconds', comparisonHelp, ['names'], async (set) => {
    const { all_seconds, watched_seconds } = await rate();
    set({ names: 'all' }, all_seconds);
    set({ names: 'watched' }, watched_seconds);
  });
  gauge('watched_names', 'Watched domains, which are compared with their registry every few minutes', [], async (set) =>
    set({}, (await rate()).watched),
  );
}

function jobGauges(ctx: AppContext, gauge: NewGauge): void {
  const jobs = shared(() => readJobStatuses(ctx));
  const successHelp = 'Time of the last success of a background job in any process';
  gauge('job_last_success_timestamp_seconds', successHelp, ['job'], async (set) => {
    for (const { name, succeeded_at } of await jobs())
      if (succeeded_at) set({ job: name }, succeeded_at.getTime() / 1_000);
  });
  gauge('job_next_run_timestamp_seconds', 'Time of the next run of a background job', ['job'], async (set) => {
    for (const { name, next_at } of await jobs()) if (next_at) set({ job: name }, next_at.getTime() / 1_000);
  });
  gauge('job_lag_seconds', 'Time by which the next success of a background job is overdue', ['job'], async (set) => {
    for (const { name, lagMs } of await jobs()) set({ job: name }, lagMs / 1_000);
  });
  gauge('job_failing', '1 if the last run of a background job failed, otherwise 0', ['job'], async (set) => {
    for (const { name, isFailing } of await jobs()) set({ job: name }, isFailing ? 1 : 0);
  });
}

function registryGauges(ctx: AppContext, gauge: NewGauge): void {
  const registries = shared(() => readRegistryStatus(ctx.db.as(allTenants), ctx.wall.now()));
  gauge('registry_balance', 'Our balance at a registry, in its currency', ['registry', 'currency'], async (set) => {
    for (const { id, balance, balance_currency: currency } of await registries()) {
      if (balance !== null && currency !== null)
        set({ registry: id, currency }, Number(balance) / 10 ** exponentOf(currency));
    }
  });
  gauge('registry_sessions', 'Open sessions at a registry', ['registry'], async (set) => {
    for (const { id, sessions } of await registries()) set({ registry: id }, sessions);
  });
  const days = (at: Date | null) => (at === null ? undefined : (at.getTime() - ctx.wall.now().getTime()) / dayMs);
  gauge(
    'registry_certificate_days',
    'Days until our client certificate for a registry expires',
    ['registry'],
    async (set) => {
      for (const { id, certificate_expires_at: at } of await registries()) if (at) set({ registry: id }, days(at)!);
    },
  );
  gauge('registry_password_days', 'Days until our password at a registry expires', ['registry'], async (set) => {
    for (const { id, password_expires_at: at } of await registries()) if (at) set({ registry: id }, days(at)!);
  });
}

const sum = (counted: readonly { n: number }[]): number => counted.reduce((total, each) => total + each.n, 0);

type Setter = (labels: Record<string, string>, value: number) => void;
type NewGauge = (name: string, help: string, labelNames: string[], collect: (set: Setter) => Promise<void>) => void;

/** Runs one query for all gauges of a scrape. */
function shared<T>(read: () => Promise<T>): () => Promise<T> {
  let pending: Promise<T> | undefined;
  return () => {
    pending ??= read().finally(() => {
      pending = undefined;
    });
    return pending;
  };
}

import { setTimeout as sleep } from 'node:timers/promises';
import { allTenants, sql } from '@namehold/postgres';
import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestService, type TestService } from '../../../../test/support/service.ts';
import { processExpiryOnce } from '../../src/core/domains/end/expire.ts';
import { statisticsDelayMs } from '../support/crowd.ts';

const others = 1_000_000;
const due = 3_000;

let t: TestService;
let owner: pg.Client;
beforeAll(async () => {
  // Measures the memory of this process, so the registry runs in another one.
  t = await startTestService({ sandbox: 'process' });
  owner = new pg.Client({ connectionString: t.databaseUrl });
  await owner.connect();
});
afterAll(async () => {
  await owner.end();
  await t.stop();
});

/** Domains that the registry does not know. They are never queried, because each attempt is refused for its price before that. */
async function makeNames(prefix: string, count: number, endsInDays: string): Promise<void> {
  await owner.query(
    `insert into domain (reseller_id, customer_id, name, tld, registry_id, state, registrant_contact_id, end_date, registry_expires_at,
       registry_created_at, synced_at, compared_at, created_at, updated_at, renewal_mode, renewal_max_price)
     select 1000, 2001, $1 || '-' || n || '.com', 'com', 'sandbox', 'live', 3001, e.ends, e.ends, now(), now(), now(), now(), now(), 'renew', '0'
     from generate_series(1, $2) n cross join lateral (select date_trunc('second', now() + (${endsInDays}) * interval '1 day') as ends) e`,
    [prefix, count],
  );
}

interface Cost {
  readonly seconds: number;
  readonly transactions: number;
  readonly namesRead: number;
  readonly heapMb: number;
}

async function counters() {
  await sleep(statisticsDelayMs);
  const { rows } = await owner.query<{ transactions: string; names_read: string }>(
    `select (select xact_commit from pg_stat_database where datname = current_database()) as transactions,
       (select coalesce(seq_tup_read, 0) + coalesce(idx_tup_fetch, 0) from pg_stat_user_tables where relname = 'domain') as names_read`,
  );
  return { transactions: Number(rows[0]!.transactions), namesRead: Number(rows[0]!.names_read) };
}

/** Every due domain is tried once: claimed, checked, priced, refused for its price, notified. */
async function follow(prefix: string): Promise<Cost> {
  const before = await counters();
  globalThis.gc?.();
  const heap = process.memoryUsage().heapUsed;
  const started = performance.now();
  const failedRenewals = async () => {
    const { n } = await t.ctx.db.as(allTenants).one<{ n: string }>(sql`
      select count(*) as n from domain where registry_id = 'sandbox' and state = 'live' and renewal_mode <> 'manual'
        and end_date < now() + interval '20 days' and renewal_try_at is not null and name like ${`${prefix}-%`}`);
    return Number(n);
  };
  await processExpiryOnce(t.ctx);
  await expect.poll(failedRenewals, { timeout: 1_800_000, interval: 2_000 }).toBe(due);
  const seconds = (performance.now() - started) / 1_000;
  const after = await counters();
  return {
    seconds: Math.round(seconds * 10) / 10,
    transactions: after.transactions - before.transactions,
    namesRead: after.namesRead - before.namesRead,
    heapMb: Math.round((process.memoryUsage().heapUsed - heap) / 2 ** 20),
  };
}

/** One step each, because each has its own time limit. */
let few: Cost;
test('follows 3,000 due domains among as many others', async () => {
  await makeNames('warm', due, '10');
  await follow('warm');
  await owner.query('vacuum analyze domain');
  await makeNames('few', due, '10');
  few = await follow('few');
});

test('adds a million domains that are not due', async () => {
  await makeNames('other', others, '60 + random() * 300');
  await owner.query('vacuum analyze domain');
});

test('follows 3,000 due domains at the same cost among a million others', async () => {
  await makeNames('many', due, '10');
  const many = await follow('many');
  console.log(`3,000 due among ${2 * due}: ${JSON.stringify(few)}; among ${others + 3 * due}: ${JSON.stringify(many)}`);
  const { rows } = await owner.query<{ n: string }>(
    `select count(*) as n from event where type = 'domain.auto_renewal_failed' and payload ->> 'code' = 'price_guard'`,
  );
  expect(Number(rows[0]!.n)).toBe(3 * due);
  // A plan that scans the others would read a million rows; the limit is a few for each due domain.
  expect(many.namesRead).toBeLessThan(2 * few.namesRead + 10_000);
  expect(many.transactions).toBeLessThan(1.2 * few.transactions + 500);
});

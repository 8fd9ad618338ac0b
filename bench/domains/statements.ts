import { allTenants, openDatabase, sql } from '@namehold/postgres';
import type { Buyer } from './buyers.ts';
import { measure, rounded, show } from './rate.ts';
import type { Stage } from './stage.ts';

const calls = 200;
const inFlight = 4;
const seedTimeoutMs = 1_800_000;
const minutesOfYear = 365 * 24 * 60;

/** Lines of one account, spread over the year 2024, written directly into the tables, with balances as the ledger writes them. */
async function seed(stage: Stage, { resellerId }: Buyer, size: number): Promise<void> {
  const db = openDatabase({ url: stage.databaseUrl, maxConnections: 1, statementTimeoutMs: seedTimeoutMs });
  await db.transaction(allTenants, async (tx) => {
    await tx.run(sql`set local session_replication_role = replica`);
    const account = sql`(select id from ledger_account where kind = 'available' and reseller_id = ${resellerId} and currency = 'USD')`;
    await tx.run(sql`delete from ledger_entry where account_id = ${account}`);
    const made = sql`insert into ledger_transaction (id, purchase_id, reseller_id, seller_id, type, status, direction, amount, captured, currency, balance_after,
        description, created_at, settled_at)
      select 1000000000 + n, 1000000000 + n, ${resellerId}, 1, 'deposit', 'completed', 'credit', 1, 1, 'USD', n, 'line ' || n, now(), now()
      from generate_series(1, ${size}::int) n on conflict do nothing`;
    await tx.run(made);
    await tx.run(sql`
      insert into ledger_entry (transaction_id, account_id, posting, amount, currency, at, balance)
      select 1000000000 + n, ${account}, 'fund', 1, 'USD', timestamptz '2024-01-01Z' + n * ${minutesOfYear / size}::double precision * interval '1 minute', n
      from generate_series(1, ${size}::int) n`);
  });
  await db.as(allTenants).many(sql`vacuum analyze ledger_entry`);
  await db.as(allTenants).many(sql`vacuum analyze ledger_transaction`);
  await db.close();
}

/** The figures of one size: a page within the year, a page at its end, a balance at a date, the whole year as a file. */
export async function measureStatements(stage: Stage, buyer: Buyer, size: number): Promise<object> {
  await seed(stage, buyer, size);
  const get = async (path: string) => {
    const { status, body } = await stage.call(buyer.credentials, 'GET', path);
    if (status !== 200) throw new Error(`${path}: ${status} ${JSON.stringify(body)}`);
  };
  const day = (index: number) => new Date(Date.UTC(2024, 0, 2 + ((index * 37) % 330))).toISOString().slice(0, 10);
  const page = (index: number) => get(`/v1/account/statement?from=${day(index)}&to=2024-12-30&limit=100`);
  const moment = (index: number) =>
    get(`/v1/account/statement?from=${day(index)}T12:00:00Z&to=${day(index)}T12:00:00Z`);
  await measure(50, inFlight, page);
  // The baseline: a call that looks up one balance. The machine affects both equally.
  const floor = await measure(calls, inFlight, () => get('/v1/account/balance'));
  const pages = await measure(calls, inFlight, page);
  const moments = await measure(calls, inFlight, moment);
  const begun = performance.now();
  const text = await wholeYear(stage, buyer);
  const seconds = (performance.now() - begun) / 1_000;
  const lines = text.split('\r\n').length - 4;
  if (lines !== size) throw new Error(`the file has ${lines} lines of ${size}`);
  return {
    entries: size,
    balance_call: show(floor),
    page_of_100: show(pages),
    balance_of_a_moment: show(moments),
    page_to_balance_call: rounded(pages.perSecond / floor.perSecond, 3),
    moment_to_balance_call: rounded(moments.perSecond / floor.perSecond, 3),
    file_lines_a_second: Math.round(size / seconds),
    file_seconds: rounded(seconds, 2),
  };
}

async function wholeYear(stage: Stage, { credentials }: Buyer): Promise<string> {
  const headers = { Authorization: `Basic ${Buffer.from(credentials).toString('base64')}` };
  const url = `${stage.credentials.base_url}/v1/account/statement/csv?from=2024-01-01&to=2024-12-31`;
  return (await fetch(url, { headers })).text();
}

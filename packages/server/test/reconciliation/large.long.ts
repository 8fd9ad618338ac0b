import { allTenants, openDatabase, sql } from '@namehold/postgres';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestService, type TestService } from '../../../../test/support/service.ts';
import type { AppContext } from '../../src/core/app-context.ts';
import type { Holding, Registry } from '../../src/core/ports/registry.ts';
import { reconciliationSources } from '../../src/core/reconciliation/difference.ts';
import { reconcile } from '../../src/core/reconciliation/reconcile.ts';
import { createLogger } from '../../src/logger.ts';
import { openParts, type Parts } from '../../src/parts.ts';
import { recount } from './injections.ts';

const names = Number(process.env.RECONCILIATION_DOMAINS ?? 1_000_000);
const perBatch = 20_000;
/** A loaded machine needs more time. */
const timeoutMs = 4 * 3_600_000;

let t: TestService;
/** Without background jobs, which would query the registry about all of them. */
let parts: Parts;
beforeAll(async () => {
  t = await startTestService();
  await t.service.stop();
  parts = await openParts(t.ctx.config, createLogger('silent'));
  const owner = openDatabase({ url: t.databaseUrl, maxConnections: 1, statementTimeoutMs: 600_000 });
  await owner.transaction(allTenants, async (tx) => {
    await tx.run(sql`
      insert into registry (id, profile, host, port, client_id, secrets_sealed, is_active, created_at)
      values ('large', '{}', '127.0.0.1', 1, 'large', '', true, now())`);
    await tx.run(sql`
      insert into ledger_account (kind, reseller_id, currency, balance)
      values ('available', 1000, 'USD', 0), ('held', 1000, 'USD', 0), ('revenue', 1, 'USD', null), ('registry_cost', 1, 'USD', null),
        ('registry_payable', 1, 'USD', null)
      on conflict do nothing`);
    await tx.run(
      sql`update ledger_account set credit_limit = 100000000000 where kind = 'available' and reseller_id = 1000`,
    );
  });
  for (let first = 1; first <= names; first += perBatch)
    await owner.transaction(allTenants, async (tx) => {
      await tx.run(sql`set local session_replication_role = replica`);
      for (const statement of batch(first, Math.min(names, first + perBatch - 1))) await tx.run(statement);
    });
  await owner.autocommit(allTenants).run(sql`
    update ledger_account set balance = balance - ${names * 1000} where kind = 'available' and reseller_id = 1000 and currency = 'USD'`);
  await owner.transaction(allTenants, async (tx) => {
    await tx.run(sql`set local session_replication_role = replica`);
    await tx.run(recount);
  });
  await owner.autocommit(allTenants).run(sql`analyze`);
  await owner.close();
}, timeoutMs);
afterAll(async () => {
  await parts.close();
  await t.stop();
});

const nameOf = (n: number) => `large-${n}.com`;

/** A service whose registry lists the same domains with its statement, in byte order. */
function contextWithList(): AppContext {
  const listed = Array.from({ length: names }, (_, n) => nameOf(n + 1)).sort();
  const lines = [
    {
      at: new Date('2026-01-01'),
      kind: 'charge' as const,
      command: 'create',
      fee: { amount: '7.00', currency: 'USD' },
    },
  ];
  const shown = (name: string): Holding => ({
    name,
    isOurs: true,
    expiresAt: new Date('2027-01-01'),
    statuses: [],
    lines,
  });
  /** The first one after the position. */
  const place = (after: string): number => {
    let [low, high] = [0, listed.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (listed[middle]! <= after) low = middle + 1;
      else high = middle;
    }
    return low;
  };
  const registry: Pick<Registry, 'id' | 'holdings'> = {
    id: 'large',
    async holdings(wanted) {
      const first = 'name' in wanted ? 0 : place(wanted.after);
      const page = 'name' in wanted ? [wanted.name] : listed.slice(first, first + wanted.limit);
      return { kind: 'done', data: page.map(shown), pending: false, evidence: {} };
    },
  };
  const registries = {
    ...parts.ctx.registries,
    of: async () => registry as Registry,
    isReachable: () => true,
    hasFreeSession: async () => true,
  };
  return { ...parts.ctx, registries };
}

/** Rows of domains that were each registered once for a year. */
function batch(first: number, last: number) {
  const n = sql`generate_series(${first}::int, ${last}::int) as n`;
  const account = (kind: string, reseller: number) =>
    sql`(select id from ledger_account where kind = ${kind} and reseller_id = ${reseller} and currency = 'USD' and customer_id is null)`;
  const entry = (posting: string, kind: string, reseller: number, amount: number) => sql`
    insert into ledger_entry (transaction_id, account_id, posting, amount, currency, at)
    select 10000000 + n, ${account(kind, reseller)}, ${posting}, ${amount}, 'USD', now() from ${n}`;
  return [
    sql`insert into domain (id, reseller_id, customer_id, name, tld, registry_id, state, end_date, registry_expires_at, registry_created_at, created_at, updated_at)
        select 10000000 + n, 1000, 2001, 'large-' || n || '.com', 'com', 'large', 'live', timestamptz '2027-01-01', timestamptz '2027-01-01',
          timestamptz '2026-01-01', timestamptz '2026-01-01', timestamptz '2026-01-01' from ${n}`,
    sql`insert into operation (id, reseller_id, kind, domain_id, registry_id, request, state, proof, transaction_id, due_at, created_at, updated_at, finished_at)
        select 'op_' || lpad(n::text, 12, '0'), 1000, 'register', 10000000 + n, 'large', jsonb_build_object('name', 'large-' || n || '.com'), 'done', 'answered',
          10000000 + n, now(), now(), now(), now() from ${n}`,
    sql`insert into ledger_transaction (id, purchase_id, reseller_id, seller_id, type, status, direction, amount, captured, currency, balance_after,
          cost_amount, cost_currency, cost_posted, description, operation_id, domain_id, action, years, created_at, settled_at)
        select 10000000 + n, 10000000 + n, 1000, 1, 'domain', 'completed', 'debit', 1000, 1000, 'USD', 0, 700, 'USD', 700, 'large', 'op_' || lpad(n::text, 12, '0'),
          10000000 + n, 'create', 1, now(), now() from ${n}`,
    entry('hold', 'available', 1000, -1000),
    entry('hold', 'held', 1000, 1000),
    entry('capture', 'held', 1000, -1000),
    entry('capture', 'revenue', 1, 1000),
    entry('capture', 'registry_cost', 1, -700),
    entry('capture', 'registry_payable', 1, 700),
    sql`insert into registry_command (cltrid, registry_id, operation_id, step, object, verb, name, frame_sealed, frame_sha256, state, result_code, prepared_at,
          answered_at)
        select 'nh_' || n, 'large', 'op_' || lpad(n::text, 12, '0'), 'register', 'domain', 'create', 'large-' || n || '.com', '', '', 'answered', 1000,
          now(), now() from ${n}`,
  ];
}

test(
  `reads ${names} domains in slices and finds one amount that is wrong by a cent`,
  async () => {
    const held = () => process.memoryUsage().heapUsed;
    const ctx = contextWithList();
    const clean = await reconcile(ctx);
    expect(clean.differences).toEqual([]);
    const before = held();
    const owner = openDatabase({ url: t.databaseUrl, maxConnections: 1 });
    await owner
      .autocommit(allTenants)
      .run(sql`update domain set end_date = end_date + interval '1 year' where id = ${10_000_000 + names - 1}`);
    await owner.close();
    const found: string[] = [];
    for (const book of reconciliationSources) {
      const started = performance.now();
      const { differences, counts } = await reconcile(ctx, [book]);
      found.push(...differences.map((each) => each.rule));
      const seconds = Math.round((performance.now() - started) / 1000);
      console.log(`${names} names, ${book}: ${seconds} s, heap + ${Math.round((held() - before) / 1e6)} MB`, counts);
    }
    expect(found).toEqual(['years_unpaid', 'expiry_differs']);
  },
  timeoutMs,
);

import { fakeClock, type MovableClock, systemIds } from '@namehold/base';
import { allTenants, type Database, sql, type Tx } from '@namehold/postgres';
import { expect } from 'vitest';
import { migratedDatabase, openRestricted } from '../../../../test/support/database.ts';
import type { Actor, AppContext } from '../../src/core/app-context.ts';
import { postMoney } from '../../src/core/ledger/fund.ts';
import { verifyLedger } from '../../src/core/ledger/verify.ts';

export interface TestContext {
  readonly ctx: AppContext;
  readonly db: Database;
  /** As the owner of the tables. */
  readonly ownerUrl: string;
  readonly clock: MovableClock;
  /** Adds a reseller below a parent and returns its id. */
  reseller(parentId: string | null, currency?: string): Promise<string>;
  fund(resellerId: string, amount: bigint, currency?: string): Promise<void>;
  /** An operation that is done without a command: a purchase needs one to be captured. */
  proven(): string;
  /** The last step of every test: the ledger is consistent. */
  close(): Promise<void>;
  /** For a test that made the ledger inconsistent on purpose. */
  drop(): Promise<void>;
}

const connections = 24;

/** As many at once as there are connections: waiting for a connection has a deadline, which a slow machine would miss. */
export async function settleInParallel<T>(works: readonly (() => Promise<T>)[]): Promise<PromiseSettledResult<T>[]> {
  const results = new Array<PromiseSettledResult<T>>(works.length);
  const left = works.entries();
  const worker = async () => {
    for (const [at, work] of left) results[at] = (await Promise.allSettled([work()]))[0]!;
  };
  await Promise.all(Array.from({ length: connections }, worker));
  return results;
}

export async function testContext(): Promise<TestContext> {
  const database = await migratedDatabase();
  const db = await openRestricted(database.url, connections);
  const clock = fakeClock('2026-03-01T12:00:00Z');
  const log = { info: () => {}, warn: () => {}, error: () => {} };
  // The use cases of money need neither settings nor the vault.
  const ctx = { db, clock, wall: clock, ids: systemIds, log, failpoint: () => undefined } as unknown as AppContext;
  let operations = 0;
  const self: TestContext = {
    ctx,
    proven() {
      operations += 1;
      if (operations > provenOperations) throw new Error('more purchases than this test has operations for');
      return `op_${operations}`;
    },
    db,
    ownerUrl: database.url,
    clock,
    async reseller(parentId, currency = 'USD') {
      const row = await db.transaction(allTenants, (tx) =>
        tx.one<{ id: string }>(sql`
          insert into reseller (id, parent_id, email, name, company, address_line_1, city, state, country_code, zipcode, tel_cc_no, tel_no,
                                selling_currency, accounting_currency, created_at)
          values (coalesce(${parentId === null ? 1 : null}::bigint, nextval(pg_get_serial_sequence('reseller', 'id'))), ${parentId},
                  ${`${systemIds.next('r')}@example.com`}, 'Test', 'Test', 'Street 1', 'City', 'State', 'US', '12345', '1', '5551234',
                  ${currency}, ${currency}, ${clock.now()})
          returning id`),
      );
      if (parentId === null) await db.transaction(allTenants, (tx) => insertOperations(tx, row.id));
      return row.id;
    },
    async fund(resellerId, amount, currency = 'USD') {
      const { parent_id } = await db
        .as(allTenants)
        .one<{ parent_id: string }>(sql`select parent_id from reseller where id = ${resellerId}`);
      await db.transaction(allTenants, (tx) =>
        postMoney(ctx, tx, {
          posting: 'fund',
          funderId: parent_id,
          resellerId,
          amount: { amount, currency },
          description: 'test money',
        }),
      );
    },
    async close() {
      const { differences } = await verifyLedger(db);
      await self.drop();
      expect(differences).toEqual([]);
    },
    async drop() {
      await db.close();
      await database.drop();
    },
  };
  return self;
}

const provenOperations = 5_000;

async function insertOperations(tx: Tx, resellerId: string): Promise<void> {
  await tx.run(sql`
    insert into operation (id, reseller_id, kind, request, state, proof, due_at, created_at, updated_at, finished_at)
    select 'op_' || n, ${resellerId}, 'test', '{}', 'done', 'nothing_sent', now(), now(), now(), now()
    from generate_series(1, ${provenOperations}::int) n`);
}

export function actorOf(resellerId: string): Actor {
  return {
    resellerId,
    keyId: null,
    address: '127.0.0.1',
    requestId: 'req_test',
    scopes: ['full'],
    isOperator: resellerId === '1',
  };
}

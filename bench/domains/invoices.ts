import { allTenants, openDatabase, sql } from '@namehold/postgres';
import { findInvoice } from '../../packages/server/src/core/invoices/invoice.sql.ts';
import { issueDue } from '../../packages/server/src/core/invoices/issue.ts';
import { reconcile } from '../../packages/server/src/core/reconciliation/reconcile.ts';
import type { Buyer } from './buyers.ts';
import { measure, rounded, show } from './rate.ts';
import type { Stage } from './stage.ts';

const seedTimeoutMs = 600_000;
const firstBill = 2_000_000_000;
const printed = 20;

/** Sold on account, a bill and its purchase each, written directly into the tables; nothing is due yet. */
async function seed(stage: Stage, buyers: readonly Buyer[], size: number): Promise<void> {
  const db = openDatabase({ url: stage.databaseUrl, maxConnections: 1, statementTimeoutMs: seedTimeoutMs });
  await db.transaction(allTenants, async (tx) => {
    await tx.run(sql`set local session_replication_role = replica`);
    for (const [place, { resellerId, customerId }] of buyers.entries()) {
      const own = sql`from generate_series(${place}::int, ${size - 1}::int, ${buyers.length}::int) n`;
      await tx.run(sql`
        insert into ledger_transaction (id, purchase_id, reseller_id, seller_id, type, status, direction, amount, captured, currency, balance_after,
          description, created_at, settled_at)
        select ${firstBill} + 2 * n, ${firstBill} + 2 * n, ${resellerId}, 1, 'domain', 'completed', 'debit', 1239, 1239, 'USD', 0, 'bench', now(), now() ${own}`);
      await tx.run(sql`
        insert into ledger_transaction (id, purchase_id, reseller_id, customer_id, seller_id, type, status, direction, amount, currency, balance_after,
          description, created_at)
        select ${firstBill} + 2 * n + 1, ${firstBill} + 2 * n, ${resellerId}, ${customerId}, ${resellerId}, 'domain', 'unpaid', 'debit', 1500, 'USD', 0,
          'Registration of bench-' || n || '.com for 1 year', now() ${own}`);
    }
  });
  await db.as(allTenants).many(sql`vacuum analyze ledger_transaction`);
  await db.close();
}

/**
 * From the due time of the bills to the last invoice, by two processes; numbers and sums are checked afterwards. Then the rate of PDF
 * documents.
 */
export async function measureInvoices(stage: Stage, buyers: readonly Buyer[], size: number) {
  const { ctx } = stage;
  await seed(stage, buyers, size);
  const issued = async () =>
    Number(
      (
        await ctx.db
          .as(allTenants)
          .one<{ count: string }>(sql`select count(*) from invoice where bill_id > ${firstBill} and number is not null`)
      ).count,
    );
  const begun = performance.now();
  await ctx.db
    .autocommit(allTenants)
    .run(
      sql`insert into invoice_due (bill_id) select ${firstBill} + 2 * n + 1 from generate_series(0, ${size - 1}::int) n`,
    );
  while ((await issued()) < size) await issueDue(ctx);
  const perSecond = (size * 1_000) / (performance.now() - begun);
  const { differences } = await reconcile(ctx, ['invoices']);
  if (differences.length > 0) throw new Error(JSON.stringify(differences[0]));
  const { id, reseller_id } = await ctx.db
    .as(allTenants)
    .one<{ id: string; reseller_id: string }>(
      sql`select id, reseller_id from invoice where bill_id > ${firstBill} limit 1`,
    );
  const invoice = (await findInvoice(ctx.db.as(allTenants), reseller_id, id))!;
  const print = (index: number) =>
    ctx.workers!.print(
      { resellerId: `printer ${index % 2}` },
      { invoice, correctsNumber: null, footer: null, logo: null },
    );
  await measure(2, 2, print);
  const prints = await measure(printed, 2, print);
  return { perSecond, shown: { invoices: size, per_second: rounded(perSecond), pdf: show(prints) } };
}

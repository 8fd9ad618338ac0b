import { allTenants, type Sql, sql } from '@namehold/postgres';
import { expect } from 'vitest';
import { pauseAt } from '../../../../test/support/pause-statement.ts';
import { openAlarms } from '../../src/core/alarms/alarm.ts';
import { verifyAndReport } from '../../src/core/reconciliation/report.ts';
import { type DeletionService, ok } from './world.ts';

/** States that an older release, or a manual change of the database, may have left behind. */
interface Orphan {
  readonly what: string;
  /** `book:rule`, each once. */
  readonly found: readonly string[];
  /** The restored accounts. */
  readonly restored: RegExp;
  readonly advice?: RegExp;
  inject(w: DeletionService): Promise<Sql>;
  /** Until its seller has booked a debit note, or permanently: the account is in use again. */
  after?(w: DeletionService): Promise<void>;
}

const markCustomerDeleted = (id: string) => sql`
  with gone as (update contact set deleted_at = now() where customer_id = ${id} and deleted_at is null)
  update customer set deleted_at = now() where id = ${id}`;

export const orphans: readonly Orphan[] = [
  {
    what: 'a domain of a deleted customer',
    found: ['domains:customer_deleted'],
    restored: /customer \d+/,
    inject: async (w) => markCustomerDeleted((await w.bought()).owner.id),
  },
  {
    what: 'a domain with a deleted contact',
    found: ['domains:contact_deleted'],
    restored: /^would restore contact \d+$/,
    inject: async (w) => sql`update contact set deleted_at = now() where id = ${(await w.bought()).owner.contact}`,
  },
  {
    what: 'a customer and a child of a deleted reseller',
    found: ['domains:reseller_deleted'],
    restored: /^would restore reseller \d+$/,
    async inject(w) {
      const as = await w.child();
      await w.customer(as);
      ok(await w.t.call('POST', '/v1/resellers', { form: { ...w.person(), selling_currency: 'USD' }, as }));
      return sql`update reseller set deleted_at = now() where id = ${as.split(':')[0]!}`;
    },
  },
  {
    what: 'money of a deleted customer',
    found: ['entries:deleted_with_money'],
    restored: /^would restore customer \d+$/,
    async inject(w) {
      const { id } = await w.customer();
      const form = { amount: '7', description: 'paid in' };
      ok(await w.t.call('POST', `/v1/customers/${id}/transactions/fund`, { form }));
      return markCustomerDeleted(id);
    },
  },
  {
    what: 'the debt of a customer that was deleted while a charge-back was booked',
    found: ['entries:deleted_with_money'],
    advice: /owes this amount.*book a deposit/,
    restored: /^would restore customer \d+$/,
    async inject(w) {
      const { id } = await w.customer();
      const reference = await w.cardPayment(id);
      ok(await w.notice('paid', reference));
      const form = { amount: '5', description: 'given back' };
      ok(await w.t.call('POST', `/v1/customers/${id}/transactions/debit_note`, { form }));
      const pause = pauseAt(/ledger_post/, 'statement');
      try {
        const notified = w.notice('charged_back', reference);
        await Promise.race([pause.reached, notified]);
        ok(await w.t.call('DELETE', `/v1/customers/${id}`));
        pause.release();
        expect((await notified).body).toMatchObject({ events: [{ fate: 'charged_back' }] });
      } finally {
        pause.release();
      }
      return sql`update customer set deleted_at = deleted_at where id = ${id}`;
    },
  },
  {
    what: 'money of a deleted reseller',
    found: ['entries:deleted_with_money'],
    restored: /^would restore reseller \d+$/,
    async inject(w) {
      const id = (await w.child()).split(':')[0]!;
      const form = { amount: '7', description: 'paid in' };
      ok(await w.t.call('POST', `/v1/resellers/${id}/transactions/fund`, { form }));
      return sql`update reseller set deleted_at = now() where id = ${id}`;
    },
  },
];

export async function expectReportedAndRepaired(
  w: DeletionService,
  { inject, found, restored, advice }: Orphan,
): Promise<void> {
  const { ctx } = w.t;
  const statement = await inject(w);
  await ctx.db.transaction(allTenants, (tx) => tx.run(statement));
  const compare = async () => (await verifyAndReport(ctx, ['entries', 'domains'])).differences;
  const differences = await compare();
  expect(differences.map((each) => `${each.source}:${each.rule}`)).toEqual(found);
  if (advice) expect(differences[0]?.repair.message).toMatch(advice);
  const alarm = (await openAlarms(ctx)).find(({ key }) => key.startsWith(`books:${found[0]}`));
  const repair = (dry_run: boolean) =>
    w.t.call('POST', '/v1/operator/reconciliation/repair', {
      json: { key: alarm!.key, reason: 'left by an older release', dry_run },
      as: w.t.operator,
    });
  const dry = ok(await repair(true)).body;
  expect(dry).toMatchObject({ action: 'undelete', is_done: false, result: expect.stringMatching(restored) });
  expect(await compare()).toHaveLength(1);
  expect(ok(await repair(false)).body).toMatchObject({ action: 'undelete', is_done: true });
  expect(await compare()).toEqual([]);
  expect(await w.orphans()).toEqual([]);
}

import { type Reader, sql, type Tx } from '@namehold/postgres';
import { type PaymentRow, paymentColumns, paymentOf } from './payment.sql.ts';
import type { ExpectedPayment, Payment } from './payment.ts';

interface PendingChargeBack {
  readonly id: string;
  readonly provider: string;
  readonly amount: bigint;
}

/** Charge-backs that arrived before their payment, oldest first. */
export async function pendingChargeBacks(
  tx: Tx,
  { reseller_id, reference, currency }: ExpectedPayment,
  limit: number,
): Promise<PendingChargeBack[]> {
  const rows = await tx.many<{ id: string; provider: string; amount: string }>(sql`
    select id, provider, amount from payment
    where reseller_id = ${reseller_id} and reference = ${reference} and is_charge_back and expected_id is null and accepted_at is null
      and fate = 'charge_back_pending' and currency = ${currency}
    order by id limit ${limit} for update`);
  return rows.map((row) => ({ ...row, amount: BigInt(row.amount) }));
}

/** What a provider paid and took back of an expected payment. */
export async function chargeBacksOf(
  db: Reader,
  expectedId: string,
  provider: string,
): Promise<{ readonly came: bigint; readonly back: bigint }> {
  const row = await db.one<{ came: string; back: string }>(sql`
    select coalesce(sum(amount) filter (where fate <> 'charged_back'), 0) as came, coalesce(sum(amount) filter (where fate = 'charged_back'), 0) as back
    from payment where expected_id = ${expectedId} and provider = ${provider}`);
  return { came: BigInt(row.came), back: BigInt(row.back) };
}

export async function markChargedBack(tx: Tx, id: string, expectedId: string, transactionId: string): Promise<Payment> {
  return paymentOf(
    await tx.one<PaymentRow>(sql`
      update payment set expected_id = ${expectedId}, transaction_id = ${transactionId}, fate = 'charged_back' where id = ${id} returning ${paymentColumns}`),
  );
}

/** A row that an earlier release stored without its amount. */
export async function markPending(tx: Tx, p: Payment): Promise<void> {
  await tx.run(sql`
    update payment set fate = ${p.fate}, reference = ${p.reference}, amount = ${p.amount}, currency = ${p.currency}, is_charge_back = true where id = ${p.id}`);
}

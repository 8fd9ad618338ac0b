import { type Reader, sql, type Tx } from '@namehold/postgres';
import type { ChildInvoices } from '../model/invoice.ts';

/** Months that are not all closed: the first open one, and the last past one that is wanted. */
export interface MonthsBehind {
  readonly reseller_id: string;
  readonly since: string;
  readonly next: string;
  readonly last: string;
}

export async function monthsBehind(db: Reader, lastOver: string): Promise<MonthsBehind[]> {
  return db.many<MonthsBehind>(sql`
    select reseller_id, since, next, last from (
      select reseller_id, since, coalesce((through + interval '1 month')::date, since) as next, least(until, ${lastOver}::date) as last from invoice_months
    ) m where next <= last order by reseller_id, since`);
}

/** Nothing if another process was first. */
export async function closeMonth(tx: Tx, resellerId: string, since: string, month: string): Promise<void> {
  await tx.run(sql`
    update invoice_months set through = ${month}::date
    where reseller_id = ${resellerId} and since = ${since}::date and coalesce(through < ${month}::date, true)`);
}

/** From the present month on, complete; or not from this month any more. The caller holds the row of the settings. */
export async function wantMonths(tx: Tx, resellerId: string, wanted: ChildInvoices, present: string): Promise<void> {
  const before = sql`(${present}::date - interval '1 month')::date`;
  if (wanted === 'none') {
    await tx.run(sql`update invoice_months set until = ${before} where reseller_id = ${resellerId} and until is null`);
    return;
  }
  const again = await tx.run(
    sql`update invoice_months set until = null where reseller_id = ${resellerId} and (until is null or until = ${before})`,
  );
  if (again === 0)
    await tx.run(sql`insert into invoice_months (reseller_id, since) values (${resellerId}, ${present}::date)`);
}

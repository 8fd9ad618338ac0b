import { everyTenant, inSnapshot } from '@namehold/base';
import type { House } from '../house.ts';
import { beginOf, monthOf } from '../invoices/month.ts';
import { nextTransactions } from '../ledger/verify.sql.ts';
import { verifyLimits } from '../ledger/verify.ts';
import { type Difference, difference, type Mend } from './difference.ts';
import {
  billsAgainstInvoices,
  chargesAgainstInvoices,
  chargesOfDocuments,
  gapsInNumbers,
  wrongChildDocuments,
  wrongDocuments,
} from './invoices.sql.ts';

/** Documents that were issued are evidence: no program of ours puts one right. */
const byHand = (words: string): Mend => ({ act: 'by_hand', words });
const mends: Readonly<Record<string, Mend>> = {
  bill_without_invoice: byHand(
    'something was sold and nothing says why there is no invoice: find out who removed it; a row in invoice_due has it issued',
  ),
  invoice_without_sale: byHand('an invoice was issued for what was not sold: find out who changed it, and credit it'),
  invoice_total: byHand(
    'the documents of this bill say another amount than the ledger: find out which was changed (database log, backup)',
  ),
  invoice_paid: byHand(
    'the invoice says another payment than the entries: find out which was changed (database log, backup)',
  ),
  invoice_lines: byHand('the document was changed after it was issued: restore it from a backup'),
  invoice_credited: byHand('an invoice and its credit notes differ: find out which was changed (database log, backup)'),
  charge_without_invoice: byHand(
    'a sub-reseller was charged in a month that is over, and no invoice has it: look whether the job invoice-children runs; else find out who removed it (database log, backup)',
  ),
  charge_total: byHand(
    'the invoice of a sub-reseller says another amount than the ledger: find out which was changed (database log, backup)',
  ),
  invoice_charges: byHand(
    'an invoice of a sub-reseller has other charges than its lines: find out which was changed (database log, backup)',
  ),
  number_gap: byHand(
    'a document is missing in its series, or was made behind its counter: find it in the audit log and in a backup',
  ),
};

/** After the end of a month, until its invoices must be there. */
const closingPatienceMs = 86_400_000;

/** The fifth book: documents against bills, and in themselves. */
export async function* compareInvoices(
  { db, clock }: Pick<House, 'db' | 'clock'>,
  patienceSeconds: number,
): AsyncGenerator<Difference> {
  const owedBefore = beginOf(monthOf(new Date(clock.now().getTime() - closingPatienceMs)));
  for (let after = '0'; ; ) {
    const upTo = await nextTransactions(db.as(everyTenant), after, verifyLimits.transactionsPerSlice);
    if (upTo === undefined) break;
    const slice = { after, upTo };
    const rows = await inSnapshot(db, async (tx) => [
      ...(await billsAgainstInvoices(tx, slice, patienceSeconds)),
      ...(await wrongDocuments(tx, slice)),
      ...(await chargesAgainstInvoices(tx, slice, patienceSeconds, owedBefore)),
    ]);
    for (const row of rows) yield difference('invoices', row, mends[row.rule]!);
    after = upTo;
  }
  const rest = await inSnapshot(db, async (tx) => [
    ...(await wrongChildDocuments(tx)),
    ...(await chargesOfDocuments(tx)),
    ...(await gapsInNumbers(tx)),
  ]);
  for (const row of rest) yield difference('invoices', row, mends[row.rule]!);
}

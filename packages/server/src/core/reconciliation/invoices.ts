import type { Database } from '@namehold/postgres';
import type { AppContext } from '../app-context.ts';
import { beginOf, monthOf } from '../invoices/month.ts';
import { bySlice, inSlice, type SliceResult } from '../ledger/slices.ts';
import { nextTransactions } from '../ledger/verify.sql.ts';
import { type Difference, difference, type FoundRow, type Repair } from './difference.ts';
import {
  billsAgainstInvoices,
  chargesAgainstInvoices,
  chargesOfDocuments,
  gapsInNumbers,
  wrongChildDocuments,
  wrongDocuments,
} from './invoices.sql.ts';

/** Issued documents are evidence: no program changes them. */
const manualOnly = (message: string): Repair => ({ action: 'manual', message });
const repairs: Readonly<Record<string, Repair>> = {
  bill_without_invoice: manualOnly(
    'something was sold, and no reason is recorded why there is no invoice: find out what removed it; a row in invoice_due has it issued',
  ),
  invoice_without_sale: manualOnly(
    'an invoice was issued for something that was not sold: find out what changed it, and credit it',
  ),
  invoice_total: manualOnly(
    'the documents of this bill and the ledger have different amounts: find out which was changed (database log, backup)',
  ),
  invoice_paid: manualOnly(
    'the invoice and the entries have different payments: find out which was changed (database log, backup)',
  ),
  invoice_lines: manualOnly('the document was changed after it was issued: restore it from a backup'),
  invoice_credited: manualOnly(
    'an invoice and its credit notes differ: find out which was changed (database log, backup)',
  ),
  charge_without_invoice: manualOnly(
    'a sub-reseller was charged in a past month, and no invoice has the charge: check whether the job invoice-sub-resellers runs; otherwise find out what removed it (database log, backup)',
  ),
  charge_total: manualOnly(
    'the invoice of a sub-reseller and the ledger have different amounts: find out which was changed (database log, backup)',
  ),
  invoice_charges: manualOnly(
    "the lines and the charges of a sub-reseller's invoice differ: find out which was changed (database log, backup)",
  ),
  number_gap: manualOnly(
    'a document is missing in its series, or was made without its counter: find it in the audit log and in a backup',
  ),
};

/** Time after the end of a month until its invoices must exist. */
const closingToleranceMs = 86_400_000;

/** Compares bills and charges with documents. */
export function compareInvoices(
  { db, clock }: Pick<AppContext, 'db' | 'clock'>,
  toleranceSeconds: number,
  from = '0',
): AsyncGenerator<SliceResult<Difference>> {
  const owedBefore = beginOf(monthOf(new Date(clock.now().getTime() - closingToleranceMs)));
  return bySlice(db, from, nextTransactions, async (tx, slice) =>
    named([
      ...(await billsAgainstInvoices(tx, slice, toleranceSeconds)),
      ...(await wrongDocuments(tx, slice)),
      ...(await chargesAgainstInvoices(tx, slice, toleranceSeconds, owedBefore)),
    ]),
  );
}

/** Documents by themselves have no sequential ids, so they are compared in one slice. */
export async function* compareDocuments(db: Database): AsyncGenerator<SliceResult<Difference>> {
  const rows = await inSlice(db, async (tx) => [
    ...(await wrongChildDocuments(tx)),
    ...(await chargesOfDocuments(tx)),
    ...(await gapsInNumbers(tx)),
  ]);
  yield { found: named(rows), place: '' };
}

const named = (rows: readonly FoundRow[]): Difference[] =>
  rows.map((row) => difference('invoices', row, repairs[row.rule]!));

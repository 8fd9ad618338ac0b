import { formatMoney, money, parseMoney } from '@namehold/base';
import type { Database } from '@namehold/postgres';
import { bySlice, type SliceResult } from '../ledger/slices.ts';
import { nextTransactions } from '../ledger/verify.sql.ts';
import { type Difference, difference, type FoundRow, type Repair } from './difference.ts';
import { importedWithoutLine } from './incoming.sql.ts';
import { incomingRepairs } from './incoming.ts';
import {
  billsAgainstOrders,
  depositsAgainstAudit,
  nextAudited,
  pricesAgainstOrders,
  purchasesAgainstOperations,
  type RefundRow,
  refundsAndDeletes,
} from './purchases.sql.ts';

const repairs: Readonly<Record<string, Repair>> = {
  purchase_without_operation: {
    action: 'manual',
    message: 'this purchase has no operation: look for it in the audit log and in a backup',
  },
  held_after_done: { action: 'capture', message: 'the order is done: capture the money that is still on hold' },
  held_after_refusal: { action: 'release', message: 'nothing was bought: release the money on hold' },
  captured_after_refusal: { action: 'refund', message: 'nothing was bought: refund the money' },
  refused_though_bought: {
    action: 'manual',
    message:
      'the order is refused, but its answer or the domain shows that it was bought. Refund nothing: compare the domain with the registry; if the registry has it, correct the order',
  },
  captured_while_open: {
    action: 'ask_again',
    message: 'the money was captured before the order ended: complete the order',
  },
  released_after_done: {
    action: 'manual',
    message: 'the order is done and was not paid: charge it with a debit note, or waive it',
  },
  released_while_open: {
    action: 'manual',
    message:
      'the money was released before the order ended: settle the operation as refused, or as done and charge it with a debit note',
  },
  waits_though_run: {
    action: 'manual',
    message: 'the order waits and its bill is not open: find out what changed it, and cancel or execute the order',
  },
  bill_without_order: {
    action: 'manual',
    message: 'this bill will never be executed or cancelled: look for its order in the audit log and in a backup',
  },
  bill_without_operation: {
    action: 'manual',
    message: 'this bill has no operation: look for it in the audit log and in a backup',
  },
  price_differs: {
    action: 'manual',
    message:
      'the price in the ledger differs from the price of the order: find out what changed it, and refund or charge the difference with a fund or a debit note',
  },
  deposit_unaudited: {
    action: 'manual',
    message:
      'this money has no recorded origin: find out where it came from (database log, backup), then reverse it with a debit note or a fund',
  },
  deposit_differs: {
    action: 'manual',
    message:
      'the amount in the ledger differs from the deposit or note: correct it with a fund or a debit note, and find out what changed it',
  },
  refund_without_delete: {
    action: 'manual',
    message: 'money was refunded and nothing was deleted for it: charge it with a debit note',
  },
  refund_differs: {
    action: 'manual',
    message: 'the refund differs from the amount in the operation: correct it with a fund or a debit note',
  },
  payment_without_line: incomingRepairs.payment_without_line!,
};

/** Compares captures with finished operations, and refunds with deletes. */
export const comparePurchases = (db: Database, from = '0'): AsyncGenerator<SliceResult<Difference>> =>
  bySlice(db, from, nextTransactions, async (tx, slice) => {
    const rows = [
      ...(await purchasesAgainstOperations(tx, slice)),
      ...(await billsAgainstOrders(tx, slice)),
      ...(await depositsAgainstAudit(tx, slice)),
      ...(await importedWithoutLine(tx, slice)),
      ...(await refundsAndDeletes(tx, slice)).flatMap(wrongRefund),
    ];
    return rows.map((row) => difference('entries', row, repairs[row.rule]!));
  });

/** Walks the audit log, which has the price; both ends of the join are keys. */
export const comparePrices = (db: Database, from = '0'): AsyncGenerator<SliceResult<Difference>> =>
  bySlice(db, from, nextAudited, async (tx, slice) =>
    (await pricesAgainstOrders(tx, slice)).map((row) => difference('entries', row, repairs[row.rule]!)),
  );

function wrongRefund(row: RefundRow): FoundRow[] {
  const given = BigInt(row.refunded);
  const promised = row.promised === null ? 0n : parseMoney(row.promised, row.currency).amount;
  if (given === promised) return [];
  const show = (amount: bigint) => `${formatMoney(money(amount, row.currency))} ${row.currency}`;
  const found = {
    subject: `transaction ${row.transaction_id}`,
    transaction_id: row.transaction_id,
    operation_id: row.promised_by ?? row.operation_id,
    domain_id: row.domain_id,
    name: row.name,
    amount: (given - promised).toString(),
    currency: row.currency,
  };
  return row.promised_by === null
    ? [{ ...found, rule: 'refund_without_delete', detail: `${show(given)} refunded, and no operation refunded it` }]
    : [
        {
          ...found,
          rule: 'refund_differs',
          detail: `${show(given)} given back, ${row.promised_by} says ${show(promised)}`,
        },
      ];
}

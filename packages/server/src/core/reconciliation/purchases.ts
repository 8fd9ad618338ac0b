import { type Database, formatMoney, money, parseMoney } from '@namehold/base';
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

const mends: Readonly<Record<string, Repair>> = {
  purchase_without_operation: {
    act: 'by_hand',
    words: 'no operation knows of this purchase: look for it in the audit log and in a backup',
  },
  held_after_done: { act: 'capture', words: 'the order is done: take the money that is still on hold' },
  held_after_refusal: { act: 'release', words: 'nothing was bought: give the money on hold back' },
  captured_after_refusal: { act: 'refund', words: 'nothing was bought: give the money back' },
  refused_though_bought: {
    act: 'by_hand',
    words:
      'only the order says that it was refused; its answer or the name says that it was bought. Give nothing back: compare the name with the registry, and where it holds it the order is what is wrong',
  },
  captured_while_open: {
    act: 'ask_again',
    words: 'the money was taken before the order ended: bring the order to its end',
  },
  released_after_done: {
    act: 'by_hand',
    words: 'the order is done and was not paid: charge it with a debit note, or give it away knowingly',
  },
  released_while_open: {
    act: 'by_hand',
    words:
      'the money went back before the order ended: settle the operation as refused, or as done and charge it with a debit note',
  },
  waits_though_run: {
    act: 'by_hand',
    words:
      'the order waits and its bill says that it does not: find out who changed it, and cancel or execute the order',
  },
  bill_without_order: {
    act: 'by_hand',
    words: 'nothing will ever run or cancel this bill: look for its order in the audit log and in a backup',
  },
  bill_without_operation: {
    act: 'by_hand',
    words: 'no operation knows of this bill: look for it in the audit log and in a backup',
  },
  price_differs: {
    act: 'by_hand',
    words:
      'the ledger has another price than the order was placed for: find out who changed it, and give back or charge what differs with a fund or a debit note',
  },
  deposit_unaudited: {
    act: 'by_hand',
    words:
      'nobody is known to have given or taken this money: find out where it came from (database log, backup), then take it back with a debit note, or give it back with a fund',
  },
  deposit_differs: {
    act: 'by_hand',
    words:
      'the ledger has another amount than was given: correct it with a fund or a debit note, and find out who changed it',
  },
  refund_without_delete: {
    act: 'by_hand',
    words: 'money was given back and nothing was deleted for it: charge it with a debit note',
  },
  refund_differs: {
    act: 'by_hand',
    words: 'what was given back is not what the operation says: correct it with a fund or a debit note',
  },
  payment_without_line: incomingRepairs.payment_without_line!,
};

/** Still the first book: captures against finished operations, refunds against deletes. */
export const comparePurchases = (db: Database, from = '0'): AsyncGenerator<SliceResult<Difference>> =>
  bySlice(db, from, nextTransactions, async (tx, slice) => {
    const rows = [
      ...(await purchasesAgainstOperations(tx, slice)),
      ...(await billsAgainstOrders(tx, slice)),
      ...(await depositsAgainstAudit(tx, slice)),
      ...(await importedWithoutLine(tx, slice)),
      ...(await refundsAndDeletes(tx, slice)).flatMap(wrongRefund),
    ];
    return rows.map((row) => difference('entries', row, mends[row.rule]!));
  });

/** Walked by the audit log, which knows the price; both ends of the join are keys. */
export const comparePrices = (db: Database, from = '0'): AsyncGenerator<SliceResult<Difference>> =>
  bySlice(db, from, nextAudited, async (tx, slice) =>
    (await pricesAgainstOrders(tx, slice)).map((row) => difference('entries', row, mends[row.rule]!)),
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
    ? [{ ...found, rule: 'refund_without_delete', detail: `${show(given)} given back, and no operation gave it back` }]
    : [
        {
          ...found,
          rule: 'refund_differs',
          detail: `${show(given)} given back, ${row.promised_by} says ${show(promised)}`,
        },
      ];
}

import type { Database, Tx } from '@namehold/base';
import { bySlice, inSlice, type SliceResult } from '../ledger/slices.ts';
import type { Slice } from '../ledger/verify.sql.ts';
import { type Difference, difference, type Repair } from './difference.ts';
import { nextOperations, operationsAgainstJournal, operationsWithoutPurchase } from './operations.sql.ts';

const mends: Readonly<Record<string, Repair>> = {
  arrived_late: {
    act: 'reopen',
    words:
      'take the order up again: its money is set aside again, the registry is asked, and what it shows is settled. Where the reseller does not want it any more, undo it at the registry instead',
  },
  sent_twice: {
    act: 'by_hand',
    words: 'the registry carried it out twice: ask the registry for its money back, and settle what the reseller got',
  },
  done_without_answer: {
    act: 'reconcile',
    words: 'nothing shows that the registry did it: compare the name with the registry, then refund or keep it',
  },
  refused_after_success: {
    act: 'reconcile',
    words:
      'the registry did it: compare the name with the registry; where the money went back charge it with a debit note or undo it there, else the order is what is wrong',
  },
  refused_without_answer: {
    act: 'reconcile',
    words: 'a command may have been carried out after the money went back: compare the name with the registry',
  },
  answered_not_settled: { act: 'ask_again', words: 'the registry has answered: bring the order to its end' },
  operation_without_purchase: {
    act: 'by_hand',
    words: 'the order and the ledger do not name each other: look at both in the audit log and in a backup',
  },
};

/** The second book: operations against what was sent and answered. */
export const compareOperations = (
  db: Database,
  patienceSeconds: number,
  from = '',
): AsyncGenerator<SliceResult<Difference>> =>
  bySlice(db, from, nextOperations, (tx, slice) => readOperations(tx, slice, patienceSeconds));

export const operationsBetween = (db: Database, slice: Slice, patienceSeconds: number): Promise<Difference[]> =>
  inSlice(db, (tx) => readOperations(tx, slice, patienceSeconds));

async function readOperations(tx: Tx, slice: Slice, patienceSeconds: number): Promise<Difference[]> {
  const rows = [
    ...(await operationsAgainstJournal(tx, slice, patienceSeconds)),
    ...(await operationsWithoutPurchase(tx, slice)),
  ];
  return rows.map((row) => difference('operations', row, mends[row.rule]!));
}

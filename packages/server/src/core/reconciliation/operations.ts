import type { Database, Tx } from '@namehold/postgres';
import { bySlice, inSlice, type SliceResult } from '../ledger/slices.ts';
import type { Slice } from '../ledger/verify.sql.ts';
import { type Difference, difference, type Repair } from './difference.ts';
import { nextOperations, operationsAgainstJournal, operationsWithoutPurchase } from './operations.sql.ts';

const repairs: Readonly<Record<string, Repair>> = {
  arrived_late: {
    action: 'reopen',
    message:
      "reopen the order: its money is held again, the registry is queried, and the order is settled by the registry's state. If the reseller does not want the domain any more, undo the order at the registry instead",
  },
  sent_twice: {
    action: 'manual',
    message:
      'the registry carried it out twice: claim the money back from the registry, and settle what the reseller got',
  },
  done_without_answer: {
    action: 'reconcile',
    message:
      'no evidence that the registry carried it out: compare the domain with the registry, then refund or keep it',
  },
  refused_after_success: {
    action: 'reconcile',
    message:
      'the registry carried it out: compare the domain with the registry; if the money was released, charge it with a debit note or undo it there, else correct the order',
  },
  refused_without_answer: {
    action: 'reconcile',
    message: 'a command may have been carried out after the money was released: compare the domain with the registry',
  },
  answered_not_settled: { action: 'ask_again', message: 'the registry has answered: complete the order' },
  operation_without_purchase: {
    action: 'manual',
    message: 'the order and the ledger do not reference each other: check both in the audit log and in a backup',
  },
};

/** Compares operations with the commands that were sent and answered. */
export const compareOperations = (
  db: Database,
  toleranceSeconds: number,
  from = '',
): AsyncGenerator<SliceResult<Difference>> =>
  bySlice(db, from, nextOperations, (tx, slice) => readOperations(tx, slice, toleranceSeconds));

export const operationsBetween = (db: Database, slice: Slice, toleranceSeconds: number): Promise<Difference[]> =>
  inSlice(db, (tx) => readOperations(tx, slice, toleranceSeconds));

async function readOperations(tx: Tx, slice: Slice, toleranceSeconds: number): Promise<Difference[]> {
  const rows = [
    ...(await operationsAgainstJournal(tx, slice, toleranceSeconds)),
    ...(await operationsWithoutPurchase(tx, slice)),
  ];
  return rows.map((row) => difference('operations', row, repairs[row.rule]!));
}

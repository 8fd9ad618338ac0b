import type { Database } from '@namehold/postgres';
import { bySlice, type SliceResult } from '../ledger/slices.ts';
import { deletedResellersInUse, moneyOfDeleted, nextLedgerAccounts, nextResellers } from './deleted.sql.ts';
import { type Difference, difference, type Repair } from './difference.ts';

export const undeleteOwner: Repair = {
  action: 'undelete',
  message: 'restore the deleted customer and contacts; then the reseller can move the domain, and delete them again',
};

const undeleteReseller: Repair = {
  action: 'undelete',
  message:
    'restore the deleted reseller, suspended; then its parent can handle its customers and resellers, and delete it again',
};

const undeletePayer: Repair = {
  action: 'undelete',
  message:
    'the seller of the account pays the money back and books a debit note; or restore the account, then do that and delete it again',
};

const undeleteDebtor: Repair = {
  action: 'undelete',
  message:
    'the account owes this amount, for example after a charge-back: restore it, book a deposit of the amount (paid, or waived by the seller), and delete it again',
};

/** Deleted resellers that still have customers, resellers or domains. */
export const compareDeletedResellers = (db: Database, from = '0'): AsyncGenerator<SliceResult<Difference>> =>
  bySlice(db, from, nextResellers, async (tx, slice) =>
    (await deletedResellersInUse(tx, slice)).map((row) => difference('domains', row, undeleteReseller)),
  );

/** Money of deleted customers and resellers. */
export const compareDeletedPayers = (db: Database, from = '0'): AsyncGenerator<SliceResult<Difference>> =>
  bySlice(db, from, nextLedgerAccounts, async (tx, slice) =>
    (await moneyOfDeleted(tx, slice)).map((row) =>
      difference('entries', row, row.amount?.startsWith('-') ? undeleteDebtor : undeletePayer),
    ),
  );

import type { Database } from '@namehold/base';
import { bySlice, type SliceResult } from '../ledger/slices.ts';
import { deletedResellersInUse, moneyOfDeleted, nextLedgerAccounts, nextResellers } from './deleted.sql.ts';
import { type Difference, difference, type Repair } from './difference.ts';

export const undeleteOwner: Repair = {
  act: 'undelete',
  words: 'bring the deleted customer and contacts back; then the reseller can move the domain, and delete them again',
};

const undeleteReseller: Repair = {
  act: 'undelete',
  words:
    'bring the deleted reseller back, suspended; then its parent can look after what is below it, and delete it again',
};

const undeletePayer: Repair = {
  act: 'undelete',
  words:
    'whoever sold to the account gives the money back and takes it off by a debit note; or bring the account back, then do that and delete it again',
};

/** Deleted resellers that something still belongs to. */
export const compareDeletedResellers = (db: Database, from = '0'): AsyncGenerator<SliceResult<Difference>> =>
  bySlice(db, from, nextResellers, async (tx, slice) =>
    (await deletedResellersInUse(tx, slice)).map((row) => difference('domains', row, undeleteReseller)),
  );

/** Money of deleted customers and resellers. */
export const compareDeletedPayers = (db: Database, from = '0'): AsyncGenerator<SliceResult<Difference>> =>
  bySlice(db, from, nextLedgerAccounts, async (tx, slice) =>
    (await moneyOfDeleted(tx, slice)).map((row) => difference('entries', row, undeletePayer)),
  );

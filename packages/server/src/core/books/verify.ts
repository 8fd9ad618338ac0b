import { everyTenant } from '@namehold/base';
import type { House } from '../house.ts';
import { countRows } from '../ledger/verify.sql.ts';
import { type Book, type Difference, books as everyBook } from './difference.ts';
import { compareDomains } from './domains.ts';
import { compareEntries } from './entries.ts';
import { countInvoices } from './invoices.sql.ts';
import { compareInvoices } from './invoices.ts';
import { compareOperations } from './operations.ts';
import { comparePrices, comparePurchases } from './purchases.ts';
import { compareRegistries, type Skipped } from './registry.ts';
import { countBooks } from './run.sql.ts';

export const booksLimits = {
  /** So many differences are kept and told one by one; beyond that they are only counted. */
  differencesKept: 1_000,
  /** An answer may wait so long for its settlement before that is a difference. */
  settlePatienceSeconds: 3_600,
};

export interface BooksReport {
  readonly counts: Readonly<Record<string, number>>;
  readonly differences: readonly Difference[];
  /** All of them, kept or not. */
  readonly found: number;
  readonly compared: readonly Book[];
  readonly skipped: readonly Skipped[];
}

/** Compares the books, each with each, a slice at a time. Writes nothing. */
export async function verifyBooks(house: House, wanted: readonly Book[] = everyBook): Promise<BooksReport> {
  const differences: Difference[] = [];
  const skipped: Skipped[] = [];
  let found = 0;
  const take = async (rows: AsyncGenerator<Difference>) => {
    for await (const row of rows) {
      found += 1;
      if (differences.length < booksLimits.differencesKept) differences.push(row);
    }
  };
  if (wanted.includes('entries')) {
    await take(compareEntries(house.db));
    await take(comparePurchases(house.db));
    await take(comparePrices(house.db));
  }
  if (wanted.includes('operations')) await take(compareOperations(house.db, booksLimits.settlePatienceSeconds));
  if (wanted.includes('domains')) await take(compareDomains(house.db));
  if (wanted.includes('registry')) await take(compareRegistries(house, (each) => skipped.push(each)));
  if (wanted.includes('invoices')) await take(compareInvoices(house, booksLimits.settlePatienceSeconds));
  const db = house.db.as(everyTenant);
  const counts = { ...(await countRows(db)), ...(await countBooks(db)), invoices: await countInvoices(db) };
  return { counts, differences, found, compared: [...wanted], skipped };
}

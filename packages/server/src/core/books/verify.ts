import type { House } from '../house.ts';
import { inSlice, type Told } from '../ledger/slices.ts';
import { countRows } from '../ledger/verify.sql.ts';
import { compareAccounts, compareTransactions } from '../ledger/verify.ts';
import { compareDeletedPayers, compareDeletedResellers } from './deleted.ts';
import { type Book, type Difference, books as everyBook } from './difference.ts';
import { compareDomains } from './domains.ts';
import { compareEntries } from './entries.ts';
import { compareLines, compareUnmatched } from './incoming.ts';
import { countInvoices } from './invoices.sql.ts';
import { compareDocuments, compareInvoices } from './invoices.ts';
import { compareOperations } from './operations.ts';
import type { BooksPlace } from './place.ts';
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

interface Walk {
  readonly name: string;
  readonly book: Book;
  readonly from: (
    house: House,
    place: string | undefined,
    skip: (each: Skipped) => void,
  ) => AsyncGenerator<Told<Difference>>;
}

const patience = booksLimits.settlePatienceSeconds;
const walks: readonly Walk[] = [
  { name: 'accounts', book: 'entries', from: ({ db }, place) => compareEntries(db, compareAccounts(db, place)) },
  {
    name: 'transactions',
    book: 'entries',
    from: ({ db }, place) => compareEntries(db, compareTransactions(db, place)),
  },
  { name: 'deleted_payers', book: 'entries', from: ({ db }, place) => compareDeletedPayers(db, place) },
  { name: 'purchases', book: 'entries', from: ({ db }, place) => comparePurchases(db, place) },
  { name: 'prices', book: 'entries', from: ({ db }, place) => comparePrices(db, place) },
  { name: 'bank lines', book: 'entries', from: ({ db }, place) => compareLines(db, place) },
  { name: 'unmatched', book: 'entries', from: (house) => compareUnmatched(house, patience) },
  { name: 'operations', book: 'operations', from: ({ db }, place) => compareOperations(db, patience, place) },
  { name: 'domains', book: 'domains', from: ({ db }, place) => compareDomains(db, place) },
  { name: 'deleted_resellers', book: 'domains', from: ({ db }, place) => compareDeletedResellers(db, place) },
  { name: 'registries', book: 'registry', from: (house, place, skip) => compareRegistries(house, skip, place) },
  { name: 'bills', book: 'invoices', from: (house, place) => compareInvoices(house, patience, place) },
  { name: 'documents', book: 'invoices', from: ({ db }) => compareDocuments(db) },
];

/** Told after each slice: what it found of what is kept, and how far all is. */
export type Reached = (kept: readonly Difference[], at: BooksPlace) => Promise<void>;

/** Compares the books, each with each, a slice at a time, from the beginning or from where another came to. Writes nothing. */
export async function verifyBooks(
  house: House,
  wanted: readonly Book[] = everyBook,
  { from, reached }: { readonly from?: BooksPlace | null; readonly reached?: Reached } = {},
): Promise<BooksReport> {
  const differences: Difference[] = [];
  const skipped = [...(from?.skipped ?? [])];
  let found = from?.found ?? 0;
  const ahead = walks.filter(({ book }) => wanted.includes(book));
  const begun = ahead.findIndex(({ name }) => name === from?.walk);
  for (const walk of ahead.slice(Math.max(begun, 0))) {
    const place = walk.name === from?.walk ? (from.place ?? undefined) : undefined;
    for await (const told of walk.from(house, place, (each) => skipped.push(each))) {
      const kept = told.found.slice(0, Math.max(booksLimits.differencesKept - found, 0));
      differences.push(...kept);
      found += told.found.length;
      await reached?.(kept, { walk: walk.name, place: told.place, found, skipped });
    }
  }
  return { counts: await countAll(house), differences, found, compared: [...wanted], skipped };
}

const countAll = ({ db }: House): Promise<Record<string, number>> =>
  inSlice(db, async (tx) => ({
    ...(await countRows(tx)),
    ...(await countBooks(tx)),
    invoices: await countInvoices(tx),
  }));

import type { AppContext } from '../app-context.ts';
import { inSlice, type SliceResult } from '../ledger/slices.ts';
import { countRows } from '../ledger/verify.sql.ts';
import { compareAccounts, compareTransactions } from '../ledger/verify.ts';
import { compareDeletedPayers, compareDeletedResellers } from './deleted.ts';
import { reconciliationSources as allSources, type Difference, type ReconciliationSource } from './difference.ts';
import { compareDomains } from './domains.ts';
import { compareEntries } from './entries.ts';
import { compareLines, compareUnmatched } from './incoming.ts';
import { countInvoices } from './invoices.sql.ts';
import { compareDocuments, compareInvoices } from './invoices.ts';
import { compareOperations } from './operations.ts';
import type { ReconciliationProgress } from './progress.ts';
import { comparePrices, comparePurchases } from './purchases.ts';
import { compareRegistries, type Skipped } from './registry.ts';
import { countReconciled } from './run.sql.ts';

export const reconciliationLimits = {
  /** Maximum of differences that are kept and reported one by one; more are only counted. */
  differencesKept: 1_000,
  /** An answer that waits longer than this for its settlement is a difference. */
  settlingToleranceSeconds: 3_600,
};

export interface ReconciliationReport {
  readonly counts: Readonly<Record<string, number>>;
  readonly differences: readonly Difference[];
  /** All of them, kept or not. */
  readonly found: number;
  readonly compared: readonly ReconciliationSource[];
  readonly skipped: readonly Skipped[];
}

interface Walk {
  readonly name: string;
  readonly source: ReconciliationSource;
  readonly from: (
    ctx: AppContext,
    place: string | undefined,
    skip: (each: Skipped) => void,
  ) => AsyncGenerator<SliceResult<Difference>>;
}

const toleranceSeconds = reconciliationLimits.settlingToleranceSeconds;
const walks: readonly Walk[] = [
  { name: 'accounts', source: 'entries', from: ({ db }, place) => compareEntries(db, compareAccounts(db, place)) },
  {
    name: 'transactions',
    source: 'entries',
    from: ({ db }, place) => compareEntries(db, compareTransactions(db, place)),
  },
  { name: 'deleted_payers', source: 'entries', from: ({ db }, place) => compareDeletedPayers(db, place) },
  { name: 'purchases', source: 'entries', from: ({ db }, place) => comparePurchases(db, place) },
  { name: 'prices', source: 'entries', from: ({ db }, place) => comparePrices(db, place) },
  { name: 'bank lines', source: 'entries', from: ({ db }, place) => compareLines(db, place) },
  { name: 'unmatched', source: 'entries', from: (ctx) => compareUnmatched(ctx, toleranceSeconds) },
  { name: 'operations', source: 'operations', from: ({ db }, place) => compareOperations(db, toleranceSeconds, place) },
  { name: 'domains', source: 'domains', from: ({ db }, place) => compareDomains(db, place) },
  { name: 'deleted_resellers', source: 'domains', from: ({ db }, place) => compareDeletedResellers(db, place) },
  { name: 'registries', source: 'registry', from: (ctx, place, skip) => compareRegistries(ctx, skip, place) },
  { name: 'bills', source: 'invoices', from: (ctx, place) => compareInvoices(ctx, toleranceSeconds, place) },
  { name: 'documents', source: 'invoices', from: ({ db }) => compareDocuments(db) },
];

/** Called after each slice with its kept differences and the position. */
type Reached = (kept: readonly Difference[], at: ReconciliationProgress) => Promise<void>;

/** Compares the chosen sources slice by slice, from the beginning or from the position of an earlier run. Writes nothing. */
export async function reconcile(
  ctx: AppContext,
  wanted: readonly ReconciliationSource[] = allSources,
  { from, reached }: { readonly from?: ReconciliationProgress | null; readonly reached?: Reached } = {},
): Promise<ReconciliationReport> {
  const differences: Difference[] = [];
  const skipped = [...(from?.skipped ?? [])];
  let found = from?.found ?? 0;
  const ahead = walks.filter(({ source }) => wanted.includes(source));
  const begun = ahead.findIndex(({ name }) => name === from?.walk);
  for (const walk of ahead.slice(Math.max(begun, 0))) {
    const place = walk.name === from?.walk ? (from.place ?? undefined) : undefined;
    for await (const sliceResult of walk.from(ctx, place, (each) => skipped.push(each))) {
      const kept = sliceResult.found.slice(0, Math.max(reconciliationLimits.differencesKept - found, 0));
      differences.push(...kept);
      found += sliceResult.found.length;
      await reached?.(kept, { walk: walk.name, place: sliceResult.place, found, skipped });
    }
  }
  return { counts: await countAll(ctx), differences, found, compared: [...wanted], skipped };
}

const countAll = ({ db }: AppContext): Promise<Record<string, number>> =>
  inSlice(db, async (tx) => ({
    ...(await countRows(tx)),
    ...(await countReconciled(tx)),
    invoices: await countInvoices(tx),
  }));

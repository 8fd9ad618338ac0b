import { setImmediate } from 'node:timers/promises';
import { readInstant } from '@namehold/base';
import { type Actor, type AppContext, write } from '../app-context.ts';
import { badField, Refusal } from '../errors.ts';
import { watchCostCurrencies } from '../registries/currency.ts';
import { type CsvRow, missingColumns, parseCsv } from './csv.ts';
import { type PriceAction, priceActions, priceLimits } from './price.ts';
import { type PriceLine, sellingCurrencyOf } from './pricing.sql.ts';
import { costPlaces, type PriceTarget, readLine, storePrices, unknownTlds, type WrittenPrice } from './set-price.ts';

export interface ImportReport {
  readonly stored: number;
  readonly refused: number;
  /** TLDs in the file that are not in the catalogue: their prices are kept, but they cannot be ordered yet. */
  readonly unknownTlds: readonly string[];
  /** One entry per line of the file, without the header. */
  readonly lines: readonly {
    readonly line: number;
    readonly status: 'stored' | 'refused' | 'not_stored';
    readonly reason: string | null;
  }[];
}

const columns = ['tld', 'action', 'years', 'currency', 'amount', 'valid_from', 'valid_to', 'registry'] as const;
const needed = ['tld', 'action', 'amount'] as const;

interface PriceImport {
  readonly target: PriceTarget;
  readonly csv: string;
  readonly allOrNothing: boolean;
  /** Of costs in lines without a registry. */
  readonly registryId?: string | undefined;
}

/** Imports prices in bulk. With `allOrNothing` one bad line rejects all, and the report names it. */
export async function importPrices(ctx: AppContext, actor: Actor, order: PriceImport): Promise<ImportReport> {
  if (order.target === 'cost' && !actor.isOperator) throw new Refusal('operator_only');
  const parsed = parseCsv(order.csv.replace(/^\uFEFF/, ''));
  if (!parsed) throw badField('csv', 'A quotation mark is opened and never closed. Close it, or remove it.');
  const [header, ...rows] = parsed;
  const columnsOf = readHeader(header);
  if (rows.length > priceLimits.importLines)
    throw badField('csv', `Must have at most ${priceLimits.importLines} lines.`, 'too_many');
  const report = await write(ctx, actor, async (tx) => {
    const currency = await sellingCurrencyOf(tx, actor.resellerId);
    const now = ctx.clock.now();
    const places = await costPlaces(ctx, tx, order.target);
    const read = await readRows(rows, (row) =>
      readRow(row, columnsOf, (written) => readLine({ registry: order.registryId, ...written }, currency, now, places)),
    );
    const refused = read.filter((entry) => 'reason' in entry).length;
    const storing = refused === 0 || !order.allOrNothing;
    const good = read.flatMap((entry) => ('price' in entry ? [entry.price] : []));
    if (storing) await storePrices(ctx, tx, actor, order.target, good);
    return {
      stored: storing ? good.length : 0,
      refused,
      unknownTlds: storing ? await unknownTlds(tx, good) : [],
      lines: read.map((entry) =>
        'reason' in entry
          ? { line: entry.line, status: 'refused' as const, reason: entry.reason }
          : { line: entry.line, status: storing ? ('stored' as const) : ('not_stored' as const), reason: null },
      ),
    };
  });
  if (order.target === 'cost') await watchCostCurrencies(ctx);
  return report;
}

interface Header {
  readonly places: Partial<Record<(typeof columns)[number], number>>;
  /** The number of columns, with those that are not read. */
  readonly width: number;
}

function readHeader(header: CsvRow | undefined): Header {
  const names = header?.fields.map((name) => name.trim().toLowerCase()) ?? [];
  const places: Header['places'] = {};
  for (const column of columns) {
    const place = names.indexOf(column);
    if (place !== -1) places[column] = place;
  }
  const missing = needed.filter((column) => places[column] === undefined);
  if (missing.length > 0) throw missingColumns(missing, columns);
  return { width: names.length, places };
}

/** Rows processed before other requests get the event loop. */
const rowsATurn = 500;

async function readRows(rows: readonly CsvRow[], read: (row: CsvRow) => ReadRow): Promise<ReadRow[]> {
  const done: ReadRow[] = [];
  for (let at = 0; at < rows.length; at += rowsATurn) {
    done.push(...rows.slice(at, at + rowsATurn).map(read));
    await setImmediate();
  }
  return done;
}

type ReadRow = { readonly line: number } & ({ readonly price: PriceLine } | { readonly reason: string });

/** The words of the console for actions. */
const actionWords: Readonly<Record<string, PriceAction>> = {
  registration: 'create',
  renewal: 'renew',
  'privacy protection': 'privacy',
  'change of registrant': 'trade',
  registrant_change: 'trade',
};

function actionOf(text: string): PriceAction {
  const word = text.toLowerCase();
  const action = actionWords[word] ?? priceActions.find((each) => each === word);
  if (action) return action;
  throw badField('action', 'Must be registration, renewal, transfer, restore, privacy or registrant_change.');
}

/** A decimal comma moves the rest of the line by one column, so that a wrong amount would be stored. */
function checkWidth({ fields }: CsvRow, { places, width }: Header): void {
  const place = places.amount ?? 0;
  const [whole = '', decimals = ''] = fields.slice(place, place + 2).map((field) => field.trim());
  const isLonger = fields.slice(width).some((field) => field.trim() !== '');
  const isComma = /^\d+$/.test(whole) && /^\d{1,2}$/.test(decimals) && (isLonger || places.years !== place + 1);
  if (isComma) throw badField('amount', `Write ${whole}.${decimals} with a point, because a comma separates columns.`);
  if (isLonger) throw badField('csv', `The line has ${fields.length} values, but the header has ${width} columns.`);
}

/** The error of a line, with the column as the file names it. */
function reasonOf({ message, details }: Refusal): string {
  const [first] = details.errors ?? [];
  return first ? `${first.field.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)}: ${first.message}` : message;
}

function readRow(row: CsvRow, header: Header, read: (written: WrittenPrice) => PriceLine): ReadRow {
  const { line, fields } = row;
  const value = (column: (typeof columns)[number]): string | undefined => {
    const place = header.places[column];
    const text = place === undefined ? '' : (fields[place] ?? '').trim();
    return text === '' ? undefined : text;
  };
  try {
    checkWidth(row, header);
    const registry = value('registry');
    const price = read({
      tld: value('tld') ?? '',
      action: actionOf(value('action') ?? ''),
      years: value('years') === undefined ? undefined : Number(value('years')),
      // A price is removed by a keyword, never by an empty cell.
      amount: value('amount') === 'none' ? null : (value('amount') ?? ''),
      currency: value('currency'),
      validFrom: momentOf('valid_from', value('valid_from')),
      validTo: momentOf('valid_to', value('valid_to')),
      ...(registry === undefined ? {} : { registry }),
    });
    return { line, price };
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    return { line, reason: reasonOf(error) };
  }
}

function momentOf(field: string, text: string | undefined): Date | undefined {
  if (text === undefined) return undefined;
  const moment = readInstant(text.includes('T') ? text : `${text}T00:00:00Z`);
  if (!moment) throw badField(field, 'Must be a date such as 2027-01-31 or a time such as 2027-01-31T12:00:00Z.');
  return moment;
}

import { dayMs } from '@namehold/base';
import { allTenants, type Tx } from '@namehold/postgres';
import type { AppContext } from '../../../core/app-context.ts';
import type { Holding, Registry, Reply, StatementLine } from '../../../core/ports/registry.ts';
import {
  addListedCharges,
  addListedNames,
  isListed,
  type ListingRun,
  listingPage,
  removeListing,
} from '../../../core/registries/listing.sql.ts';
import { type Columns, eachPage, rowsOf, type Side, timeOf } from './call.ts';

interface Listed {
  readonly name: string;
  readonly expiresAt: Date | null;
  readonly isRenewalOrdered: boolean;
}

interface Booked {
  readonly name: string;
  readonly line: StatementLine;
}

/** What the EPP driver shows for the row of a list. */
export type ShownAs = (row: {
  readonly name: string;
  readonly expiresAt: Date | null;
  readonly mode: string | undefined;
}) => Pick<Listed, 'expiresAt' | 'isRenewalOrdered'>;

interface Parts {
  readonly ctx: AppContext;
  readonly registryId: string;
  readonly side: Side;
  readonly shownAs: ShownAs;
}

/** Bookings of other services have a description that is not a domain name. */
const domainName = /^(?=.{4,253}$)([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z0-9-]{2,63}$/;
const amountForm = /^(-?)(\d{1,12}(?:\.\d{1,4})?)$/;
/** Rows of a run that never ended are removed after this time. */
const leftMs = 2 * dayMs;
const done = { kind: 'done', data: null, pending: false, evidence: {} } as const;

/** The list of our domains with their bookings. All pages of one comparison come from the read that began it. */
export function sideHoldings(parts: Parts): Required<Pick<Registry, 'holdings'>> {
  const { ctx, registryId } = parts;
  let listing: ListingRun | undefined;
  const remove = (old: ListingRun): Promise<void> =>
    ctx.db.transaction(allTenants, (tx) => removeListing(tx, old, new Date(ctx.wall.now().getTime() - leftMs)));
  return {
    async holdings(wanted) {
      if ('name' in wanted) return holdingOf(parts, wanted.name);
      const db = ctx.db.as(allTenants);
      if (wanted.after === '' || !listing || !(await isListed(db, listing.run))) {
        if (listing) await remove(listing);
        listing = undefined;
        const fresh = { registryId, run: ctx.ids.next('ls') };
        const read = await readAll(parts, fresh);
        if (read.kind !== 'done') {
          await remove(fresh);
          return read;
        }
        listing = fresh;
      }
      const data = await listingPage(db, listing.run, wanted.after, wanted.limit);
      if (data.length < wanted.limit) await remove(listing);
      return { ...done, data };
    },
  };
}

/** Stores each page at once, so that memory does not grow with the list. */
async function readAll(parts: Parts, listing: ListingRun): Promise<Reply<null>> {
  const { ctx } = parts;
  const now = ctx.wall.now();
  const store = (write: (tx: Tx) => Promise<void>) => ctx.db.transaction(allTenants, write);
  const ordered = new Set<string>();
  const names = (rows: readonly Omit<Listed, 'isRenewalOrdered'>[], isOurs: boolean) =>
    rows.map(({ name, expiresAt }) => ({ remoteId: name, name, isOurs, expiresAt, statuses: null }));
  const listed = await listedPages(parts, undefined, async (rows) => {
    for (const row of rows) if (row.isRenewalOrdered) ordered.add(row.name);
    await store((tx) => addListedNames(tx, listing, names(rows, true), now));
  });
  if (listed.kind !== 'done') return listed;
  return bookedPages(parts, undefined, ordered, (rows) =>
    store(async (tx) => {
      // A domain that has left the account is only in the statement.
      const former = [...new Set(rows.map(({ name }) => name))].map((name) => ({ name, expiresAt: null }));
      await addListedNames(tx, listing, names(former, false), now);
      const charges = rows.map(({ name, line }) => ({ remoteId: undefined, name, lines: [line] }));
      await addListedCharges(tx, listing, charges, now);
    }),
  );
}

async function holdingOf(parts: Parts, name: string): Promise<Reply<readonly Holding[]>> {
  const found: Listed[] = [];
  const listed = await listedPages(parts, name, async (rows) => void found.push(...rows));
  if (listed.kind !== 'done') return listed;
  const booked: Booked[] = [];
  const ordered = new Set(found.filter((each) => each.isRenewalOrdered).map((each) => each.name));
  const read = await bookedPages(parts, name, ordered, async (rows) => void booked.push(...rows));
  if (read.kind !== 'done') return read;
  // Names in queries are patterns.
  const present = found.find((each) => each.name === name);
  const lines = booked.filter((each) => each.name === name).map(({ line }) => line);
  if (!present && lines.length === 0) return { ...done, data: [] };
  const isOurs = present !== undefined;
  return { ...done, data: [{ name, isOurs, expiresAt: present?.expiresAt ?? null, statuses: null, lines }] };
}

type Take<T> = (rows: readonly T[]) => Promise<void>;

function listedPages({ side, shownAs }: Parts, only: string | undefined, take: Take<Listed>): Promise<Reply<null>> {
  const wanted = { WIDE: 1, ORDERBY: 'DOMAIN', ORDER: 'ASC', ...(only ? { DOMAIN: only } : {}) };
  const rows = (columns: Columns) =>
    rowsOf(columns, 'DOMAIN').map((row) => {
      const name = row('DOMAIN')!.toLowerCase();
      const expiresAt = timeOf(side, row('DOMAIN_REGISTRATION_EXPIRATION_DATE'));
      return { name, ...shownAs({ name, expiresAt, mode: row('RENEWALMODE') }) };
    });
  return eachPage(side, 'QueryDomainList', wanted, rows, take);
}

/** All bookings; then those to come of domains whose renewal is ordered by its mode, because they are charged on its day. */
async function bookedPages(
  { side }: Parts,
  only: string | undefined,
  ordered: ReadonlySet<string>,
  take: Take<Booked>,
): Promise<Reply<null>> {
  const wanted = { MINDATE: side.settings.statementSince, WIDE: 1, ...(only ? { OBJECT: only } : {}) };
  const booked = await eachPage(side, 'QueryAccountingList', wanted, (columns) => bookedIn(side, columns), take);
  if (booked.kind !== 'done' || ordered.size === 0) return booked;
  const coming = { TYPE: 'DOMAIN', DAYS: comingDays, WIDE: 1, ...(only ? { DOMAIN: only } : {}) };
  const rows = (columns: Columns) => comingIn(side, columns).filter(({ name }) => ordered.has(name));
  return eachPage(side, 'QueryUpcomingAccountingList', coming, rows, take);
}

/** A renewal can be ordered a year before its day. */
const comingDays = 400;

const comingIn = (side: Side, columns: Columns): Booked[] =>
  rowsOf(columns, 'DOMAIN').flatMap((row) => {
    const [, , amount] = amountForm.exec(row('PRICE') ?? '') ?? [];
    const at = timeOf(side, row('RENEWALDATE'));
    const currency = row('CURRENCY')?.toUpperCase();
    if (amount === undefined || currency === undefined || !at) return [];
    const line = { at, kind: 'charge', command: 'renew', fee: { amount, currency } } as const;
    return [{ name: row('DOMAIN')!.toLowerCase(), line }];
  });

const bookedIn = (side: Side, columns: Columns): Booked[] =>
  rowsOf(columns, 'ACCOUNTING_DESCRIPTION').flatMap((row) => {
    const name = row('ACCOUNTING_DESCRIPTION')!.toLowerCase();
    const line = lineOf(side, row);
    return line && domainName.test(name) ? [{ name, line }] : [];
  });

function lineOf(side: Side, row: (name: string) => string | undefined): StatementLine | undefined {
  const { bookingTypes, bookingPrice } = side.settings;
  const at = timeOf(side, row('ACCOUNTING_DATE'));
  const [, sign, price] = amountForm.exec(row('ACCOUNTING_PRICE') ?? '') ?? [];
  const currency = row('ACCOUNTING_CURRENCY')?.toUpperCase();
  if (!at || price === undefined || currency === undefined || Number(price) === 0) return undefined;
  const type = (row('ACCOUNTING_TYPE') ?? '').toLowerCase();
  const has = (words: readonly string[]) => words.some((word) => type.includes(word.toLowerCase()));
  const { refund, ...commands } = bookingTypes;
  const command = Object.entries(commands).find(([, words]) => has(words))?.[0] ?? type;
  const amount = bookingPrice === 'unit' ? timesUnits(price, row('ACCOUNTING_AMOUNT')) : price;
  return { at, kind: sign === '-' || has(refund) ? 'refund' : 'charge', command, fee: { amount, currency } };
}

/** Decimal text times a whole number. */
function timesUnits(price: string, units: string | undefined): string {
  const [whole = '0', part = ''] = price.split('.');
  if (!/^\d{1,6}$/.test(units ?? '')) return price;
  const digits = String(BigInt(whole + part) * BigInt(units!)).padStart(part.length + 1, '0');
  return part === '' ? digits : `${digits.slice(0, -part.length)}.${digits.slice(-part.length)}`;
}

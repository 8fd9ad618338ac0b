import { type Reader, type Sql, sql } from '@namehold/postgres';
import type { Listed, Page } from './page.ts';

/** Rows of a list are counted only up to this number: a total must not cost more than the page. */
const countedRows = 10_000;

type Total = Pick<Listed<unknown>, 'total' | 'totalIs'>;

interface Source {
  readonly table: Sql;
  readonly where: Sql;
  /** Ascending from row to row; an index has the rows in this order. */
  readonly id: Sql;
}

/** Unsorted: with an order, a plan that expects few rows would read and sort all of them before it stops counting. */
export async function countSome(db: Reader, { table, where }: Pick<Source, 'table' | 'where'>): Promise<number> {
  const { n } = await db.one<{ n: string }>(sql`
    select count(*) as n from (select from ${table} where ${where} limit ${countedRows + 1}) counted`);
  return Number(n);
}

/** The total reported for this number of counted rows. */
export function totalOf(counted: number): Total {
  return counted > countedRows ? { total: countedRows, totalIs: 'at-least' } : { total: counted };
}

/**
 * Clients that page by the total of the contract's lists must reach every row: above the counting limit it is the unfiltered total. A
 * customer does not see that one.
 */
export function atMost(counted: Total, most: number): Total {
  return counted.totalIs && most > counted.total ? { total: most, totalIs: 'at-most' } : counted;
}

/** Newest first. One row more than requested shows whether others follow. */
export async function pageOfNewest<R extends { readonly id: string }>(
  db: Reader,
  columns: unknown,
  source: Source,
  page: Page,
): Promise<Listed<R>> {
  const { table, where, id } = source;
  const wanted = page.after === undefined ? where : sql`${where} and ${id} < ${page.after}`;
  const [found, counted] = await Promise.all([
    db.many<R>(sql`
      select ${columns} from ${table} where ${wanted} order by ${id} desc limit ${page.limit + 1} offset ${page.offset}`),
    countSome(db, source),
  ]);
  const rows = found.slice(0, page.limit);
  return { rows, ...totalOf(counted), isMore: found.length > rows.length, last: rows.at(-1)?.id };
}

/**
 * How a page of a list of known length is read: from the nearer end. The statement reads `total` again, because new rows would shift the
 * page.
 */
export function nearerEnd(page: Page, known: number, total: Sql): { isFromEnd: boolean; part: Sql } {
  const isFromEnd = page.offset > known / 2;
  const part = isFromEnd
    ? sql`limit greatest(0, least(${page.limit}::bigint, ${total} - ${page.offset})) offset greatest(0, ${total} - ${page.offset} - ${page.limit})`
    : sql`limit ${page.limit} offset ${page.offset}`;
  return { isFromEnd, part };
}

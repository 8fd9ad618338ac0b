import type { z } from 'zod';
import { badField } from '../core/errors.ts';
import type { Listed, Page } from '../core/page.ts';
import { id, integer, text } from './field.ts';
import { Answer } from './route.ts';

export const listLimits = { pageSizeDefault: 10, pageSizeMax: 100, pageNumberMax: 1_000_000 };

/** The contract's paging parameters, for every list. */
export const paging = {
  limit: integer({ min: 1, max: listLimits.pageSizeMax, about: 'Page size.', example: 10 }).optional(),
  page_no: integer({ min: 1, max: listLimits.pageNumberMax, about: 'Page number, from 1.', example: 1 }).optional(),
} satisfies z.ZodRawShape;

const afterText = 'The id of the last row of the previous page. Returns the rows after it. Replaces page_no.';
/** For our own lists that can continue after a row. Ids are decimal or have a prefix. A deleted row is still a valid position. */
export const pagingAfterId = { ...paging, after: id(afterText).optional() } satisfies z.ZodRawShape;
export const pagingAfter = (prefix: string) =>
  ({
    ...paging,
    after: text({
      max: 100,
      about: afterText,
      example: `${prefix}_06gxsvmka9v7qbwbdq2svf8e6g`,
      pattern: new RegExp(`^${prefix}_[0-9a-z]{26}$`),
      must: 'must be the id of a row of this list',
    }).optional(),
  }) satisfies z.ZodRawShape;

interface Wanted {
  readonly limit?: number | undefined;
  readonly page_no?: number | undefined;
  readonly after?: string | undefined;
}

export function pageOf(input: Wanted): Page {
  const limit = input.limit ?? listLimits.pageSizeDefault;
  if (input.after === undefined) return { limit, offset: ((input.page_no ?? 1) - 1) * limit };
  if (input.page_no !== undefined) throw badField('after', 'Use this instead of page_no, not together with it.');
  return { limit, offset: 0, after: input.after };
}

/** A bare array, with the total in a header. The request pipeline adds `Link`, because it knows the public URL. */
export function listAnswer(rows: readonly unknown[], listed: number | Omit<Listed<unknown>, 'rows'>): Answer {
  const { total, totalIs, isMore, last } = typeof listed === 'number' ? { total: listed } : listed;
  return new Answer(rows, {
    headers: { 'X-Total-Count': String(total), ...(totalIs ? { 'X-Total-Count-Is': totalIs } : {}) },
    listed: { total, totalIs, isMore, last },
  });
}

/** Clients accept about 16 KiB of headers, and every link repeats the filters. */
const longestLink = 8_192;

/**
 * The links that fit, the next page first; empty if none fits. In lists that can continue after a row, `next` does so, because late
 * pages then cost no more than the first.
 */
export function linkHeader(
  base: string,
  query: Record<string, string>,
  input: { limit?: unknown; page_no?: unknown; after?: unknown },
  { total, totalIs, isMore, last: lastRow }: Omit<Listed<unknown>, 'rows'>,
): string {
  const { page_no: _page, after: _after, ...filters } = query;
  const limit = Number(input.limit ?? listLimits.pageSizeDefault);
  const pageNumber = Number(input.page_no ?? 1);
  const last = Math.max(1, Math.ceil(total / limit));
  const address = (place: Record<string, string>) =>
    `<${base}?${new URLSearchParams({ ...filters, limit: String(limit), ...place })}>`;
  const page = (number: number) => address({ page_no: String(number) });
  const links = [`${page(1)}; rel="first"`];
  // The last page is unknown if the rows were not counted to the end.
  if (totalIs === undefined) links.push(`${page(last)}; rel="last"`);
  if (isMore ?? pageNumber < last)
    links.unshift(`${lastRow === undefined ? page(pageNumber + 1) : address({ after: lastRow })}; rel="next"`);
  if (input.after === undefined && pageNumber > 1) {
    const before = totalIs === 'at-least' ? pageNumber - 1 : Math.min(pageNumber - 1, last);
    links.push(`${page(before)}; rel="prev"`);
  }
  const fits = links.filter((_, index) => links.slice(0, index + 1).join(', ').length <= longestLink);
  return fits.join(', ');
}

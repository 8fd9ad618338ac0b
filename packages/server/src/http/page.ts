import type { z } from 'zod';
import { integer } from './field.ts';
import { Answer } from './route.ts';

export const listLimits = { pageSizeDefault: 10, pageSizeMax: 100, pageNumberMax: 1_000_000 };

/** The contract's paging parameters, for every list. */
export const paging = {
  limit: integer({ min: 1, max: listLimits.pageSizeMax, about: 'Page size.', example: 10 }).optional(),
  page_no: integer({ min: 1, max: listLimits.pageNumberMax, about: 'Page number, from 1.', example: 1 }).optional(),
} satisfies z.ZodRawShape;

export interface Page {
  readonly limit: number;
  readonly offset: number;
}

export function pageOf(input: { limit?: number | undefined; page_no?: number | undefined }): Page {
  const limit = input.limit ?? listLimits.pageSizeDefault;
  return { limit, offset: ((input.page_no ?? 1) - 1) * limit };
}

/** A bare array; the total rides in a header. `Link` is added by the front door, which knows the public address. */
export function listAnswer(rows: readonly unknown[], total: number): Answer {
  return new Answer(rows, { headers: { 'X-Total-Count': String(total) } });
}

export function linkHeader(
  base: string,
  query: Record<string, string>,
  input: { limit?: unknown; page_no?: unknown },
  total: number,
): string {
  const limit = Number(input.limit ?? listLimits.pageSizeDefault);
  const pageNumber = Number(input.page_no ?? 1);
  const last = Math.max(1, Math.ceil(total / limit));
  const address = (page: number) => {
    const parameters = new URLSearchParams({ ...query, limit: String(limit), page_no: String(page) });
    return `<${base}?${parameters}>`;
  };
  const links = [`${address(1)}; rel="first"`, `${address(last)}; rel="last"`];
  if (pageNumber < last) links.unshift(`${address(pageNumber + 1)}; rel="next"`);
  if (pageNumber > 1) links.push(`${address(Math.min(pageNumber - 1, last))}; rel="prev"`);
  return links.join(', ');
}

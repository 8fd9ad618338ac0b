import { dayMs } from '@namehold/base';
/** What a reader of an answer must know before a call goes away; docs/guide/versions.md says how long that takes. */
export interface Deprecated {
  /** The day from which on it should not be used any more: 2026-11-15. */
  readonly since: string;
  /** The day on which it may go. Left out: no removal is planned. */
  readonly sunset?: string;
  readonly instead: string;
}

/** Between the announcement of a removal and the removal. */
export const sunsetDays = 365;

const instantOf = (day: string) => Date.parse(`${day}T00:00:00Z`);

/** RFC 9745 and RFC 8594. */
export function deprecationHeaders(deprecated: Deprecated | undefined): Record<string, string> {
  if (!deprecated) return {};
  const { since, sunset } = deprecated;
  if (sunset !== undefined && instantOf(sunset) - instantOf(since) < sunsetDays * dayMs)
    throw new Error(`announced on ${since}, it cannot go on ${sunset}: ${sunsetDays} days are promised`);
  return {
    Deprecation: `@${instantOf(since) / 1_000}`,
    ...(sunset === undefined ? {} : { Sunset: new Date(instantOf(sunset)).toUTCString() }),
  };
}

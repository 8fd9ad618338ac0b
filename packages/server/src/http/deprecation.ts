import { dayMs } from '@namehold/base';
/** The announcement of a deprecation; docs/guide/versions.md has the periods. */
export interface Deprecated {
  /** The day since which it is deprecated: 2026-11-15. */
  readonly since: string;
  /** The day from which it can be removed. Absent: no removal is planned. */
  readonly sunset?: string;
  readonly instead: string;
}

/** Days from the announcement of a removal to the removal. */
export const sunsetDays = 365;

const instantOf = (day: string) => Date.parse(`${day}T00:00:00Z`);

/** RFC 9745 and RFC 8594. */
export function deprecationHeaders(deprecated: Deprecated | undefined): Record<string, string> {
  if (!deprecated) return {};
  const { since, sunset } = deprecated;
  if (sunset !== undefined && instantOf(sunset) - instantOf(since) < sunsetDays * dayMs)
    throw new Error(`announced on ${since}, but removed on ${sunset}: ${sunsetDays} days are promised`);
  return {
    Deprecation: `@${instantOf(since) / 1_000}`,
    ...(sunset === undefined ? {} : { Sunset: new Date(instantOf(sunset)).toUTCString() }),
  };
}

const UNIT_SECONDS: Readonly<Record<string, number>> = { s: 1, m: 60, h: 3600, d: 86_400, w: 604_800 };

/** RFC 2181 8: a TTL is an unsigned number of at most 31 bits. */
export const MAX_TTL_SECONDS = 0x7fff_ffff;

/** Seconds from "3600" or BIND's "1h30m"; undefined for other text. Does not check limits. */
export function parseDuration(text: string): number | undefined {
  if (/^\d{1,15}$/.test(text)) return Number(text);
  if (!/^(?:\d{1,10}[smhdw])+$/i.test(text)) return undefined;
  let seconds = 0;
  for (const [, count, unit] of text.matchAll(/(\d+)([smhdw])/gi)) {
    seconds += Number(count) * (UNIT_SECONDS[unit!.toLowerCase()] ?? 0);
  }
  return seconds;
}

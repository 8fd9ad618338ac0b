/** The same day and time, this many years later; 29 February becomes the 28th. */
export function addYears(at: Date, years: number): Date {
  const moved = new Date(at);
  moved.setUTCFullYear(at.getUTCFullYear() + years);
  if (moved.getUTCMonth() !== at.getUTCMonth()) moved.setUTCDate(0);
  return moved;
}

export const utcDate = (at: Date): string => at.toISOString().slice(0, 10);

export const earliest = (...times: readonly (Date | null | undefined)[]): Date | undefined => {
  let first: Date | undefined;
  for (const time of times) if (time && (first === undefined || time < first)) first = time;
  return first;
};

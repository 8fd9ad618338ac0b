/** The same day so many years later. */
export function addYears(at: Date, years: number): Date {
  const moved = new Date(at);
  moved.setUTCFullYear(at.getUTCFullYear() + years);
  // A 29th of February is the 28th in other years.
  if (moved.getUTCMonth() !== at.getUTCMonth()) moved.setUTCDate(0);
  return moved;
}

export function addYears(at: Date, years: number): Date {
  const moved = new Date(at);
  moved.setUTCFullYear(at.getUTCFullYear() + years);
  // 29 February becomes 28 February in other years.
  if (moved.getUTCMonth() !== at.getUTCMonth()) moved.setUTCDate(0);
  return moved;
}

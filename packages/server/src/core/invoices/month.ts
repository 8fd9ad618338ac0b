/** Months are in UTC, each by its first day. */
export const monthOf = (at: Date): string => `${at.toISOString().slice(0, 7)}-01`;

export function plusMonths(month: string, count: number): string {
  const at = beginOf(month);
  at.setUTCMonth(at.getUTCMonth() + count);
  return monthOf(at);
}

export const beginOf = (month: string): Date => new Date(`${month}T00:00:00Z`);

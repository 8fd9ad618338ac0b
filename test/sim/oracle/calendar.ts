/** The oracle's own calendar: civil dates in UTC. */
export const dayMs = 86_400_000;

const isLeap = (year: number): boolean => (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0;

/** The same day, years later or earlier; 29 February becomes the 28th where there is none. */
export function yearsOn(at: number, years: number): number {
  const [date = '', time = ''] = new Date(at).toISOString().split('T');
  const [year = 0, month = 0, day = 0] = date.split('-').map(Number);
  const target = year + years;
  const shortened = month === 2 && day === 29 && !isLeap(target) ? 28 : day;
  const pad = (value: number, width = 2) => String(value).padStart(width, '0');
  return Date.parse(`${pad(target, 4)}-${pad(month)}-${pad(shortened)}T${time}`);
}

/** A day lost to February cannot be distinguished here. */
const leapSlackMs = dayMs + 2_000;

export const sameDay = (one: number, other: number): boolean => Math.abs(one - other) <= leapSlackMs;

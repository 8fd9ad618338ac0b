export const dayMs = 86_400_000;

const instantForm = /^(\d{4}-\d{2}-\d{2})T([01]\d|2[0-3]):\d{2}:\d{2}(\.\d{1,9})?(Z|[+-]\d{2}:\d{2})$/;

/** RFC 3339 with a zone. JavaScript reads the 30th of February as the 2nd of March; here it is invalid. */
export function readInstant(text: string): Date | undefined {
  const day = instantForm.exec(text)?.[1];
  if (day === undefined) return undefined;
  const read = new Date(text);
  const midnight = new Date(`${day}T00:00:00Z`);
  const isReal = !Number.isNaN(read.getTime()) && midnight.toISOString().startsWith(day);
  return isReal ? read : undefined;
}

export const addDays = (at: Date, days: number): Date => new Date(at.getTime() + days * dayMs);

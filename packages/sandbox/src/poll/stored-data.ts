import type { AnswerData } from '@namehold/epp';

const isDateMark = (value: unknown): value is { $date: string } =>
  typeof value === 'object' && value !== null && '$date' in value;

/** JSON has no dates: they are marked, so that a message comes out of the queue as it went in. */
export function freeze(data: AnswerData): string {
  const mark = (value: unknown): unknown => {
    if (value instanceof Date) return { $date: value.toISOString() };
    if (Array.isArray(value)) return value.map(mark);
    if (typeof value === 'object' && value !== null) {
      return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, mark(inner)]));
    }
    return value;
  };
  return JSON.stringify(mark(data));
}

export function thaw(stored: unknown): AnswerData {
  const unmark = (value: unknown): unknown => {
    if (isDateMark(value)) return new Date(value.$date);
    if (Array.isArray(value)) return value.map(unmark);
    if (typeof value === 'object' && value !== null) {
      return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, unmark(inner)]));
    }
    return value;
  };
  return unmark(stored) as AnswerData;
}

import type { AnswerData, ResponseSpec } from '@namehold/epp';

/** The data of a message beside its text. */
export type MessageBody = Pick<ResponseSpec, 'data' | 'ext'>;

const isDateMark = (value: unknown): value is { $date: string } =>
  typeof value === 'object' && value !== null && '$date' in value;

/** JSON has no dates: they are marked, so that a message is restored exactly. */
export function freeze(body: MessageBody): string {
  const mark = (value: unknown): unknown => {
    if (value instanceof Date) return { $date: value.toISOString() };
    if (Array.isArray(value)) return value.map(mark);
    if (typeof value === 'object' && value !== null) {
      return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, mark(inner)]));
    }
    return value;
  };
  // Most messages have data only, which is then stored without a wrapper.
  return JSON.stringify(mark(body.ext === undefined ? body.data : { $body: body }));
}

export function thaw(stored: unknown): MessageBody {
  const unmark = (value: unknown): unknown => {
    if (isDateMark(value)) return new Date(value.$date);
    if (Array.isArray(value)) return value.map(unmark);
    if (typeof value === 'object' && value !== null) {
      return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, unmark(inner)]));
    }
    return value;
  };
  const read = unmark(stored) as AnswerData | { readonly $body: MessageBody };
  return '$body' in read ? read.$body : { data: read };
}

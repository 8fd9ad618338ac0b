import type { Operation } from '../../../core/operations/operation.ts';
import { showDeletion } from '../domains/delete.ts';
import { showOrder } from '../domains/operation-answer.ts';

/** Operations whose calls answer with more than the order: a repeated request must hear the same. */
const shows: Readonly<Record<string, (operation: Operation) => unknown>> = {
  delete: showDeletion,
};

export function showOf(kind: string): (operation: Operation) => unknown {
  return shows[kind] ?? showOrder;
}

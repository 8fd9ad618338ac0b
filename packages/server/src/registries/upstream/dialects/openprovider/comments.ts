import type { FoundOrder } from '../../../../core/ports/registry.ts';

type Verb = NonNullable<FoundOrder['verb']>;

/** Our operation id in the comments of an order, by which it is found after a lost answer. */
export const commentOf = (verb: Verb, operationId: string | undefined): { readonly comments?: string } =>
  operationId === undefined ? {} : { comments: `namehold ${verb} ${operationId}` };

const ours = /\bnamehold (register|transfer) (\S+)/;

export function readComment(text: string | undefined): {
  readonly verb: Verb | null;
  readonly operationId: string | null;
} {
  const [, verb, operationId] = ours.exec(text ?? '') ?? [];
  return verb === undefined || operationId === undefined
    ? { verb: null, operationId: null }
    : { verb: verb as Verb, operationId };
}

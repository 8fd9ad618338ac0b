import { type Alone, sql } from '@namehold/base';

/**
 * What processes tell each other about operations that one leaves to another: `due` and the registry, for whoever has a session there, and `over` and the
 * operation, for whoever waits for its end. Never with what must be on the disk: a word in a transaction keeps all others with words waiting until it is. One
 * that is lost costs a moment: everybody looks by itself too.
 */
export const operationChannel = 'namehold_operation';

export const saysDue = (registryId: string | null) =>
  sql`pg_notify(${operationChannel}, ${`due ${registryId ?? ''}`})::text`;

export async function sayOver(alone: Alone, operationId: string): Promise<void> {
  await alone.run(sql`select pg_notify(${operationChannel}, ${`over ${operationId}`})`);
}

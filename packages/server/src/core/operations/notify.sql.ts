import { type Autocommit, sql } from '@namehold/base';
import type { Operation } from './operation.ts';

/**
 * What processes tell each other about operations that one leaves to another: `due`, the registry and the operation, for whoever has a session there, and
 * `over` and the operation, for whoever waits for its end. Never with what must be on the disk: a word in a transaction keeps all others with words waiting
 * until it is. One that is lost costs a moment: everybody looks by itself too.
 */
export const operationChannel = 'namehold_operation';

type Left = Pick<Operation, 'id' | 'registry_id'>;

export const notifyDueSql = ({ id, registry_id }: Left) =>
  sql`pg_notify(${operationChannel}, ${`due ${registry_id ?? ''} ${id}`})::text`;

export async function notifyDue(alone: Autocommit, operation: Left): Promise<void> {
  await alone.run(sql`select ${notifyDueSql(operation)}`);
}

export async function notifyOver(alone: Autocommit, operationId: string): Promise<void> {
  await alone.run(sql`select pg_notify(${operationChannel}, ${`over ${operationId}`})`);
}

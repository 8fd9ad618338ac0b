import { type Autocommit, sql } from '@namehold/postgres';
import type { Operation } from '../model/operation.ts';

/**
 * Notifications between processes about handed-over operations: `due` with the registry and the operation, for processes with a session
 * there, and `over` with the operation, for a process that waits for its end. Never in a transaction that is flushed to disk, because
 * NOTIFY serialises commits. A lost notification costs a moment, because every process also polls.
 */
export const operationChannel = 'namehold_operation';

type Left = Pick<Operation, 'id' | 'registry_id'>;

export const notifyDueSql = ({ id, registry_id }: Left) =>
  sql`pg_notify(${operationChannel}, ${`due ${registry_id ?? ''} ${id}`})::text`;

export async function notifyDue(alone: Autocommit, operation: Left): Promise<void> {
  await alone.run(sql`select ${notifyDueSql(operation)}`);
}

export async function notifySettled(alone: Autocommit, operationId: string): Promise<void> {
  await alone.run(sql`select pg_notify(${operationChannel}, ${`over ${operationId}`})`);
}

import type { Operation } from '../../model/operation.ts';
import type { Reason } from './reason.ts';

/** A domain has at most one open operation. */
export function operationReasons(operation: Operation | undefined): Reason[] {
  if (!operation) return [];
  const because = `operation ${operation.id} (${operation.kind})`;
  const isUnsent = operation.state === 'intended';
  return [
    {
      because,
      setBy: 'platform',
      sentence: `cannot be changed: ${because} is in progress.`,
      code: 'operation_in_progress',
      help: isUnsent ? { action: 'cancel_operation', operation: operation.id } : null,
      advice: isUnsent ? 'wait for it, or cancel it' : 'wait for it',
    },
  ];
}

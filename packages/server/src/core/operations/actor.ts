import type { Actor } from '../house.ts';
import type { Operation } from './operation.ts';

/** Whoever ordered the operation, for the audit row of its settlement. */
export function actorOf(operation: Operation): Actor {
  return {
    resellerId: operation.reseller_id,
    keyId: operation.key_id,
    address: 'operation',
    requestId: operation.request_id ?? operation.id,
    scopes: [],
    isOperator: false,
  };
}

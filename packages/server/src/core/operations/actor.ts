import type { Actor } from '../app-context.ts';
import type { Operation, OrderingUser } from '../model/operation.ts';

/** The actor that ordered the operation, for the audit entry of its settlement. */
export function actorOf(operation: Operation): Actor {
  const { person } = operation;
  return {
    resellerId: operation.reseller_id,
    keyId: operation.key_id,
    user: person ? { id: person.id, name: person.name, sessionId: person.session_id } : undefined,
    address: 'operation',
    requestId: operation.request_id ?? operation.id,
    scopes: [],
    isOperator: false,
  };
}

export function orderingUser({ user }: Pick<Actor, 'user'>): OrderingUser | null {
  return user ? { id: user.id, name: user.name, session_id: user.sessionId } : null;
}

import type { Actor } from '../house.ts';
import type { Operation, OrderingPerson } from './operation.ts';

/** Whoever ordered the operation, for the audit row of its settlement. */
export function actorOf(operation: Operation): Actor {
  const { person } = operation;
  return {
    resellerId: operation.reseller_id,
    keyId: operation.key_id,
    person: person ? { id: person.id, name: person.name, sessionId: person.session_id } : undefined,
    address: 'operation',
    requestId: operation.request_id ?? operation.id,
    scopes: [],
    isOperator: false,
  };
}

export function orderingPerson({ person }: Pick<Actor, 'person'>): OrderingPerson | null {
  return person ? { id: person.id, name: person.name, session_id: person.sessionId } : null;
}

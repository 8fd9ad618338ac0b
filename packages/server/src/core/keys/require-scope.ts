import type { Actor } from '../app-context.ts';
import { Refusal } from '../errors.ts';
import { allows } from './key.ts';

/**
 * For a call whose effect depends on its body and exceeds the scope of its route. `what` names that effect, as the subject of a
 * sentence. The service itself (background jobs, the command line) has every scope.
 */
export function requireScope(actor: Actor, scope: string, what: string): void {
  if ((actor.keyId === null && !actor.user) || allows(actor.scopes, scope)) return;
  throw new Refusal('scope_missing', `${what} also needs the scope ${scope}.`, { facts: { scope } });
}

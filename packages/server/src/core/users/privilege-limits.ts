import type { Tx } from '@namehold/postgres';
import type { Actor } from '../app-context.ts';
import { badField, Refusal } from '../errors.ts';
import { hasScope } from '../keys/privilege-limits.ts';
import { findMember } from './member.sql.ts';

/** The actor's present rights, read under the lock; undefined: all, as an owner or the service itself. */
async function ownScopes(tx: Tx, actor: Actor): Promise<readonly string[] | undefined> {
  if (!actor.user) return actor.keyId === null ? undefined : [];
  const own = await findMember(tx, actor.resellerId, actor.user.id);
  if (!own || own.suspended_at) return [];
  return own.scopes.includes('full') ? undefined : own.scopes;
}

/** No user can grant more rights than the own ones. */
export async function refusePrivilegeEscalation(tx: Tx, actor: Actor, wanted: readonly string[]): Promise<void> {
  const own = await ownScopes(tx, actor);
  const scope = own && wanted.find((each) => !hasScope(own, each));
  if (!scope) return;
  const field = scope === 'full' || scope === 'read' ? 'role' : 'scopes';
  throw badField(field, `Your role does not have the scope "${scope}".`, 'beyond_own_scope');
}

/** No user can change, suspend, remove or sign out a user with more rights. */
export async function refuseStrongerUser(tx: Tx, actor: Actor, present: readonly string[]): Promise<void> {
  const own = await ownScopes(tx, actor);
  if (!own || present.every((each) => hasScope(own, each))) return;
  throw new Refusal('scope_missing', 'Only an owner can manage users who have more permissions.', {
    facts: { scope: 'full' },
  });
}

import type { Tx } from '@namehold/postgres';
import type { Actor } from '../app-context.ts';
import { Refusal } from '../errors.ts';
import { allows } from '../keys/key.ts';
import { type Access, scopesOfAccess } from '../model/customer-access.ts';
import { scopesOfMakers } from './sign-in.sql.ts';

const lacks = (own: readonly string[], access: Access): string | undefined =>
  scopesOfAccess(access).find((scope) => !allows(own, scope));

/** Whether a principal with these scopes may grant the access. */
export const mayGrantBy = (scopes: readonly string[], access: Access): boolean => lacks(scopes, access) === undefined;

/** The command line and background jobs may grant everything. */
export const mayGrant = (actor: Actor, access: Access): boolean =>
  (actor.keyId === null && !actor.user) || mayGrantBy(actor.scopes, access);

/**
 * A caller that gives a customer access, or makes a password for it, can sign in as that customer: it needs every scope that the access
 * confers.
 */
export function refusePrivilegeEscalation(actor: Actor, access: Access): void {
  if (mayGrant(actor, access)) return;
  const scope = lacks(actor.scopes, access);
  const message = `Access "${access}" confers the scope ${scope}, which you do not have. Use a key or role with full, or with ${scopesOfAccess(access).join(', ')}.`;
  throw new Refusal('scope_missing', message, { facts: { scope } });
}

/** Whether the customer's password is known to a key or user that could not grant this access itself, or that is unknown by now. */
export async function isPasswordOfWeaker(
  tx: Tx,
  resellerId: string,
  customerId: string,
  access: Access,
): Promise<boolean> {
  const makers = await scopesOfMakers(tx, resellerId, customerId);
  return makers.some(({ scopes }) => scopes === null || lacks(scopes, access) !== undefined);
}

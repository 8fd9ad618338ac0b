import { checkIpWhitelistAndStatus, type Identity } from '../authenticate.ts';
import { noSuchPath } from '../no-such-path.ts';
import type { Route } from '../route.ts';
import type { Step } from './step.ts';

/**
 * Checks that the account is not suspended, that the key may be used from this address, and that the path exists for customers.
 *
 * Failure: 403, or 404 for customers; the owner of the account changes it.
 * Limit: the IP whitelist of the key.
 */
export const checkAccount: Step = ({ definition, request, identity }) => {
  if (!identity) return;
  if (identity.customer && !definition.customer) throw noSuchPath(request);
  refuseSuspendedAccount(definition, identity);
};

/** A user in a suspended account can still switch to another one. */
export function refuseSuspendedAccount(definition: Route, identity: Identity): void {
  if (!definition.forUsers || definition.scope !== null || identity.customer !== undefined)
    checkIpWhitelistAndStatus(identity);
}

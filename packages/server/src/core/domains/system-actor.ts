import type { Actor } from '../app-context.ts';
import type { Domain } from '../model/domain.ts';

/** A background job acts on behalf of the reseller; the audit log shows that no user acted. */
export function schedulerFor(domain: Pick<Domain, 'reseller_id'>, why: string): Actor {
  return {
    resellerId: domain.reseller_id,
    keyId: null,
    address: 'scheduler',
    requestId: why,
    scopes: [],
    isOperator: false,
  };
}

import type { Actor } from '../app-context.ts';
import type { Domain } from './domain.ts';

/** The clockwork acts for the holder of a name; the audit says that it was no person. */
export function schedulerFor(domain: Pick<Domain, 'reseller_id'>, why: string): Actor {
  return {
    resellerId: domain.reseller_id,
    keyId: null,
    address: 'clockwork',
    requestId: why,
    scopes: [],
    isOperator: false,
  };
}

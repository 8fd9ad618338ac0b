import type { Actor } from './app-context.ts';
import type { Domain } from './model/domain.ts';

export const operatorId = '1';

/** The service itself, as the operator. */
export const systemActor: Actor = {
  resellerId: operatorId,
  keyId: null,
  address: 'local',
  requestId: 'first-start',
  scopes: ['full'],
  isOperator: true,
};

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

/** For a customer every other one does not exist. */
export const isAnother = ({ customerId }: Actor, id: string) => customerId !== undefined && customerId !== id;

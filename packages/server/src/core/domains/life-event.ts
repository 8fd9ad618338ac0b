import type { NewEvent } from '../events/append.ts';
import type { Domain } from './domain.ts';

/** An event about a domain that no operation of a caller brought about. */
export function lifeEvent(
  domain: Pick<Domain, 'id' | 'reseller_id' | 'name'>,
  type: string,
  more: object = {},
): NewEvent {
  return {
    resellerId: domain.reseller_id,
    type,
    objectType: 'domain',
    objectId: domain.id,
    payload: { domain_id: domain.id, domain_name: domain.name, ...more },
  };
}

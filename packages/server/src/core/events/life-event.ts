import type { Domain } from '../model/domain.ts';
import type { NewEvent } from './append.ts';
import type { DomainEvent, PayloadOf } from './catalogue.ts';

/** An event about a domain that was not caused by a caller's operation. */
export function lifeEvent<T extends DomainEvent>(
  domain: Pick<Domain, 'id' | 'reseller_id' | 'name'>,
  type: T,
  more: Omit<PayloadOf<T>, 'domain_id' | 'domain_name'>,
): NewEvent {
  return {
    resellerId: domain.reseller_id,
    type,
    objectId: domain.id,
    payload: { domain_id: domain.id, domain_name: domain.name, ...more },
  } as NewEvent;
}

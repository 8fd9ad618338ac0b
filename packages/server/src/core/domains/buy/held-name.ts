import type { Domain } from '../../model/domain.ts';
import type { Subject } from './purchase.ts';

/** The subject of a purchase for a domain that the buyer already has. Its row is already locked. */
export const heldName = async (
  _tx: unknown,
  _actor: unknown,
  _order: unknown,
  { domain }: { readonly domain: Domain },
): Promise<Subject> => ({
  domainId: domain.id,
  isNew: false,
  registryId: domain.registry_id,
  customerId: domain.customer_id,
});

import type { Domain } from '../domain.ts';
import type { Subject } from './purchase.ts';

/** What is bought for a name that the buyer has; its row is locked already. */
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

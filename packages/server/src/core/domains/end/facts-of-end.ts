import type { Tx } from '@namehold/postgres';
import type { AppContext } from '../../app-context.ts';
import type { Domain } from '../../model/domain.ts';
import type { TldRules } from '../../model/tld.ts';
import { amountFact } from '../../notices/kinds.ts';
import { customerPrice } from '../../pricing/customer-price.ts';
import { renewBy } from '../lifecycle.ts';

type Ending = Pick<
  Domain,
  | 'reseller_id'
  | 'registry_id'
  | 'tld'
  | 'state'
  | 'end_date'
  | 'registry_expires_at'
  | 'registry_renew_by'
  | 'premium_class'
  | 'kept_until'
>;

/** The data for a registrant's notice of expiry: until when the domain can be renewed, and at which price. */
export async function factsOfEnd(ctx: AppContext, tx: Tx, domain: Ending, rules: TldRules) {
  const { reseller_id: resellerId, registry_id: registryId, tld, end_date } = domain;
  const priceOf = async (action: 'renew' | 'restore') => {
    // The registry's price of a premium domain is only known when it is queried.
    if (domain.premium_class !== null) return null;
    const price = await customerPrice(tx, { resellerId, registryId, at: ctx.clock.now(), tld, action });
    return price ? amountFact(price) : null;
  };
  const renewalPrice = await priceOf('renew');
  const restorePrice = rules.grace_days.redemption > 0 ? await priceOf('restore') : null;
  return {
    expires_on: end_date,
    renew_by: renewBy(domain, rules),
    renewal_price: renewalPrice,
    restore_price: restorePrice,
    // A domain that is deleted because it was not renewed has expired: its restore includes a paid year (`restoreRenews`).
    restore_renewal_price: restorePrice === null ? null : renewalPrice,
  };
}

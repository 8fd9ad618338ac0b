import { formatMoney, type Tx } from '@namehold/base';
import type { AppContext } from '../../app-context.ts';
import { customerPrice } from '../../pricing/customer-price.ts';
import type { TldRules } from '../../tlds/tld.ts';
import type { Domain } from '../domain.ts';
import { renewBy } from '../lifecycle.ts';

type Ending = Pick<
  Domain,
  'reseller_id' | 'tld' | 'state' | 'end_date' | 'registry_expires_at' | 'premium_class' | 'kept_until'
>;

/** What the holder is told of the end of a term: until when it can be helped, and for how much. */
export async function factsOfEnd(ctx: AppContext, tx: Tx, domain: Ending, rules: TldRules) {
  const { reseller_id: resellerId, tld, end_date } = domain;
  const priceOf = async (action: 'renew' | 'restore') => {
    // What a premium name costs is the registry's to say when it is asked for.
    if (domain.premium_class !== null) return null;
    const price = await customerPrice(tx, { resellerId, at: ctx.clock.now(), tld, action });
    return price ? `${formatMoney(price)} ${price.currency}` : null;
  };
  return {
    expires_on: end_date,
    renew_by: renewBy(domain, rules),
    renewal_price: await priceOf('renew'),
    restore_price: rules.grace_days.redemption > 0 ? await priceOf('restore') : null,
  };
}

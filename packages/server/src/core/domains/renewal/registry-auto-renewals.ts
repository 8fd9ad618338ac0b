import { money } from '@namehold/base';
import type { Tx } from '@namehold/postgres';
import type { AppContext } from '../../app-context.ts';
import {
  endRegistryCharge,
  postRegistryCharge,
  type RegistryCharge,
  unpaidRenewalCharges,
} from '../../ledger/ledger.sql.ts';
import { addYears, type Domain, utcDate } from '../../model/domain.ts';
import type { TldRules } from '../../model/tld.ts';
import type { RegistryDomain } from '../../ports/registry.ts';
import { registryCost } from '../../pricing/price-of.ts';
import { isRenewedUnpaid, type Life, lifePolicy, wholeYears } from '../lifecycle.ts';

/**
 * A registry that auto-renews charges a year that was not ordered. The charge is in the ledger from when it is seen: a purchase of the
 * year takes it over (`takeOverCharges`), and a delete within the grace period refunds it. So the ledger always equals the registry's
 * charges. `settleRegistryAutoRenewals` settles what is left when a domain leaves.
 */
export async function recordRegistryAutoRenewals(
  ctx: Pick<AppContext, 'clock'>,
  tx: Tx,
  domain: Domain,
  view: RegistryDomain,
  life: Life,
  rules: TldRules,
): Promise<void> {
  const { end_date: endDate } = domain;
  const isAhead = isRenewedUnpaid(endDate, view.expiresAt);
  // Most domains were only renewed by order and need no query.
  if (!endDate || (!isAhead && !isRenewedUnpaid(endDate, domain.registry_expires_at))) return;
  const years = view.expiresAt ? wholeYears(endDate, view.expiresAt) : 0;
  const unpaid = (await unpaidRenewalCharges(tx, domain)).filter(({ period }) => isFrom(period, endDate));
  const now = ctx.clock.now();
  const isBooked = rules.auto_renew && endDate <= now;
  if (life.state === 'live' || life.state === 'pending_transfer') {
    if (isBooked) await bookRenewal(tx, domain, { endDate, years, unpaid, now });
    return;
  }
  // During deletion a registry does not show years that it refunded.
  for (const { id } of unpaid.slice(years)) await endRegistryCharge(tx, now, id, 'refunded');
  // Deleted before the years were recorded: those that were not refunded are charged all the same.
  if (isBooked) await bookRenewal(tx, domain, { endDate, years, unpaid, now });
}

const isFrom = (period: Date, from: Date): boolean => period.getTime() >= from.getTime() - lifePolicy.sameExpiryMs;

interface Ahead {
  readonly endDate: Date;
  readonly years: number;
  readonly unpaid: readonly RegistryCharge[];
  readonly now: Date;
}

async function bookRenewal(tx: Tx, domain: Domain, { endDate, years, unpaid, now }: Ahead): Promise<void> {
  for (let year = unpaid.length; year < years; year += 1) {
    const period = addYears(endDate, year);
    const cost = await costOfYear(tx, domain, now);
    if (!cost || cost.amount <= 0n) return;
    const description = `Renewal of ${domain.name} by its registry on ${utcDate(period)}`;
    await postRegistryCharge(tx, now, { domainId: domain.id, period, cost, description });
  }
}

/** The registry's price for a year of this domain. */
export function costOfYear(tx: Tx, domain: Domain, at: Date) {
  const { tld, registry_id: registryId, premium_renewal_fee: fee, premium_currency: currency } = domain;
  const premiumFee = fee !== null && currency !== null ? money(BigInt(fee), currency) : undefined;
  return registryCost(tx, { tld, registryId, action: 'renew', years: 1, premiumFee }, at);
}

/** Years that are paid now are no separate charge any more, because the purchase has the same cost in its entries. */
export async function takeOverCharges(
  ctx: Pick<AppContext, 'clock'>,
  tx: Tx,
  domain: Pick<Domain, 'name' | 'registry_id'>,
  paid: { readonly from: Date; readonly until: Date },
): Promise<void> {
  for (const { id, period } of await unpaidRenewalCharges(tx, domain)) {
    const isPaid = isFrom(period, paid.from) && !isFrom(period, paid.until);
    if (isPaid) await endRegistryCharge(tx, ctx.clock.now(), id, 'cancelled');
  }
}

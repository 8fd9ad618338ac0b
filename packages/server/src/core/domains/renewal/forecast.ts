import { addDays, formatMoney, type Money, money } from '@namehold/base';
import type { Actor, AppContext } from '../../app-context.ts';
import { Refusal, type RefusalCode } from '../../errors.ts';
import { balance } from '../../ledger/balance.ts';
import { addYears, type Domain, type With } from '../../model/domain.ts';
import type { TldRules } from '../../model/tld.ts';
import type { QuoteDraft } from '../../quotes/draft.ts';
import { draftPurchase } from '../buy/draft-purchase.ts';
import { renew } from '../buy/renew.ts';
import { leadDaysOf, renewalDue } from '../lifecycle.ts';
import { automaticOrder } from './automatic-order.ts';

/** The effect of a domain's renewal mode at today's price and balance. */
export type RenewalForecast =
  | { readonly kind: 'manual' }
  | { readonly kind: 'deletes'; readonly at: Date }
  | {
      readonly kind: 'renews';
      /** When it is tried first. */
      readonly at: Date;
      /** The end of the next term. */
      readonly until: Date;
      /** Null: hidden from the caller, or known only to the registry. */
      readonly price: Price | null;
      readonly withPrivacy: boolean;
      readonly isOnce: boolean;
    }
  | { readonly kind: 'fails'; readonly at: Date; readonly why: string; readonly price: Price | null };

type Price = Pick<QuoteDraft, 'total' | 'lines'>;

/** Refusals that do not predict the result of a later attempt. */
const temporaryRefusals: readonly RefusalCode[] = ['operation_in_progress', 'registry_unavailable', 'unavailable'];

export async function renewalForecast(
  ctx: AppContext,
  actor: Actor,
  domain: Domain,
  rules: TldRules,
): Promise<RenewalForecast> {
  const { renewal_mode: mode, end_date: end } = domain;
  if (domain.state !== 'live' || !end || mode === 'manual') return { kind: 'manual' };
  const now = ctx.clock.now();
  if (mode === 'delete') return { kind: 'deletes', at: latest(end, domain.renewal_try_at ?? now, now) };
  const at = firstTryAt(domain, end, rules, now);
  const order = automaticOrder({ ...domain, end_date: end } as With<'end_date'>, rules, domain.renewal_max_price);
  const renews = (price: Price | null): RenewalForecast => ({
    kind: 'renews',
    at,
    until: addYears(end, order.years),
    price,
    withPrivacy: order.privacy,
    isOnce: mode === 'renew_once',
  });
  // A customer must not see the reseller's price, and the price of a premium domain is only known when the registry is queried.
  if (actor.customerId !== undefined || domain.premium_class !== null) return renews(null);
  try {
    const price = await draftPurchase(ctx, actor, renew, order);
    const missing = await missingFor(ctx, actor.resellerId, price.total);
    return missing === null
      ? renews(price)
      : { kind: 'fails', at, price, why: `the balance is short by ${formatMoney(missing)} ${missing.currency}` };
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    if (temporaryRefusals.includes(error.code)) return renews(null);
    return { kind: 'fails', at, price: null, why: error.message };
  }
}

/** Some days before the end of the term, or before the registry's earlier date; after that, the next attempt. */
export const firstTryAt = (
  domain: Pick<Domain, 'renewal_try_at' | 'registry_renew_by'>,
  end: Date,
  rules: TldRules,
  now: Date,
): Date => latest(addDays(renewalDue(domain, end), -leadDaysOf(rules)), domain.renewal_try_at ?? now, now);

/** The amount that the balance and credit limit do not cover today; null: nothing. */
export async function missingFor(ctx: AppContext, resellerId: string, total: Money): Promise<Money | null> {
  const { available, creditLimit } = await balance(ctx.db.as(resellerId), resellerId, resellerId, total.currency);
  const missing = total.amount - available.amount - creditLimit.amount;
  return missing > 0n ? money(missing, total.currency) : null;
}

const latest = (...dates: readonly Date[]): Date => new Date(Math.max(...dates.map((date) => date.getTime())));

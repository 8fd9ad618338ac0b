import { addDays, formatMoney, type Money, money } from '@namehold/base';
import type { Actor, AppContext } from '../../app-context.ts';
import { Refusal, type RefusalCode } from '../../errors.ts';
import { balance } from '../../ledger/balance.ts';
import type { TldRules } from '../../tlds/tld.ts';
import { draftPurchase } from '../buy/draft-purchase.ts';
import { renew } from '../buy/renew.ts';
import { addYears, type Domain, type With } from '../domain.ts';
import { leadDaysOf } from '../lifecycle.ts';
import { automaticOrder } from './automatic-order.ts';

/** What the renewal mode of a domain brings about, at today's price and balance. */
export type RenewalPlan =
  | { readonly kind: 'manual' }
  | { readonly kind: 'deletes'; readonly at: Date }
  | {
      readonly kind: 'renews';
      /** When it is tried first. */
      readonly at: Date;
      /** The end of the term that follows. */
      readonly until: Date;
      /** Null: not for the caller to know, or the registry's to say. */
      readonly price: Money | null;
      readonly withPrivacy: boolean;
      readonly isOnce: boolean;
    }
  | { readonly kind: 'fails'; readonly at: Date; readonly why: string; readonly price: Money | null };

/** Refusals that say nothing about a later attempt. */
const passing: readonly RefusalCode[] = ['operation_in_progress', 'registry_unavailable', 'unavailable'];

export async function renewalPlan(
  ctx: AppContext,
  actor: Actor,
  domain: Domain,
  rules: TldRules,
): Promise<RenewalPlan> {
  const { renewal_mode: mode, end_date: end } = domain;
  if (domain.state !== 'live' || !end || mode === 'manual') return { kind: 'manual' };
  const now = ctx.clock.now();
  if (mode === 'delete') return { kind: 'deletes', at: latest(end, domain.renewal_try_at ?? now, now) };
  const at = firstTryAt(domain, end, rules, now);
  const order = automaticOrder({ ...domain, end_date: end } as With<'end_date'>, rules, domain.renewal_max_price);
  const renews = (price: Money | null): RenewalPlan => ({
    kind: 'renews',
    at,
    until: addYears(end, order.years),
    price,
    withPrivacy: order.privacy,
    isOnce: mode === 'renew_once',
  });
  // What a customer's reseller pays is not the customer's to know; what a premium domain costs the registry says when it is asked.
  if (actor.customerId !== undefined || domain.premium_class !== null) return renews(null);
  try {
    const { total } = await draftPurchase(ctx, actor, renew, order);
    const missing = await missingFor(ctx, actor.resellerId, total);
    return missing === null
      ? renews(total)
      : { kind: 'fails', at, price: total, why: `the balance lacks ${formatMoney(missing)} ${missing.currency}` };
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    if (passing.includes(error.code)) return renews(null);
    return { kind: 'fails', at, price: null, why: error.message };
  }
}

/** Some days before the end of the term; where that is over, the next attempt. */
export const firstTryAt = (domain: Pick<Domain, 'renewal_try_at'>, end: Date, rules: TldRules, now: Date): Date =>
  latest(addDays(end, -leadDaysOf(rules)), domain.renewal_try_at ?? now, now);

/** What the balance and the credit do not cover today; null: nothing. */
export async function missingFor(ctx: AppContext, resellerId: string, total: Money): Promise<Money | null> {
  const { available, creditLimit } = await balance(ctx.db.as(resellerId), resellerId, resellerId, total.currency);
  const missing = total.amount - available.amount - creditLimit.amount;
  return missing > 0n ? money(missing, total.currency) : null;
}

const latest = (...dates: readonly Date[]): Date => new Date(Math.max(...dates.map((date) => date.getTime())));

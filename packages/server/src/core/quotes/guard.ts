import { formatMoney, type Money, MoneyError, parseMoney } from '@namehold/base';
import type { Reader, Tx } from '@namehold/postgres';
import type { Actor, AppContext } from '../app-context.ts';
import { badField, Refusal } from '../errors.ts';
import type { QuoteDraft } from './draft.ts';
import { findQuote, lockQuote, markQuoteUsed } from './quote.sql.ts';
import type { Quote } from './quote.ts';

/** A limit in an order, so that the caller never pays more than the price it has seen. */
export interface PriceGuard {
  /** In the buyer's currency, as text. */
  readonly maxPrice?: string | undefined;
  readonly quoteId?: string | undefined;
}

/** For an order with a quote: its time. The quote itself is checked with the order. */
export async function quotedAt(db: Reader, actor: Actor, { quoteId }: PriceGuard): Promise<Date | undefined> {
  if (quoteId === undefined) return undefined;
  return (await findQuote(db, actor, quoteId))?.created_at;
}

type Guarded = Pick<QuoteDraft, 'kind' | 'domainName' | 'years' | 'lines' | 'total' | 'premiumClass'>;

/** The part that needs no database. */
function checkPriceGuard(order: Guarded, guard: PriceGuard): void {
  requireMaxPrice(order.total, guard);
  // A premium domain has a price set by its registry, so it is sold only with a price guard.
  if (order.premiumClass !== null && guard.maxPrice === undefined && guard.quoteId === undefined) {
    throw new Refusal(
      'price_guard_required',
      `${order.domainName} is a premium domain at ${text(order.total)}. Confirm the price with the order.`,
      { facts: { price: order.total, premiumClass: order.premiumClass }, help: { action: 'guard_price' } },
    );
  }
}

export function requireMaxPrice(total: Money, guard: PriceGuard): void {
  if (guard.maxPrice !== undefined && total.amount > maxPrice(guard.maxPrice, total.currency))
    throw tooExpensive(total, 'the highest price that the order allows');
}

/** Inside transaction A: checks the guard and uses the quote, at most once. The lower of the two prices is charged. */
export async function passPriceGuard(
  tx: Tx,
  buyer: {
    readonly resellerId: string;
    readonly customerId?: string | undefined;
    readonly operationId: string;
    readonly now: Date;
  },
  order: Guarded,
  guard: PriceGuard,
): Promise<void> {
  checkPriceGuard(order, guard);
  if (guard.quoteId === undefined) return;
  const quote = await lockQuote(tx, buyer, guard.quoteId);
  requireGoodQuote(quote, order, buyer.now);
  await markQuoteUsed(tx, quote.id, buyer.operationId, buyer.now);
}

/**
 * The same for a dry run, and for a waiting order: the quote is checked but not used. Returns the guard for the order to keep; for a
 * quote that is its price, because the quote expires.
 */
export async function checkGuard(
  ctx: AppContext,
  actor: Actor,
  order: Guarded,
  guard: PriceGuard,
): Promise<PriceGuard> {
  checkPriceGuard(order, guard);
  if (guard.quoteId === undefined) return guard;
  const quote = await findQuote(ctx.db.as(actor.resellerId), actor, guard.quoteId);
  requireGoodQuote(quote, order, ctx.clock.now());
  return { maxPrice: guard.maxPrice ?? formatMoney(quote.total) };
}

function requireGoodQuote(quote: Quote | undefined, order: Guarded, now: Date): asserts quote is Quote {
  if (!quote) throw badField('quote', 'Quote not found.', 'not_found');
  if (quote.used_by_operation !== null) {
    throw new Refusal('quote_expired', `The quote was used by operation ${quote.used_by_operation}.`);
  }
  if (quote.valid_until <= now) {
    throw new Refusal('quote_expired', `The quote was valid until ${quote.valid_until.toISOString().slice(0, 19)}Z.`);
  }
  const isOther = quote.kind !== order.kind || quote.domain_name !== order.domainName || quote.years !== order.years;
  if (isOther || withPrivacy(quote) !== withPrivacy(order)) {
    throw badField(
      'quote',
      `The quote is for: ${quote.kind} ${quote.domain_name}, ${quote.years} year(s), ${withPrivacy(quote) ? 'with' : 'without'} privacy protection.`,
      'other_order',
    );
  }
  if (quote.total.currency !== order.total.currency || quote.total.amount < order.total.amount) {
    throw tooExpensive(order.total, 'the quote');
  }
}

const withPrivacy = ({ lines }: Pick<Quote, 'lines'>) => lines.some(({ line }) => line === 'privacy');

function maxPrice(value: string, currency: string): bigint {
  try {
    return parseMoney(value, currency).amount;
  } catch (error) {
    if (!(error instanceof MoneyError)) throw error;
    throw badField('maxPrice', error.message);
  }
}

const text = (price: Money) => `${formatMoney(price)} ${price.currency}`;

function tooExpensive(price: Money, what: string): Refusal {
  return new Refusal('price_guard', `The price is ${text(price)}, above ${what}.`, { facts: { price } });
}

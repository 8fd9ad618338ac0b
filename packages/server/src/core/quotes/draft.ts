import { formatMoney, type Money, money } from '@namehold/base';
import type { Reader } from '@namehold/postgres';
import { withTax } from '../invoices/customer-tax.ts';
import type { Purchase } from '../ledger/ledger.ts';
import type { PricedItem } from '../pricing/calculate-price.ts';
import { customerTotal } from '../pricing/customer-price.ts';
import type { PriceAction } from '../pricing/price.ts';
import { type PricedChain, priceOrder } from '../pricing/price-of.ts';
import { lineKind, type Premium, type QuoteKind, type QuoteLine } from './quote.ts';

export interface QuoteOrder {
  readonly resellerId: string;
  readonly at: Date;
  /** Time of the order's quote: its exchange rates apply. */
  readonly ratesAt?: Date | undefined;
  readonly kind: QuoteKind;
  readonly domainName: string;
  readonly tld: string;
  /** Where the domain is or will be: its costs apply. */
  readonly registryId: string;
  readonly domainId?: string | null | undefined;
  /** The customer who owns or will own the domain; without one it is only a price. */
  readonly customerId?: string | undefined;
  readonly years: number;
  /** Bought together with years of a domain. */
  readonly withPrivacy?: boolean | undefined;
  /** A restore at a registry that renews by a year in the same command. */
  readonly withRenewal?: boolean | undefined;
  /** A transfer at a registry that adds no year. */
  readonly withoutYear?: boolean | undefined;
  readonly premium?: Premium | undefined;
}

/** The price of an order with everything that a bill, a dry run and the ledger need. */
export interface QuoteDraft extends PricedChain {
  readonly pricedAt: Date;
  readonly kind: QuoteKind;
  readonly domainName: string;
  readonly domainId: string | null;
  readonly years: number;
  readonly lines: readonly QuoteLine[];
  readonly premiumClass: string | null;
  /** The planned action, without the money. */
  readonly act: string;
  readonly whatHappens: string;
  /** Its amounts in the ledger. */
  readonly bill: Pick<Purchase, 'action' | 'description' | 'type'>;
}

const actionOf: Record<QuoteKind, PriceAction> = {
  register: 'create',
  renew: 'renew',
  transfer: 'transfer',
  restore: 'restore',
  privacy: 'privacy',
  trade: 'trade',
};

function thingsOf({ tld, kind, years, premium, withRenewal, withPrivacy }: QuoteOrder): PricedItem[] {
  const main = { tld, action: actionOf[kind], years };
  const things: PricedItem[] = [premium && kind !== 'privacy' ? { ...main, premiumFee: premium.fee } : main];
  // A premium domain has both prices in the one line that follows the registry's fee.
  if (withRenewal && kind === 'restore' && !premium) things.push({ tld, action: 'renew', years: 1 });
  if (withPrivacy && kind !== 'privacy') things.push({ tld, action: 'privacy', years });
  return things;
}

/** The customer's bill for the same, including tax. */
export async function priceForCustomer(db: Reader, order: QuoteOrder): Promise<Money> {
  return withTax(db, order, await customerTotal(db, order, thingsOf(order)));
}

/** The same order as the customer sees it: with its own price only. Tax that is added is on the first line. */
export async function asCustomerSees(db: Reader, order: QuoteOrder, draft: QuoteDraft): Promise<QuoteDraft> {
  const total = await priceForCustomer(db, order);
  const further: Money[] = [];
  for (const thing of thingsOf(order).slice(1)) further.push(await customerTotal(db, order, [thing]));
  const first = further.reduce((left, { amount }) => left - amount, total.amount);
  const lines = draft.lines.map((line, n) => ({ ...line, amount: further[n - 1] ?? money(first, total.currency) }));
  return { ...draft, lines, total, whatHappens: whatHappens(draft.act, total, 'none') };
}

/** The only source of prices: the quote, the dry run and the order itself use it. */
export async function draftQuote(db: Reader, order: QuoteOrder): Promise<QuoteDraft> {
  const { kind, premium } = order;
  const things = thingsOf(order);
  const act = describeAction(order);
  const { lines, ...priced } = await priceOrder(db, {
    resellerId: order.resellerId,
    registryId: order.registryId,
    at: order.at,
    ratesAt: order.ratesAt,
    things,
  });
  return {
    ...priced,
    pricedAt: order.at,
    kind,
    domainName: order.domainName,
    domainId: order.domainId ?? null,
    years: order.years,
    lines: lines.map(({ action, years, amount }) => ({ line: lineKind(action), years, amount })),
    premiumClass: premium?.class ?? null,
    act,
    whatHappens: whatHappens(act, priced.total, 'none'),
    bill: {
      action: actionOf[kind],
      description: onBill(order),
      type: kind === 'privacy' ? 'privacy_protect' : 'domain',
    },
  };
}

function describeAction({ kind, domainName, years, withPrivacy, withRenewal, withoutYear }: QuoteOrder): string {
  const span = years === 1 ? 'one year' : `${years} years`;
  const acts: Record<QuoteKind, string> = {
    register: `${domainName} will be registered for ${span}`,
    renew: `${domainName} will be renewed by ${span}`,
    transfer: `${domainName} will be transferred to this account${withoutYear ? '; its term stays as it is' : ', which adds one year to its term'}`,
    restore: `${domainName} will be restored from redemption${withRenewal ? ' and renewed by one year' : ''}`,
    privacy: `privacy protection of ${domainName} will be bought for ${span}`,
    trade: `the registrant of ${domainName} will be changed by a trade`,
  };
  const extra = withPrivacy && kind !== 'privacy' ? ', with privacy protection' : '';
  const act = acts[kind] + extra;
  return `${act[0]!.toUpperCase()}${act.slice(1)}`;
}

/**
 * How the customer of an order is billed. `none`: not at all. `keep`: it runs, and the bill stays open. `pay`: from the customer's
 * balance; if that is not enough the order waits. `wait`: it runs when it is paid or executed.
 */
export type Invoicing = 'none' | 'keep' | 'pay' | 'wait';

export function whatHappens(act: string, total: Money, invoicing: Invoicing): string {
  const price = `${formatMoney(total)} ${total.currency}`;
  const taken = 'captured when the registry confirms, and released if it refuses';
  const invoicingText: Record<Invoicing, string> = {
    none: `${act}. ${price} will be held now, ${taken}.`,
    keep: `${act}. ${price} will be held now, ${taken}; the customer's bill stays open.`,
    pay: `${act} if the customer's balance covers its bill; else the order waits and nothing is held. ${price} will be held when it runs, ${taken}.`,
    wait: `${act} when the order is paid or executed. Nothing is held now; ${price}, or the price of then, will be held when it runs, ${taken}.`,
  };
  return invoicingText[invoicing];
}

function onBill({ kind, domainName, years, withRenewal }: QuoteOrder): string {
  const span = `for ${years} ${years === 1 ? 'year' : 'years'}`;
  const lines: Record<QuoteKind, string> = {
    register: `Registration of ${domainName} ${span}`,
    renew: `Renewal of ${domainName} ${span}`,
    transfer: `Transfer of ${domainName}`,
    restore: `Restore of ${domainName}${withRenewal ? ', with renewal for 1 year' : ''}`,
    privacy: `Privacy protection of ${domainName} ${span}`,
    trade: `Trade of ${domainName}`,
  };
  return lines[kind];
}

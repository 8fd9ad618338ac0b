import type { Money } from '@namehold/base';
import { z } from 'zod';
import type { PurchaseDraft } from '../../../core/domains/buy/draft-purchase.ts';
import { type Quote, type QuoteLine, quoteKinds } from '../../../core/quotes/quote.ts';
import { instantText } from '../../wire.ts';
import { moneyView, showMoney } from '../billing/money-view.ts';

export const quoteLineView = z.object({ line: z.string(), years: z.number().int(), amount: moneyView });

export const showQuoteLine = (line: QuoteLine): z.output<typeof quoteLineView> => ({
  ...line,
  amount: showMoney(line.amount),
});

const priced = {
  kind: z.enum(quoteKinds),
  domain_name: z.string(),
  domain_id: z.string().nullable(),
  years: z.number().int(),
  lines: z.array(quoteLineView),
  total: moneyView,
  premium_class: z.string().nullable(),
  what_happens: z.string(),
};

export const quoteView = z
  .object({
    quote_id: z.string(),
    ...priced,
    customer_price: moneyView
      .optional()
      .describe(
        'Your price for the customer, if you have set one. Only in the response that creates the quote, and without tax for a new domain. The quote does not guarantee it.',
      ),
    valid_until: z.string(),
    created_at: z.string(),
    used_by_operation_id: z.string().nullable(),
  })
  .meta({ id: 'Quote', description: 'The price of an order, with a validity.' });

export function showQuote(quote: Quote & { readonly customerPrice?: Money }): z.output<typeof quoteView> {
  return {
    quote_id: quote.id,
    kind: quote.kind,
    domain_name: quote.domain_name,
    domain_id: quote.domain_id,
    years: quote.years,
    lines: quote.lines.map(showQuoteLine),
    total: showMoney(quote.total),
    ...(quote.customerPrice ? { customer_price: showMoney(quote.customerPrice) } : {}),
    premium_class: quote.premium_class,
    what_happens: quote.what_happens,
    valid_until: instantText(quote.valid_until),
    created_at: instantText(quote.created_at),
    used_by_operation_id: quote.used_by_operation,
  };
}

/** The response of a billable call with dry_run=true. Nothing is stored or guaranteed. */
export const dryRunView = z
  .object({
    dry_run: z.literal(true),
    ...priced,
    customer_price: moneyView
      .optional()
      .describe('The amount that the customer would be billed. Absent with no_invoice.'),
    warnings: z
      .array(z.string())
      .optional()
      .describe('Differences between the order as sent and as it would be executed.'),
  })
  .meta({ id: 'DryRun', description: 'Price and effect of an order that was not made.' });

export function showDryRun(draft: PurchaseDraft): z.output<typeof dryRunView> {
  return {
    dry_run: true,
    kind: draft.kind,
    domain_name: draft.domainName,
    domain_id: draft.domainId,
    years: draft.years,
    lines: draft.lines.map(showQuoteLine),
    total: showMoney(draft.total),
    premium_class: draft.premiumClass,
    what_happens: draft.whatHappens,
    ...(draft.customerPrice ? { customer_price: showMoney(draft.customerPrice) } : {}),
    ...(draft.warnings?.length ? { warnings: [...draft.warnings] } : {}),
  };
}

const usd = (amount: string) => ({ amount, currency: 'USD' });

export const quoteExample: z.output<typeof quoteView> = {
  quote_id: 'quo_06gxsvmka9v7qbwbdq2svf8e6g',
  kind: 'register',
  domain_name: 'example-shop.com',
  domain_id: null,
  years: 1,
  lines: [{ line: 'registration', years: 1, amount: usd('11.50') }],
  total: usd('11.50'),
  premium_class: null,
  what_happens:
    'Example.com will be registered for one year. 11.50 USD will be held now, captured when the registry has confirmed, and released if it refuses.',
  valid_until: '2026-11-15T09:15:00Z',
  created_at: '2026-11-15T09:00:00Z',
  used_by_operation_id: null,
};

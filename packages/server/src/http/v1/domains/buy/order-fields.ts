import type { z } from 'zod';
import type { Invoicing } from '../../../../core/quotes/draft.ts';
import type { PriceGuard } from '../../../../core/quotes/guard.ts';
import { parseForm } from '../../../body.ts';
import { amount, asText, FieldRefusal, field, flag, id, oneOf, text } from '../../../field.ts';

/** Fields of several orders. */

export const domain_id = text({
  max: 260,
  about: 'Id of the domain. Its domain name is accepted too.',
  example: '5001',
});

/** -1 means "none", for TLDs without a contact in that role. */
export function contactId(role: string) {
  return field(
    {
      type: 'string',
      pattern: '^(-1|[0-9]{1,18})$',
      description: `Contact for the role ${role}; -1 if the TLD has none.`,
      examples: ['3001'],
    },
    (value) => {
      const read = asText(value).trim();
      if (read === '-1') return null;
      if (!/^\d{1,18}$/.test(read)) throw new FieldRefusal('Must be the id of a contact, or -1.');
      return BigInt(read).toString();
    },
  );
}

/** The contract's values for how a customer is billed. An older client sends them as `NoInvoice`. */
const invoiceOptions = {
  no_invoice: 'none',
  pay_invoice: 'pay',
  keep_invoice: 'keep',
  only_add: 'wait',
} as const satisfies Record<string, Invoicing>;

export const invoice_option = field(
  {
    type: 'string',
    enum: Object.keys(invoiceOptions),
    description:
      'How the customer is billed. no_invoice: not at all. keep_invoice: the order runs and the bill stays open. pay_invoice: from the balance of the customer; if it is too low, the order waits. only_add: the order waits until it is paid or executed.',
    examples: ['no_invoice'],
  },
  (value): Invoicing => {
    const given = asText(value).trim().toLowerCase().replaceAll('_', '');
    for (const [word, invoicing] of Object.entries(invoiceOptions))
      if (word.replace('_', '') === given) return invoicing;
    throw new FieldRefusal('Must be no_invoice, pay_invoice, keep_invoice or only_add.');
  },
);

function readJson(value: string): unknown {
  try {
    return JSON.parse(value);
  } catch {
    throw new FieldRefusal('Must be key=value pairs or a JSON object.');
  }
}

/** Panels send a URL-encoded form as one text. A JSON object is accepted too, also as text within a form. */
export const extra = field(
  {
    type: ['object', 'string'],
    additionalProperties: { type: 'string' },
    description: 'Fields that the TLD requires: an object in JSON, elsewhere a URL-encoded form in one text.',
    examples: [{ us_purpose: 'P1', us_category: 'C11' }],
  },
  (value): Record<string, string> => {
    const given = typeof value === 'string' && value.trim().startsWith('{') ? readJson(value) : value;
    if (typeof given === 'object' && given !== null && !Array.isArray(given)) {
      return Object.fromEntries(Object.entries(given).map(([key, entry]) => [key, asText(entry)]));
    }
    const read = parseForm(asText(given));
    if (Object.keys(read).length > 50) throw new FieldRefusal('Must have at most 50 fields.');
    return { ...read };
  },
);

/** Name in the document of a body that has only this field. */
export const ownerCheckName = 'OwnerCheck';
export const customerCheck = id('If present, the domain must belong to this customer.').optional();

/** Other modes have checks of their own, and are set after the order. */
export const renewal_mode = oneOf(
  ['manual'],
  'manual: only an order renews the domain, whatever the default of its customer or account is. Other modes are set after the order.',
);

export const priceGuard = {
  max_price: amount('Refuse the order if it would cost more.').optional(),
  quote_id: text({ max: 60, about: 'A quote from POST /v1/quotes. The order is charged its price.' }).optional(),
  dry_run: flag('Dry run: only return the price and what would happen.').optional(),
} satisfies z.ZodRawShape;

/** The price guard in the names of the core. */
export function guardOf(sent: { max_price?: string | undefined; quote_id?: string | undefined }): PriceGuard {
  return { maxPrice: sent.max_price, quoteId: sent.quote_id };
}

import { money } from '@namehold/base';
import { z } from 'zod';
import { textsOf, unsupportedCharacters } from '../../../core/invoices/scripts.ts';
import { type Invoice, type InvoiceParty, invoiceKinds, invoiceStates } from '../../../core/model/invoice.ts';
import { formerField } from '../../aliases.ts';
import { text } from '../../field.ts';
import { instantOrNull, instantText } from '../../wire.ts';
import { moneyView, showMoney } from '../billing/money-view.ts';

export const invoice_id = text({
  max: 60,
  about: 'Id of the invoice or credit note.',
  example: 'doc_06bs3m7ycg7r5qh0d8w2k1v9zx',
});

const partyView = z
  .object({
    name: z.string(),
    address: z.array(z.string()),
    country_code: z.string(),
    tax_id: z.string().nullable().describe('A buyer with a tax id is a business.'),
    email: z.string().nullable(),
  })
  .meta({ id: 'InvoiceParty', description: 'Seller or buyer, as at the time of issue.' });

const lineView = z
  .object({
    transaction_id: z.string(),
    description: z.string(),
    domain_name: z.string().nullable(),
    net: moneyView,
    tax_rate: z.string().nullable().describe('In percent. Null: no tax is configured.'),
    tax: moneyView,
    total: moneyView,
  })
  .meta({ id: 'InvoiceLine', description: 'One sold item, with its tax, rounded once.' });

const taxView = z
  .object({
    name: z.string(),
    rate: z.string().describe('In percent.'),
    net: moneyView,
    tax: moneyView,
    note: z.string().nullable().describe('Note about the tax, for example why there is none or who owes it.'),
  })
  .meta({ id: 'InvoiceTax', description: 'Tax of all lines with the same rate.' });

export const invoiceView = z
  .object({
    invoice_id: z.string().describe('Id of the invoice or credit note.'),
    kind: z.enum(invoiceKinds),
    state: z
      .enum(invoiceStates)
      .describe('draft: not issued, so not an invoice yet; void: never issued; credited: reversed by credit notes.'),
    number: z.string().nullable().describe('Without gaps in its series. Null: a draft.'),
    customer_id: z.string().nullable(),
    reseller_id: z.string().nullable().describe('The sub-reseller that is invoiced. Null: a customer is.'),
    transaction_id: z.string().nullable().describe('The bill that it is for.'),
    period: z.string().nullable().describe('For a sub-reseller: the month, by its first day.'),
    corrects_id: z.string().nullable().describe('For a credit note: the credited invoice.'),
    reason: z.string().nullable().describe('Why it was credited, or why a draft is not issued.'),
    waits_for: z
      .enum(['order', 'tax_rate'])
      .nullable()
      .describe('For a draft. order: the order is not completed yet. tax_rate: your tax table has no rate for it.'),
    issued_on: z.string().nullable().describe('Day of issue, in UTC. Null: a draft.'),
    due_on: z.string().nullable().describe('Due date.'),
    currency: z.string(),
    net: moneyView,
    tax: moneyView,
    total: moneyView,
    paid: moneyView,
    credited: moneyView.describe('Reversed by credit notes.'),
    seller: partyView,
    buyer: partyView,
    lines: z.array(lineView),
    taxes: z.array(taxView).describe('Empty: no tax is configured.'),
    created_at: z.string(),
    issued_at: z.string().nullable().describe('When it was issued. RFC 3339.'),
    settled_at: z.string().nullable().describe('When it was paid, fully credited or cancelled.'),
    unsupported_characters: z
      .string()
      .optional()
      .describe('Characters that appear as boxes in the PDF, because its fonts do not have them.'),
    not_on_paper: formerField(z.string(), 'unsupported_characters').optional(),
  })
  .meta({ id: 'Invoice', description: 'An invoice or a credit note. It does not change after it is issued.' });

/** Converts thousandths of a percent to text: 11000 is 11, 8875 is 8.875. */
export const percentText = (rate: number): string => String(rate / 1_000);

const showParty = ({ name, address, country_code, tax_id, email }: InvoiceParty) => ({
  name,
  address: [...address],
  country_code,
  tax_id,
  email,
});

export function showInvoice(i: Invoice): z.output<typeof invoiceView> {
  const of = (minor: string) => showMoney(money(BigInt(minor), i.currency));
  const missing = unsupportedCharacters(textsOf(i));
  return {
    invoice_id: i.id,
    kind: i.kind,
    state: i.state,
    number: i.number,
    customer_id: i.customer_id,
    reseller_id: i.child_id,
    transaction_id: i.bill_id,
    period: i.period,
    corrects_id: i.corrects_id,
    reason: i.reason,
    waits_for: i.waits_for,
    issued_on: i.issued_on,
    due_on: i.due_on,
    currency: i.currency,
    net: of(i.net),
    tax: of(i.tax),
    total: of(i.total),
    paid: of(i.paid),
    credited: of(i.credited),
    seller: showParty(i.seller),
    buyer: showParty(i.buyer),
    lines: i.lines.map((line) => ({
      transaction_id: line.transaction_id,
      description: line.description,
      domain_name: line.domain_name,
      net: of(line.net),
      tax_rate: line.tax_rate === null ? null : percentText(line.tax_rate),
      tax: of(line.tax),
      total: of(line.total),
    })),
    taxes: i.taxes.map((tax) => ({
      name: tax.name,
      rate: percentText(tax.rate),
      net: of(tax.net),
      tax: of(tax.tax),
      note: tax.note,
    })),
    created_at: instantText(i.created_at),
    issued_at: instantOrNull(i.issued_at),
    settled_at: instantOrNull(i.settled_at),
    ...(missing === '' ? {} : { unsupported_characters: missing, not_on_paper: missing }),
  };
}

const usd = (amount: string) => ({ amount, currency: 'USD' });

export const invoiceExample: z.output<typeof invoiceView> = {
  invoice_id: 'doc_06bs3m7ycg7r5qh0d8w2k1v9zx',
  kind: 'invoice',
  state: 'open',
  number: 'INV-2026-00001',
  customer_id: '2001',
  reseller_id: null,
  transaction_id: '1003',
  period: null,
  corrects_id: null,
  reason: null,
  waits_for: null,
  issued_on: '2026-11-15',
  due_on: '2026-11-29',
  currency: 'USD',
  net: usd('13.51'),
  tax: usd('1.49'),
  total: usd('15.00'),
  paid: usd('0.00'),
  credited: usd('0.00'),
  seller: {
    name: 'Example Shop',
    address: ['Jl. Sudirman 1', '10220 Jakarta'],
    country_code: 'ID',
    tax_id: '01.234.567.8-901.000',
    email: 'billing@example-shop.com',
  },
  buyer: {
    name: 'Sari Dewi',
    address: ['Jl. Merdeka 7', '40111 Bandung'],
    country_code: 'ID',
    tax_id: null,
    email: 'sari@example.com',
  },
  lines: [
    {
      transaction_id: '1003',
      description: 'Registration of example-shop.com for 1 year',
      domain_name: 'example-shop.com',
      net: usd('13.51'),
      tax_rate: '11',
      tax: usd('1.49'),
      total: usd('15.00'),
    },
  ],
  taxes: [{ name: 'PPN', rate: '11', net: usd('13.51'), tax: usd('1.49'), note: null }],
  created_at: '2026-11-15T09:00:00Z',
  issued_at: '2026-11-15T09:00:01Z',
  settled_at: null,
};

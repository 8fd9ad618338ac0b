/**
 * A draft has no number and is no invoice; a void draft never becomes one. An issued invoice is open, then paid; credited: taken back in
 * full.
 */
export const invoiceStates = ['draft', 'open', 'paid', 'void', 'credited'] as const;
export type InvoiceState = (typeof invoiceStates)[number];

export const invoiceKinds = ['invoice', 'credit_note'] as const;
export type InvoiceKind = (typeof invoiceKinds)[number];

/** How often sub-resellers get an invoice for their charges. */
export const childInvoices = ['none', 'monthly'] as const;
export type ChildInvoices = (typeof childInvoices)[number];

/** Seller or buyer, as they were when the document was issued. */
export interface InvoiceParty {
  readonly name: string;
  readonly address: readonly string[];
  readonly country_code: string;
  readonly tax_id: string | null;
  readonly email: string | null;
}

/** Amounts in minor units, as text. The amounts of a line are never computed again. */
export interface InvoiceLine {
  /** Its subject in the ledger. */
  readonly transaction_id: string;
  readonly description: string;
  readonly domain_name: string | null;
  readonly net: string;
  readonly tax: string;
  readonly total: string;
  /** Thousandths of a percent; null: no tax is set up. */
  readonly tax_rate: number | null;
}

/** Lines of one rate, grouped. */
export interface InvoiceTax {
  readonly name: string;
  readonly rate: number;
  readonly net: string;
  readonly tax: string;
  readonly note: string | null;
}

export interface Invoice {
  readonly id: string;
  readonly kind: InvoiceKind;
  readonly reseller_id: string;
  readonly customer_id: string | null;
  readonly child_id: string | null;
  readonly state: InvoiceState;
  readonly series: string | null;
  readonly place: string | null;
  readonly number: string | null;
  readonly issued_at: Date | null;
  readonly issued_on: string | null;
  readonly due_on: string | null;
  readonly settled_at: Date | null;
  readonly bill_id: string | null;
  readonly period: string | null;
  readonly corrects_id: string | null;
  readonly reason: string | null;
  /** Of a draft: its order waits or is running; the tax table has no rate for it. */
  readonly waits_for: 'order' | 'tax_rate' | null;
  readonly currency: string;
  readonly net: string;
  readonly tax: string;
  readonly total: string;
  readonly paid: string;
  readonly credited: string;
  readonly seller: InvoiceParty;
  readonly buyer: InvoiceParty;
  readonly lines: readonly InvoiceLine[];
  readonly taxes: readonly InvoiceTax[];
  readonly created_at: Date;
}

export interface Logo {
  readonly octets: Uint8Array;
  readonly type: string;
}

export const invoiceLimits = {
  /** Documents made in one transaction of the job, and in one of its iterations. */
  perTransaction: 20,
  perBatch: 1_000,
  /** Lines of one document; more lines go to another document. */
  lines: 1_000,
  reasonLength: 500,
  taxRates: 500,
  nameLength: 200,
  addressLines: 6,
  addressLineLength: 100,
  taxIdLength: 40,
  prefixLength: 20,
  footerLength: 1_000,
  noteLength: 200,
  logoBytes: 262_144,
  logoPixels: 2_000,
};

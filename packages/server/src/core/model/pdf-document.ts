import type { Invoice, Logo } from './invoice.ts';

/** All content of the printed document. */
export interface PdfDocument {
  readonly invoice: Invoice;
  /** Of a credit note: the number of the credited invoice. */
  readonly correctsNumber: string | null;
  readonly footer: string | null;
  readonly logo: Logo | null;
}

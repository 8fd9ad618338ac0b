import type { Invoice } from './invoice.ts';
import type { Logo } from './settings.sql.ts';

/** All that stands on the printed document. */
export interface PdfDocument {
  readonly invoice: Invoice;
  /** Of a credit note: the number of what it takes back. */
  readonly correctsNumber: string | null;
  readonly footer: string | null;
  readonly logo: Logo | null;
}

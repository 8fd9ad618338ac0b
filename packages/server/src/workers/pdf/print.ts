import { exponentOf } from '@namehold/base';
import PDFDocument from 'pdfkit';
import { formatted } from '../../core/invoices/amounts.ts';
import type { Invoice, InvoiceParty } from '../../core/model/invoice.ts';
import type { PdfDocument } from '../../core/model/pdf-document.ts';
import { allFonts } from './fonts.ts';
import { Pen } from './text.ts';

/** A4 in points, and the layout. */
const page = { left: 50, right: 545, top: 50, bottom: 760, footer: 785 };
const width = page.right - page.left;
const columns = { description: 215, net: 75, rate: 55, tax: 70, total: 80 };
const grey = '#666666';
const small = { size: 8, colour: grey } as const;

/** Prints one document as a PDF from stored values; nothing is calculated here. */
export async function print(document: PdfDocument, fonts = allFonts): Promise<Uint8Array> {
  const { invoice } = document;
  const pdf = new PDFDocument({
    size: 'A4',
    margin: 0,
    bufferPages: true,
    font: null as unknown as string,
    info: {
      Title: invoice.number ?? titleOf(invoice),
      Author: invoice.seller.name,
      CreationDate: invoice.issued_at ?? invoice.created_at,
    },
  });
  const done = collect(pdf);
  const pen = new Pen(pdf, fonts);
  let y = head(pen, document);
  y = tableHead(pen, y);
  for (const line of invoice.lines) y = tableLine(pen, invoice, line, y);
  y = totals(pen, document, y);
  closing(pen, document, y);
  pageFeet(pen, invoice);
  pdf.end();
  return done;
}

function collect(pdf: PDFKit.PDFDocument): Promise<Uint8Array> {
  const { promise, resolve, reject } = Promise.withResolvers<Uint8Array>();
  const pieces: Buffer[] = [];
  pdf.on('data', (piece: Buffer) => pieces.push(piece));
  pdf.on('end', () => resolve(Buffer.concat(pieces)));
  pdf.on('error', reject);
  return promise;
}

function titleOf({ kind, number }: Invoice): string {
  if (kind === 'credit_note') return 'Credit note';
  return number === null ? 'Draft, not an invoice' : 'Invoice';
}

/** With thousands separators. */
function amount(minor: string, currency: string): string {
  const text = formatted(minor, currency).amount;
  const [whole, fraction] = text.split('.') as [string, string?];
  const grouped = whole.replace(/\B(?=(\d{3})+(?!\d))/g, ',');
  return exponentOf(currency) === 0 || fraction === undefined ? grouped : `${grouped}.${fraction}`;
}

function head(pen: Pen, { invoice, correctsNumber, logo }: PdfDocument): number {
  const { left, right, top } = page;
  let y = top;
  if (logo) {
    y += pictureOf(pen, logo) ? 72 : 0;
  }
  const facts: [string, string | null][] = [
    ['Number', invoice.number],
    ['Date', invoice.issued_on ?? invoice.created_at.toISOString().slice(0, 10)],
    ['Due date', invoice.kind === 'invoice' ? invoice.due_on : null],
    ['Period', invoice.period?.slice(0, 7) ?? null],
    ['Corrects', correctsNumber],
  ];
  let factsY = top + pen.line(titleOf(invoice), left, top, width, { size: 18, face: 'bold', align: 'right' }) + 6;
  for (const [label, value] of facts) {
    if (value === null) continue;
    pen.line(label, right - 230, factsY, 60, small);
    factsY += pen.line(value, right - 170, factsY, 170, { align: 'right' });
  }
  const sellerHeight = party(pen, 'Seller', invoice.seller, left, Math.max(y, factsY + 16));
  const buyerHeight = party(pen, 'Buyer', invoice.buyer, left + 260, Math.max(y, factsY + 16));
  return Math.max(y, factsY + 16) + Math.max(sellerHeight, buyerHeight) + 24;
}

/** False: the image is invalid; the document is printed without a logo. */
function pictureOf(pen: Pen, logo: NonNullable<PdfDocument['logo']>): boolean {
  try {
    pen.pdf.image(Buffer.from(logo.octets), page.left, page.top, { fit: [180, 60] });
    return true;
  } catch {
    return false;
  }
}

function party(pen: Pen, word: string, who: InvoiceParty, x: number, y: number): number {
  const wide = 235;
  let height = pen.line(word, x, y, wide, small);
  height += pen.block(who.name, x, y + height, wide, { size: 10, face: 'bold', lines: 8 });
  for (const line of who.address) height += pen.block(line, x, y + height, wide, { lines: 2 });
  height += pen.line(countryName(who.country_code), x, y + height, wide);
  if (who.tax_id !== null) height += pen.block(`Tax ID: ${who.tax_id}`, x, y + height, wide, { lines: 2 });
  if (who.email !== null) height += pen.block(who.email, x, y + height, wide, { ...small, lines: 2 });
  return height;
}

const countries = new Intl.DisplayNames(['en'], { type: 'region' });
const countryName = (code: string) => countries.of(code) ?? code;

function row(pen: Pen, y: number, cells: readonly [string, string, string, string], style = {}): void {
  let x = page.left + columns.description;
  for (const [at, wide] of [columns.net, columns.rate, columns.tax, columns.total].entries()) {
    pen.line(cells[at]!, x, y, wide, { ...style, align: 'right' });
    x += wide;
  }
}

function rule(pen: Pen, y: number, from = page.left): void {
  pen.pdf.moveTo(from, y).lineTo(page.right, y).lineWidth(0.5).strokeColor('#999999').stroke();
}

function tableHead(pen: Pen, y: number): number {
  pen.line('Description', page.left, y, columns.description, small);
  row(pen, y, ['Net', 'Tax rate', 'Tax', 'Total'], small);
  rule(pen, y + 14);
  return y + 20;
}

function tableLine(pen: Pen, { currency }: Invoice, line: Invoice['lines'][number], y: number): number {
  const width = columns.description - 10;
  const lines = pen.wrap(line.description, width, { lines: 4 });
  const height = lines.length * 9 * 1.4 + 4;
  const at = y + height > page.bottom ? tableHead(pen, nextPage(pen)) : y;
  for (const [place, text] of lines.entries()) pen.line(text, page.left, at + place * 9 * 1.4, width);
  row(pen, at, [
    amount(line.net, currency),
    line.tax_rate === null ? '–' : `${line.tax_rate / 1_000} %`,
    amount(line.tax, currency),
    amount(line.total, currency),
  ]);
  return at + height;
}

function nextPage(pen: Pen): number {
  pen.pdf.addPage({ size: 'A4', margin: 0 });
  return page.top;
}

function totals(pen: Pen, { invoice }: PdfDocument, from: number): number {
  const { currency, taxes } = invoice;
  const isNote = invoice.kind === 'credit_note';
  const rows: [string, string, boolean][] = [
    ['Net', amount(invoice.net, currency), false],
    ...taxes.map(({ name, rate, tax }): [string, string, boolean] => [
      `${name} ${rate / 1_000} %`,
      amount(tax, currency),
      false,
    ]),
    [isNote ? 'Credited' : 'Total', `${currency} ${amount(invoice.total, currency)}`, true],
  ];
  if (!isNote && invoice.number !== null) {
    const owed = BigInt(invoice.total) - BigInt(invoice.credited) - BigInt(invoice.paid);
    if (invoice.credited !== '0') rows.push(['Credited', amount(invoice.credited, currency), false]);
    rows.push(['Paid', amount(invoice.paid, currency), false]);
    rows.push(['Amount due', `${currency} ${amount((owed > 0n ? owed : 0n).toString(), currency)}`, true]);
  }
  const x = page.right - 230;
  let y = from + 8 + rows.length * 16 > page.bottom ? nextPage(pen) : from + 8;
  rule(pen, y - 4, x);
  for (const [word, value, isSum] of rows) {
    const style = isSum ? ({ size: 10, face: 'bold' } as const) : {};
    pen.line(word, x, y, 110, style);
    pen.line(value, x + 90, y, 140, { ...style, align: 'right' });
    y += 16;
  }
  return y + 10;
}

function closing(pen: Pen, { invoice, footer }: PdfDocument, from: number): void {
  const notes = [
    invoice.taxes.length === 0 ? 'No tax is charged.' : null,
    ...invoice.taxes.map(({ name, note }) => (note === null ? null : `${name}: ${note}`)),
    invoice.reason === null ? null : `Reason: ${invoice.reason}`,
    invoice.number === null ? 'This is a draft. It has no number and is not a valid invoice.' : null,
    footer,
  ].filter((text) => text !== null);
  let y = from;
  for (const note of notes) {
    const height = pen.wrap(note, width, { lines: 20 }).length * 9 * 1.4;
    if (y + height > page.bottom) y = nextPage(pen);
    y += pen.block(note, page.left, y, width, { lines: 20 }) + 4;
  }
}

function pageFeet(pen: Pen, invoice: Invoice): void {
  const { count } = pen.pdf.bufferedPageRange();
  for (let at = 0; at < count; at += 1) {
    pen.pdf.switchToPage(at);
    rule(pen, page.footer - 8);
    pen.line(invoice.number ?? titleOf(invoice), page.left, page.footer, width / 2, small);
    pen.line(`Page ${at + 1} of ${count}`, page.left + width / 2, page.footer, width / 2, { ...small, align: 'right' });
  }
}

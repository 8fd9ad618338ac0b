import { describe, expect, test } from 'vitest';
import type { Schema } from '../../src/api/shapes.ts';
import InvoicePage from '../../src/invoices/invoice.tsx';
import InvoiceList from '../../src/invoices/list.tsx';
import { messages } from '../../src/invoices/messages.ts';
import { example } from '../support/api.ts';
import { signIn, speak, usePage } from '../support/dom.ts';

const page = usePage();
const invoiceOf = (changes: Partial<Schema<'Invoice'>> = {}) => example('Invoice', changes);
const submit = () => page.get('dialog').querySelector<HTMLButtonElement>('[type=submit]')!;

describe('the list', () => {
  const open = async (rows: Schema<'Invoice'>[], at = '/app/invoices') => {
    page.api.list('/invoices', rows, 60);
    await page.show(InvoiceList, { at });
  };

  test('takes state, direction and page from the address', async () => {
    await open([], '/app/invoices?state=open&whose=received&page=2');
    expect(page.api.requests[0]!.query).toEqual({ limit: '25', page_no: '2', state: 'open', received: 'true' });
    await page.leave();
    await open([], '/app/invoices?state=x&whose=y&page=-3');
    expect(page.api.requests.at(-1)!.query).toEqual({ limit: '25', page_no: '1' });
  });

  test('shows a day as the same day west of Greenwich, and drafts without a number', async () => {
    signIn({ person: { time_zone: 'America/Los_Angeles' } });
    await open([
      invoiceOf(),
      invoiceOf({ invoice_id: 'doc_2', number: null, issued_on: null, due_on: null, state: 'draft' }),
    ]);
    const [first, second] = page.rows();
    expect(first!.slice(4, 6)).toEqual(['Nov 15, 2026', 'Nov 29, 2026']);
    expect([second![0], ...second!.slice(4, 6)]).toEqual([messages().draft, '–', '–']);
  });

  test('names the seller of received documents and the buyer of others', async () => {
    await open([invoiceOf()]);
    expect(page.rows()[0]![2]).toBe('Sari Dewi');
    await page.leave();
    await open([invoiceOf()], '/app/invoices?whose=received');
    expect(page.rows()[0]![2]).toBe('Example Shop');
  });

  test('changes the address with a filter and returns to the first page', async () => {
    await open([invoiceOf()], '/app/invoices?page=2');
    await page.type(page.all('input', messages().state)[0]!, 'paid');
    expect(location.search).toBe('?state=paid');
  });
});

describe('an invoice', () => {
  const open = async (invoice = invoiceOf()) => {
    page.api.answer('get', '/invoices/{invoice_id}', () => invoice);
    await page.show(InvoicePage, { at: `/app/invoices/${invoice.invoice_id}`, route: '/app/invoices/:id' });
  };
  const path = '/invoices/{invoice_id}/credit_note';

  test.each<[string, Partial<Schema<'Invoice'>>, boolean]>([
    ['open', {}, true],
    ['paid', { state: 'paid' }, true],
    ['a draft', { state: 'draft', number: null }, false],
    ['void', { state: 'void' }, false],
    ['fully credited', { state: 'credited' }, false],
    ['a credit note', { kind: 'credit_note' }, false],
    ['received', { customer_id: null, reseller_id: '1000' }, false],
    ['of a sub-reseller', { customer_id: null, reseller_id: '1001' }, true],
  ])('offers, for an invoice that is %s, a credit note: %s', async (_, changes, canCredit) => {
    await open(invoiceOf(changes));
    expect(page.has('button', messages().credit)).toBe(canCredit);
  });

  test('cannot be credited by users who may only read', async () => {
    signIn({ account: { scopes: ['billing:read'] } });
    await open();
    expect([page.has('button', messages().credit), page.has('button', messages().pdf)]).toEqual([false, true]);
  });

  test.each([
    ['', {}],
    ['1.250,5', { amount: '1250.5' }],
  ])('is credited with the amount "%s", once', async (typed, amount) => {
    speak('id');
    await open(invoiceOf({ invoice_id: `doc_${typed.length}` }));
    page.api.answer('post', path);
    await page.click(page.button(messages().credit));
    await page.type(page.field('reason'), ' wrong price ');
    await page.type(page.field('amount'), typed);
    await page.doubleClick(submit());
    expect(page.api.writes.map(({ body }) => body)).toEqual([{ reason: 'wrong price', reissue: false, ...amount }]);
    expect(page.has('dialog')).toBe(false);
  });

  test('shows hostile names and descriptions as text', async () => {
    const buyer = { ...invoiceOf().buyer, name: '<script>x</script>', address: ['<b>street</b>'] };
    await open(invoiceOf({ buyer }));
    expect([page.text().includes('<script>x</script>'), page.root.querySelector('script, dd b')]).toEqual([true, null]);
  });

  test('shows the error if the invoice does not exist', async () => {
    page.api.refuse('get', '/invoices/{invoice_id}', 404, { code: 'not_found' });
    await page.show(InvoicePage, { at: '/app/invoices/doc_0', route: '/app/invoices/:id' });
    expect([page.has('alert'), page.has('table')]).toEqual([true, false]);
  });
});

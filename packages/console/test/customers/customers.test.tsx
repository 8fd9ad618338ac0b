import { describe, expect, test } from 'vitest';
import type { Schema } from '../../src/api/shapes.ts';
import CustomerPage from '../../src/customers/customer.tsx';
import CustomerList from '../../src/customers/list.tsx';
import { messages } from '../../src/customers/messages.ts';
import { messages as money } from '../../src/money/messages.ts';
import { example } from '../support/api.ts';
import { signIn, speak, usePage } from '../support/dom.ts';

const page = usePage();
const t = () => messages();
const customerOf = (changes: Partial<Schema<'Customer'>> = {}) =>
  example('Customer', { customer_id: '7', name: 'Sari', ...changes });
const submit = () => page.get('dialog').querySelector<HTMLButtonElement>('[type=submit]')!;

describe('the list of customers', () => {
  const open = async (rows = [customerOf()], at = '/app/customers') => {
    page.api.list('/customers', rows);
    page.api.answer('get', '/countries', [{ country_code: 'ID', country_name: 'Indonesia', tel_cc_no: '62' }] as never);
    await page.show(CustomerList, { at });
  };

  test('searches by name, and offers to clear a search without results', async () => {
    await open([], '/app/customers?has=zzz&page=2');
    expect(page.api.sent('get', '/customers').map(({ query }) => [query.name, query.page_no])).toEqual([['zzz', '2']]);
    expect(page.text()).toContain(t().noneFound);
    await page.click(page.get('link', t().clear));
    expect([location.search, (page.get('input', t().filter) as HTMLInputElement).value]).toEqual(['', '']);
  });

  test('explains customers if there are none, and offers to add one only with permission', async () => {
    await open([]);
    expect([page.text().includes(t().noneText), page.all('button', t().make).length]).toEqual([true, 2]);
    await page.leave();
    signIn({ account: { scopes: ['customers:read'] } });
    await open([]);
    expect(page.has('button', t().make)).toBe(false);
  });

  test('shows the status in the language of the user', async () => {
    speak('id');
    await open([customerOf({ status: 'Suspended' })]);
    expect(page.rows()[0]).toContain(t().statuses.Suspended);
  });

  describe('a new customer', () => {
    const fill = async () => {
      await page.click(page.button(t().make));
      const fields = {
        name: 'Ani',
        email: 'ani@example.net',
        address_line_1: 'Jalan 1',
        city: 'Jakarta',
        zipcode: '10110',
        tel_no: '2150001000',
      };
      for (const [field, text] of Object.entries(fields)) await page.type(page.field(field), text);
      await page.type(page.field('country_code'), 'ID');
    };

    test('gets the value for no state, and a password that nobody knows', async () => {
      await open();
      await fill();
      page.api.answer('post', '/customers', customerOf({ customer_id: '8' }));
      await page.doubleClick(submit());
      const bodies = page.api.sent('post', '/customers').map(({ body }) => body);
      expect(bodies).toEqual([expect.objectContaining({ state: 'Not Applicable', tel_cc_no: '62' })]);
      expect(bodies[0].password.length).toBeGreaterThanOrEqual(32);
      expect(location.pathname).toBe('/app/customers/8');
    });

    test('is sent again with the same key and password after a lost answer', async () => {
      await open();
      await fill();
      page.api.lose('post', '/customers');
      await page.click(submit());
      await page.click(submit());
      const [first, second] = page.api.sent('post', '/customers');
      expect([second!.body, second!.headers.get('Idempotency-Key')]).toEqual([
        first!.body,
        first!.headers.get('Idempotency-Key'),
      ]);
    });

    test('keeps the input of a refused customer, except the password once the dialog is closed', async () => {
      await open();
      await fill();
      await page.type(page.field('password'), 'chosen by me');
      page.api.refuse('post', '/customers', 409, { errors: [{ field: 'email', code: 'taken', message: 'In use.' }] });
      await page.click(submit());
      expect([page.errorAt('email'), page.field('name').value, page.field('password').value]).toEqual([
        'In use.',
        'Ani',
        'chosen by me',
      ]);
      await page.press('Escape');
      await page.click(page.button(t().make));
      expect(page.field('password').value).toBe('');
    });
  });
});

describe('the page of a customer', () => {
  const open = async (of = customerOf()) => {
    page.api
      .answer('get', '/customers/{customer_id}', of)
      .respond('get', '/customers/{customer_id}/access', () => ({ status: 404, body: { code: 'not_found' } }))
      .respond('get', '/customers/{customer_id}/funds', () => ({ body: example('Funds') }))
      .list('/domains', [example('Domain', { domain_name: 'a.example' })])
      .list('/customers/{customer_id}/contacts', [example('Contact', { phone: '+62.2150001000' })]);
    await page.show(CustomerPage, { at: '/app/customers/7', route: '/app/customers/:id' });
  };

  test.each([
    ['Not Applicable', 'Jalan Contoh 1, 10110 Jakarta, Indonesia'],
    ['Bali', 'Jalan Contoh 1, 10110 Jakarta, Bali, Indonesia'],
  ])('shows for the state "%s" the address "%s"', async (state, address) => {
    await open(customerOf({ state }));
    expect(page.text(page.get('region', t().details))).toContain(address);
  });

  test('lists their domains and contacts', async () => {
    await open();
    expect(page.api.sent('get', '/domains').map(({ query }) => query)).toEqual([{ limit: '10', customer_id: '7' }]);
    expect(page.text(page.get('region', t().contacts))).toContain('+62 2150001000');
    expect(page.get('link', t().allDomains).getAttribute('href')).toBe('/app/domains?customer=7');
  });

  test('shows only what the role may see', async () => {
    signIn({ account: { scopes: ['customers:read'] } });
    await open();
    expect([t().money, t().domains, t().contacts].map((each) => page.has('region', each))).toEqual([
      false,
      false,
      false,
    ]);
    expect(page.api.requests.every(({ path }) => path.startsWith('/customers/{customer_id}'))).toBe(true);
  });

  test('funds the balance in its currency, once, and reads it again', async () => {
    await open();
    const path = '/customers/{customer_id}/transactions/fund';
    page.api.respond('post', path, () => ({ body: example('Transaction') }));
    await page.click(page.button(money().fund));
    await page.type(page.field('amount'), '25.50');
    await page.type(page.field('description'), 'Bank transfer');
    const before = page.api.sent('get', '/customers/{customer_id}/funds').length;
    await page.doubleClick(submit());
    expect(page.api.sent('post', path).map(({ params, body }) => [params.customer_id, body.amount])).toEqual([
      ['7', '25.50'],
    ]);
    expect(page.api.sent('get', '/customers/{customer_id}/funds').length).toBe(before + 1);
  });

  test('shows only the error if the customer does not exist', async () => {
    page.api.refuse('get', '/customers/{customer_id}', 404, { code: 'not_found' });
    await page.show(CustomerPage, { at: '/app/customers/0', route: '/app/customers/:id' });
    expect([page.has('alert'), page.has('region', t().details)]).toEqual([true, false]);
  });
});

import { beforeEach, describe, expect, test } from 'vitest';
import type { Schema } from '../../src/api/shapes.ts';
import { messages } from '../../src/transfers/messages.ts';
import Transfers from '../../src/transfers/transfers.tsx';
import { example } from '../support/api.ts';
import { signIn, speak, usePage } from '../support/dom.ts';

const page = usePage();
const path = '/domains/transfer';
const customer = { customer_id: '7', name: 'Budi', company: '' };
const contact = { contact_id: '11', name: 'Budi', company: '', email: 'budi@example.com' };
const accepted: Schema<'AcceptedOrder'> = {
  domain_id: '5001',
  order_id: '5001',
  transaction_id: '7001',
  operation_id: 'op_1',
  domain_name: 'a.example',
  status: 'Pending',
  operation_state: 'sent',
  expiry_date: null,
  accepted_at: '2026-11-15T09:00:00Z',
};
const price = (domain: string, amount = '9.90') =>
  example('Quote', { quote_id: `quo_${domain}_${amount}`, domain_name: domain, total: { amount, currency: 'USD' } });

let person = 0;
beforeEach(() => {
  // Drafts belong to a user, and each test begins without one.
  person += 1;
  signIn({ person: { person_id: `per_${person}` } });
});

const open = async () => {
  page.api
    .list('/customers', [example('Customer', customer)])
    .list('/customers/{customer_id}/contacts', [example('Contact', contact)])
    .list('/domains', [])
    .respond('get', '/customers/{customer_id}/funds', () => ({ body: example('Funds') }))
    .respond('get', '/account/funds', () => ({ body: example('Funds') }))
    .respond('get', '/tlds/{name}', () => ({ status: 404, body: { code: 'not_found' } }))
    .respond('post', '/domains/transfer/validity', ({ body }) => ({
      body: example('TransferValidity', { domain_name: body.domain_name }),
    }))
    .respond('post', '/quotes', ({ body }) => ({ body: price(body.domain_name) }))
    .respond('post', path, () => ({ status: 202, body: accepted }))
    .respond('get', '/domains/{domain_id}', () => ({ status: 404, body: { code: 'not_found' } }))
    .respond('get', '/operations/{operation_id}', () => ({ body: example('Operation', { kind: 'transfer' }) }));
  await page.show(Transfers, { at: '/app/transfers' });
  await page.until(() => page.has('input', messages().domainsAndCodes));
};
const add = async (text: string) => {
  await page.type(page.input(messages().domainsAndCodes), text);
  await page.click(page.button(messages().add));
};
const chooseCustomer = async () => {
  const input = page.field('customer_id');
  await page.type(input, 'Bud');
  await page.click(page.get('option', /Budi/));
};
const orderButton = () => page.root.querySelector<HTMLButtonElement>('.total [type=submit]')!;
const orders = () =>
  page.api.sent('post', path).map(({ body, headers }) => ({ ...body, key: headers.get('Idempotency-Key') }));

test('explains in Indonesian that a word is not a domain name', async () => {
  speak('id');
  await open();
  page.api.refuse('post', '/domains/transfer/validity', 400, {
    code: 'invalid_argument',
    message: 'domain_name: "foo" is not a domain name. Enter a full name, for example example.com.',
    errors: [
      {
        field: 'domain_name',
        code: 'invalid',
        message: '"foo" is not a domain name. Enter a full name, for example example.com.',
      },
    ],
  });
  await add('foo');
  await page.until(() => page.text().includes('"foo" bukan nama domain.'));
  expect(page.text()).not.toContain('is not a domain name');
});

describe('an order', () => {
  test('is possible only with a customer, a contact and a code, and is sent once per domain with its own key', async () => {
    await open();
    await add('a.example code-a\nb.example');
    expect(orderButton().disabled).toBe(true);
    await chooseCustomer();
    expect(page.text(orderButton())).toContain('9.90');
    await page.type(page.input(messages().code('b.example')), ' code-b ');
    expect(page.text(orderButton())).toContain('19.80');
    await page.doubleClick(orderButton());
    const sent = orders();
    expect(sent.map((each) => [each.domain_name, each.auth_code, each.quote_id, each.registrant_contact_id])).toEqual([
      ['a.example', 'code-a', 'quo_a.example_9.90', '11'],
      ['b.example', 'code-b', 'quo_b.example_9.90', '11'],
    ]);
    expect(new Set(sent.map(({ key }) => key)).size).toBe(2);
  });

  test('repeats an order with a lost response with the same key and content, once the code is known', async () => {
    await open();
    await add('a.example code-a');
    await chooseCustomer();
    page.api.lose('post', path);
    await page.click(orderButton());
    expect(page.text()).toContain(messages().unknown);
    page.api.respond('post', path, () => ({ status: 202, body: accepted }));
    await page.click(page.button(messages().checkStatus));
    const [first, second] = orders();
    expect(second).toEqual(first);
    expect(page.text()).not.toContain(messages().unknown);
  });

  test('shows the error at a refused code, and sends the next order with another key', async () => {
    await open();
    await add('a.example wrong');
    await chooseCustomer();
    page.api.refuse('post', path, 400, { errors: [{ field: 'auth_code', code: 'invalid', message: 'Wrong code.' }] });
    await page.click(orderButton());
    expect(page.text()).toContain('Wrong code.');
    page.api.respond('post', path, () => ({ status: 202, body: accepted }));
    await page.type(page.input(messages().code('a.example')), 'right');
    await page.click(orderButton());
    const [first, second] = orders();
    expect([second!.auth_code, second!.key === first!.key]).toEqual(['right', false]);
  });

  test.each([402, 403])('ends the row of orders after a refusal with status %i', async (status) => {
    await open();
    await add('a.example 1\nb.example 2');
    await chooseCustomer();
    page.api.refuse('post', path, status, { code: 'insufficient_funds' });
    await page.click(orderButton());
    expect(orders()).toHaveLength(1);
  });

  test('waits until the user accepts a changed price', async () => {
    await open();
    await add('a.example 1');
    await chooseCustomer();
    page.api.respond('post', '/quotes', () => ({ body: price('a.example', '12.00') }));
    page.api.refuse('post', path, 409, { code: 'price_guard' });
    await page.click(orderButton());
    expect([orderButton().disabled, page.text(orderButton()).includes('12.00')]).toEqual([true, false]);
    page.api.respond('post', path, () => ({ status: 202, body: accepted }));
    const accept = page.root.querySelector<HTMLButtonElement>('.cart-line .note button')!;
    await page.click(accept);
    await page.click(orderButton());
    expect(orders().map(({ quote_id }) => quote_id)).toEqual(['quo_a.example_9.90', 'quo_a.example_12.00']);
  });
});

describe('a domain that cannot be transferred', () => {
  test('shows each obstacle, known ones in the words of the page, and can be checked again', async () => {
    await open();
    page.api.refuse('post', '/domains/transfer/validity', 409, {
      obstacles: [
        { reason: 'locked', sentence: 'L.', from: null },
        { reason: 'brand_new', sentence: 'Sentence <b>of</b> the service.', from: null },
      ],
      possible_from: null,
    });
    await add('a.example code');
    const list = page.root.querySelector('.cart-line')!;
    expect(page.text(list)).toContain(messages().obstacles.locked!(''));
    expect(page.text(list)).toContain('Sentence <b>of</b> the service.');
    expect(page.has('input', messages().code('a.example'))).toBe(false);
    await page.click(page.button(messages().checkAgain));
    expect(page.api.sent('post', '/domains/transfer/validity')).toHaveLength(2);
  });

  test.each([
    ['a.example', messages().alreadyOwned],
    ['other.example', messages().obstacles.already_here!('')],
  ])('because it is here says whether it is in this account (%s is)', async (owned, text) => {
    await open();
    page.api.list('/domains', [example('Domain', { domain_name: owned })]);
    page.api.refuse('post', '/domains/transfer/validity', 409, {
      obstacles: [{ reason: 'already_here', sentence: 'S.', from: null }],
      possible_from: null,
    });
    await add('a.example code');
    expect(page.text(page.root.querySelector('.cart-line')!)).toContain(text);
  });

  test('is checked without its code, because some registries count attempts', async () => {
    await open();
    await add('a.example code');
    expect(page.api.sent('post', '/domains/transfer/validity').map(({ body }) => body)).toEqual([
      { domain_name: 'a.example' },
    ]);
  });
});

test('codes are not stored by the browser', async () => {
  await open();
  await add('a.example top-secret');
  const stored = [...Array(localStorage.length)].map((_, n) => localStorage.getItem(localStorage.key(n)!)).join();
  expect(stored).not.toContain('top-secret');
  expect(page.input(messages().domainsAndCodes).value).toBe('');
});

import { describe, expect, test } from 'vitest';
import { firstCart, keywordsIn, namesOf, newLine, orderOf, sumOf } from '../../src/buy/cart.ts';
import { signIn } from '../support/dom.ts';

describe('keywordsIn', () => {
  test.each([
    ['coffee, tea;milk\nwater', ['coffee', 'tea', 'milk', 'water']],
    ['https://www.Shop.Example/path?q#x', ['shop.example']],
    ['www.example', ['www.example']],
    ['“shop.example.”', ['shop.example']],
    ['ｓｈｏｐ．ｅｘａｍｐｌｅ', ['shop.example']],
    ['sh\u200bop shop', ['shop']],
    ['kopi-enak.id', ['kopi-enak.id']],
    [' ,;. ', []],
  ])('reads %j', (text, words) => {
    expect(keywordsIn(text)).toEqual(words);
  });
});

describe('namesOf', () => {
  test('keeps full names, and gives keywords each TLD', () => {
    expect(namesOf('tea shop.example', ['com', 'id'])).toEqual(['tea.com', 'tea.id', 'shop.example']);
  });

  test('takes a name once, also in its ASCII form', () => {
    expect(namesOf('münchen.example xn--mnchen-3ya.example münchen.example', [])).toEqual(['münchen.example']);
  });
});

describe('sumOf', () => {
  test.each([
    [['0.1', '0.2'], '0.3'],
    [['9.99', '0.01'], '10.00'],
    [['150000', '0.5'], '150000.5'],
    [['-5.00', '2.50'], '-2.50'],
    [['-0.75', '0.50'], '-0.25'],
    [['90071992547409.93', '0.01'], '90071992547409.94'],
    [['15', '20'], '35'],
    [[], '0'],
  ])('adds %j without rounding: %s', (amounts, sum) => {
    expect(sumOf(amounts)).toBe(sum);
  });
});

test('an order has nameservers and privacy only if they were chosen', () => {
  signIn();
  const cart = {
    ...firstCart(),
    customerId: '7',
    contacts: { registrant: '1', admin: '2', tech: '3', billing: '4' },
  };
  const line = { ...newLine('shop.example'), years: 2 };
  const least = {
    domain_name: 'shop.example',
    years: 2,
    customer_id: '7',
    registrant_contact_id: '1',
    admin_contact_id: '2',
    tech_contact_id: '3',
    billing_contact_id: '4',
    invoice_option: 'no_invoice',
    quote_id: 'quo_1',
  };
  expect(orderOf(line, cart, 'quo_1', false)).toEqual(least);
  expect(orderOf(line, { ...cart, nameservers: 'NS1.x.example.\n' }, 'quo_1', true)).toEqual({
    ...least,
    ns: ['ns1.x.example'],
    purchase_privacy_protection: true,
  });
});

test('a customer orders for themselves, from their balance', () => {
  signIn({ customer: { customer_id: '7', access: 'order' }, person: { name: 'Sari' } });
  expect(firstCart()).toMatchObject({ customerId: '7', customerName: 'Sari', bill: 'pay_invoice' });
});

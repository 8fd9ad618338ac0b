import { describe, expect, test } from 'vitest';
import type { ResponseBody, Schema } from '../../src/api/shapes.ts';
import { messages } from '../../src/buy/messages.ts';
import RegisterDomain from '../../src/buy/new.tsx';
import { moneyText } from '../../src/components/money.tsx';
import { example } from '../support/api.ts';
import { signIn, speak, usePage } from '../support/dom.ts';

const page = usePage();
const t = () => messages();
const customer = { customer_id: '7', name: 'Budi', company: '' };
const contact = { contact_id: '11', name: 'Budi', company: '', email: 'budi@example.com' };
const price = (amount: string) => ({ amount, currency: 'USD' });
type Tlds = ResponseBody<'/tlds', 'get'>;
const offered = Object.fromEntries(
  ['com', 'id', 'museum'].map((name) => [
    name,
    [{ label: `.${name}`, name, min_duration: '1 years', tld_name: name, tld_key: name, tld_label: `.${name}` }],
  ]),
) as Tlds;

const sunriseRules: Schema<'TldRules'> = {
  periods: { min_years: 1, max_years: 10 },
  contacts: { model: 'maximum', required: ['registrant'], unused: [] },
  nameservers: { min: 0, max: 13, host_model: 'objects' },
  dnssec: { records: 'ds', max: 8 },
  extra_schema: null,
  grace_days: {
    add: 5,
    renew: 5,
    transfer: 5,
    auto_renew: 45,
    redemption: 30,
    pending_restore: 7,
    pending_delete: 5,
    pending_transfer: 5,
    expired_hold: 0,
  },
  auto_renew: true,
  names: { min_length: 2, max_length: 63, idn: true },
  review_days: null,
  privacy_offered: true,
  privacy_method: 'disclose',
  privacy_proxy: null,
  premium_names: false,
  auth_code: { min_length: 8, max_length: 32, secure: true },
  registration: { launch: 'sunrise' },
};
type Availability = Schema<'Availability'>;
let found: Record<string, Availability>;
let quoted: (of: QuoteRequest) => Partial<Schema<'Quote'>>;

type QuoteRequest = { readonly domain_name: string; readonly years: number };
/** A quote of an account without a customer price. */
const quoteOf = (of: QuoteRequest): Partial<Schema<'Quote'>> => {
  const { customer_price: _, ...quote } = example('Quote', { quote_id: `quo_${of.domain_name}_${of.years}` });
  return { ...quote, ...quoted(of) };
};

const prepare = () => {
  found = {};
  quoted = ({ years }) => ({ total: price(`${years * 10}.50`) });
  page.api
    .answer('get', '/tlds', offered)
    .respond('get', '/domains/availability', ({ query }) => ({
      body: query.domain!.split(',').map((name) => {
        const answer = found[name] ?? { status: 'available' as const, price: price('10.50'), premium: false };
        return { [name]: answer, domain: name, status: answer.status };
      }),
    }))
    .respond('get', '/customers/prices', () => ({ body: example('PriceList') }))
    .respond('get', '/tlds/{name}', () => ({ status: 404, body: { code: 'not_found' } }))
    .respond('post', '/quotes', ({ body }) => ({ body: quoteOf(body) }))
    .list('/customers', [example('Customer', customer)])
    .list('/customers/{customer_id}/contacts', [example('Contact', contact)])
    .answer('get', '/customers/{customer_id}/ns/default', { ns1: 'ns1.ours.example', ns2: 'ns2.ours.example' })
    .answer('get', '/account/renewal_mode', { renewal_mode: 'manual' })
    .answer('get', '/customers/{customer_id}/renewal_mode', { renewal_mode: 'renew' } as never)
    .respond('get', '/customers/{customer_id}/funds', () => ({ body: example('Funds') }))
    .respond('get', '/operations/{operation_id}', () => ({ body: example('Operation', { kind: 'register' }) }))
    .respond('post', '/domains', ({ body }) => ({ body: example('Order', { domain_name: body.domain_name }) }));
};
const open = async () => {
  prepare();
  await page.show(RegisterDomain, { at: '/app/domains/new' });
};
const box = () => page.root.querySelector<HTMLTextAreaElement>('[name=names]')!;
const search = async (text: string) => {
  await page.type(box(), text);
  await page.click(page.button(t().search));
};
const add = (name: string) => page.click(page.button(t().addOrInCart(name, false)));
const chooseCustomer = async () => {
  await page.type(page.field('customer_id'), 'Bud');
  await page.click(page.get('option', /Budi/));
};
const fill = async (...names: string[]) => {
  await open();
  await search(names.join(' '));
  for (const name of names) await add(name);
  await chooseCustomer();
};
const orderButton = () => page.root.querySelector<HTMLButtonElement>('.total [type=submit]')!;
const orders = () =>
  page.api.sent('post', '/domains').map(({ body, headers }) => ({ ...body, key: headers.get('Idempotency-Key') }));
const searched = () => page.api.sent('get', '/domains/availability').map(({ query }) => query.domain);
const plain = (text: string) => text.replaceAll('\u00a0', ' ');

describe('the search', () => {
  test('checks full names as they are, and keywords with the TLDs on offer', async () => {
    await open();
    await search('kopi shop.museum');
    expect(searched()).toEqual(['kopi.com,kopi.id,shop.museum']);
  });

  test.each<[string, Availability, string]>([
    ['a.com', { status: 'regthroughothers' }, 'regthroughothers'],
    ['a.com', { status: 'regthroughus' }, 'regthroughus'],
    ['a.com', { status: 'unknown' }, 'unknown'],
    ['a.xyz', { status: 'error', code: 'tld_not_offered', reason: 'The TLD xyz is not offered.' }, 'tld_not_offered'],
    ['-a.com', { status: 'error', code: 'invalid_name', reason: 'A hyphen.' }, 'invalid_name'],
  ])('searches %s with the answer %j, shows the state and offers no order', async (name, answer, key) => {
    await open();
    found[name] = answer;
    await search(name);
    const text = page.text(page.get('table', t().results));
    expect([
      text.includes(t().availability[key as 'available']),
      page.has('button', t().addOrInCart(name, false)),
    ]).toEqual([true, false]);
    expect(text.includes(answer.reason ?? '')).toBe(key !== 'tld_not_offered');
  });

  test.each([
    ['en', 'USD 10.50'],
    ['id', 'USD 10,50'],
  ] as const)('shows the cost, and the customer price of the shortest term (%s)', async (language, cost) => {
    speak(language);
    await open();
    await search('a.com');
    const [row] = page.rows(page.get('table', t().results));
    expect(plain(row![2]!)).toBe(cost);
    expect(plain(row![3]!)).toContain('11');
  });

  test('marks a domain in a sunrise phase as for trademark owners only', async () => {
    await open();
    page.api.respond('get', '/tlds/{name}', () => ({
      body: {
        name: 'com',
        label: '.com',
        catalogue_version: 1,
        updated_at: '2026-11-15T09:00:00Z',
        rules: sunriseRules,
        extra_schema: null,
      },
    }));
    await search('a.com');
    const [row] = page.rows(page.get('table', t().results));
    expect(row![1]).toContain(t().availability.sunrise);
  });

  test('shows no customer price for premium domains before the cart', async () => {
    await open();
    found['a.com'] = { status: 'available', price: price('900.00'), premium: true, premium_class: 'gold' };
    await search('a.com');
    const [row] = page.rows(page.get('table', t().results));
    expect([row![1]!.includes('gold'), row![3]]).toEqual([true, t().priceInCart]);
  });

  test('searches with Enter, not with Shift+Enter', async () => {
    await open();
    await page.type(box(), 'a.com');
    await page.press('Enter', { shiftKey: true });
    expect(searched()).toEqual([]);
    await page.press('Enter');
    expect(searched()).toEqual(['a.com']);
  });

  test('shows only the results of the latest one', async () => {
    await open();
    const held = page.api.hold('get', '/domains/availability');
    await search('old.com');
    page.api.respond('get', '/domains/availability', () => ({
      body: [{ 'new.com': { status: 'available', price: price('1.00') }, domain: 'new.com', status: 'available' }],
    }));
    await page.type(box(), 'new.com');
    await page.press('Enter');
    held.release();
    await page.settle();
    expect(page.rows(page.get('table', t().results)).map(([name]) => name)).toEqual(['new.com']);
  });

  test('waits until the offered TLDs are known', async () => {
    prepare();
    const held = page.api.hold('get', '/tlds');
    await page.show(RegisterDomain, { at: '/app/domains/new' });
    await search('kopi');
    expect(searched()).toEqual([]);
    held.release();
    await page.settle();
    expect(searched()).toEqual(['kopi.com,kopi.id']);
  });

  test('keeps the text of a failed search, which can be retried', async () => {
    await open();
    page.api.refuse('get', '/domains/availability', 503, { code: 'overloaded' });
    await search('a.com');
    expect([page.has('alert'), box().value]).toEqual([true, 'a.com']);
  });

  test('suggests available names once, without those that are listed', async () => {
    await open();
    await search('coffee.com');
    page.api.respond('get', '/domains/suggestion', () => ({
      body: { coffee: { com: 'available', id: 'available' }, coffees: { com: 'regthroughothers' } },
    }));
    await page.click(page.button(t().suggest));
    expect(page.api.sent('get', '/domains/suggestion').map(({ query }) => [query.keyword, query.tlds])).toEqual([
      ['coffee', 'com,id'],
    ]);
    expect(searched()).toEqual(['coffee.com', 'coffee.id']);
    expect(page.rows(page.get('table', t().results)).map(([name]) => name)).toEqual(['coffee.com', 'coffee.id']);
  });
});

describe('an order', () => {
  test('needs a customer and a price, and is sent once per domain with its own key', async () => {
    await open();
    await search('a.com b.com');
    await add('a.com');
    await add('b.com');
    expect([orderButton().disabled, page.text().includes(t().missingInput.customer)]).toEqual([true, true]);
    await chooseCustomer();
    expect(plain(page.text(orderButton()))).toContain('USD 21.00');
    await page.doubleClick(orderButton());
    expect(
      orders().map((each) => [
        each.domain_name,
        each.quote_id,
        each.customer_id,
        each.registrant_contact_id,
        each.billing_contact_id,
      ]),
    ).toEqual([
      ['a.com', 'quo_a.com_1', '7', '11', '11'],
      ['b.com', 'quo_b.com_1', '7', '11', '11'],
    ]);
    expect(new Set(orders().map(({ key }) => key)).size).toBe(2);
    expect(page.text()).toContain(t().done(2));
  });

  test('quotes and orders a longer term', async () => {
    await fill('a.com');
    await page.type(page.get('input', t().years('a.com')), '3');
    expect(plain(page.text(orderButton()))).toContain('USD 30.50');
    await page.click(orderButton());
    expect(orders().map(({ years, quote_id }) => [years, quote_id])).toEqual([[3, 'quo_a.com_3']]);
  });

  test('waits until the user accepts a changed price', async () => {
    await fill('a.com');
    quoted = () => ({ quote_id: 'quo_new', total: price('12.00') });
    page.api.refuse('post', '/domains', 409, { code: 'price_guard' });
    await page.click(orderButton());
    expect([orderButton().disabled, page.text().includes(t().missingInput.yes)]).toEqual([true, true]);
    page.api.respond('post', '/domains', () => ({ body: example('Order') }));
    await page.click(page.button(/12\.00/, page.get('alert')));
    await page.click(orderButton());
    expect(orders().map(({ quote_id }) => quote_id)).toEqual(['quo_a.com_1', 'quo_new']);
    expect(orders()[0]!.key).not.toBe(orders()[1]!.key);
  });

  test('ends the row of an order without an answer, and permits only a check of its status with the same content', async () => {
    await fill('a.com', 'b.com');
    page.api.lose('post', '/domains');
    await page.click(orderButton());
    expect(orders().map(({ domain_name }) => domain_name)).toEqual(['a.com']);
    expect(page.text()).toContain(t().unknownText);
    expect(page.has('button', t().remove('a.com'))).toBe(false);
    page.api.respond('post', '/domains', () => ({ body: example('Order') }));
    await page.type(page.field('ns'), 'ns1.other.example');
    await page.click(page.button(t().checkStatus));
    expect(orders()[1]).toEqual(orders()[0]);
    expect(page.text()).toContain(t().done(1));
  });

  test.each([402, 403])('ends the row if the order is refused with %i', async (status) => {
    await fill('a.com', 'b.com');
    page.api.refuse('post', '/domains', status, { code: 'insufficient_funds', missing: price('5.25') });
    await page.click(orderButton());
    expect(orders()).toHaveLength(1);
    expect(plain(page.text())).toContain(status === 402 ? 'USD 5.25' : 'permission');
  });

  test('continues with the next domain after a refusal for one domain', async () => {
    await fill('a.com', 'b.com');
    page.api.respond('post', '/domains', ({ body }) =>
      body.domain_name === 'a.com'
        ? { status: 409, body: { code: 'domain_not_available', message: 'Taken.' } }
        : { body: example('Order', { domain_name: 'b.com' }) },
    );
    page.api.list('/domains', []);
    await page.click(orderButton());
    expect(orders().map(({ domain_name }) => domain_name)).toEqual(['a.com', 'b.com']);
    expect([page.text().includes('Taken.'), page.text().includes(t().done(1))]).toEqual([true, true]);
  });

  test('reports that the domain is already in the account', async () => {
    await fill('a.com');
    page.api.refuse('post', '/domains', 409, { code: 'domain_not_available', message: 'Taken.' });
    page.api.list('/domains', [example('Domain', { domain_name: 'a.com' })]);
    await page.click(orderButton());
    expect(page.text()).toContain(t().alreadyOwned('a.com'));
    expect(page.text()).not.toContain('Taken.');
  });

  test('shows what to do if a field is missing that the page does not have, and continues with the next domain', async () => {
    await fill('a.com', 'b.com');
    page.api.refuse('post', '/domains', 400, {
      code: 'invalid_argument',
      message: 'signed_mark: Required.',
      errors: [{ field: 'signed_mark', code: 'required', message: 'Required.' }],
    });
    await page.click(orderButton());
    expect(orders()).toHaveLength(2);
    expect(page.text()).toContain(t().apiOnly.signed_mark!('com'));
    expect(page.text()).toContain(t().apiOnlyRemedies.signed_mark);
    expect(page.text()).not.toContain('signed_mark');
  });

  test('stops at a wrong shared field, and shows the error at that field only', async () => {
    await fill('a.com', 'b.com');
    await page.type(page.field('ns'), 'nonsense');
    page.api.refuse('post', '/domains', 400, { errors: [{ field: 'ns', code: 'invalid', message: 'No host.' }] });
    await page.click(orderButton());
    expect([orders().length, page.errorAt('ns'), page.field('ns').value]).toEqual([1, 'No host.', 'nonsense']);
    await page.type(page.field('ns'), 'ns1.x.example');
    expect(page.errorAt('ns')).toBeUndefined();
  });

  test('reports that an order waits until the customer has paid', async () => {
    await fill('a.com');
    await page.type(page.field('invoice_option'), 'only_add');
    const waiting: Schema<'WaitingOrder'> = {
      domain_id: '5001',
      order_id: '5001',
      transaction_id: '7001',
      domain_name: 'a.com',
      operation_id: null,
      status: 'Unpaid',
      operation_state: null,
      expiry_date: null,
      customer_id: '7',
      customer_price: price('14.99'),
      price: price('10.50'),
      expires_at: '2026-11-22T09:00:00Z',
    };
    page.api.respond('post', '/domains', () => ({ body: waiting }));
    await page.click(orderButton());
    expect([orders()[0]!.invoice_option, page.text().includes(t().waiting)]).toEqual(['only_add', true]);
    expect([page.text().includes(t().doneUnpaid(1)), page.text().includes(t().done(1))]).toEqual([true, false]);
  });

  test('sets the renewal that was chosen, on the new domain', async () => {
    await fill('a.com');
    await page.type(page.field('renewal_mode'), 'delete');
    page.api.answer('put', '/domains/{domain_id}/renewal_mode', example('RenewalMode'));
    await page.click(orderButton());
    expect(
      page.api.sent('put', '/domains/{domain_id}/renewal_mode').map(({ params, body }) => [params.domain_id, body]),
    ).toEqual([[example('Order').domain_id, { renewal_mode: 'delete' }]]);
  });
});

describe('the cart', () => {
  test('gives a domain back, and takes it again', async () => {
    await open();
    await search('a.com');
    await add('a.com');
    await page.click(page.button(t().addOrInCart('a.com', true)));
    expect(page.text()).toContain(t().empty);
    await add('a.com');
    await page.click(page.button(t().remove('a.com')));
    expect([page.text().includes(t().empty), page.has('button', t().addOrInCart('a.com', false))]).toEqual([
      true,
      true,
    ]);
  });

  test('empties the cart after the order', async () => {
    await fill('a.com');
    await page.click(orderButton());
    expect(page.text(page.get('table', t().results))).toContain(t().ordered);
    await page.click(page.button(t().removeOrdered));
    expect([page.text().includes(t().done(1)), box().value]).toEqual([false, '']);
  });

  test('shows who pays what', async () => {
    await fill('a.com');
    expect(page.text()).toContain(t().customerIsNotBilled);
    await page.type(page.field('invoice_option'), 'keep_invoice');
    expect(page.text()).toContain(t().noCustomerPrice);
    quoted = () => ({ total: price('10.50'), customer_price: price('14.99') });
    await page.type(page.get('input', t().years('a.com')), '2');
    expect(page.text()).toContain(t().customerPays(moneyText('14.99', 'USD')));
  });

  test('shows a customer how much the balance lacks', async () => {
    signIn({ account: { scopes: ['domains:write'] }, customer: { customer_id: '7', access: 'order' } });
    await open();
    page.api.respond('get', '/customers/{customer_id}/funds', () => ({
      body: example('Funds', { balance: price('4.25') }),
    }));
    await search('a.com');
    await add('a.com');
    expect(plain(page.text(page.root.querySelector('.total')!))).toContain('USD 6.25');
  });

  test.each([
    ['10.00', true],
    ['350.00', false],
  ])(
    'shows for a customer balance of %s whether orders wait, and names the order button accordingly',
    async (amount, isLow) => {
      await fill('a.com');
      page.api.respond('get', '/customers/{customer_id}/funds', () => ({
        body: example('Funds', { balance: price(amount) }),
      }));
      quoted = () => ({ total: price('10.50'), customer_price: price('14.99') });
      await page.type(page.get('input', t().years('a.com')), '2');
      await page.type(page.field('invoice_option'), 'pay_invoice');
      const balance = moneyText(amount, 'USD');
      expect(page.text()).toContain(isLow ? t().customerBalanceLow(balance) : t().customerBalance(balance));
      expect(page.text(orderButton())).toBe(isLow ? t().orderUncovered(1) : t().order(1, moneyText('10.50', 'USD')));
    },
  );

  test('offers an unpaid order without an amount if the customer pays first', async () => {
    await fill('a.com');
    await page.type(page.field('invoice_option'), 'only_add');
    expect(page.text(orderButton())).toBe(t().orderUnpaid(1));
  });

  test('names the nameservers and the renewal that the customer gets', async () => {
    await fill('a.com');
    expect(page.text()).toContain(t().nameserversHint('ns1.ours.example, ns2.ours.example'));
    expect([...page.field('renewal_mode').querySelectorAll('option')].map((each) => each.textContent)).toContain(
      t().defaultMode(t().modes.renew),
    );
  });

  test('shows a customer its balance and no other customers', async () => {
    signIn({ account: { scopes: ['domains:write'] }, customer: { customer_id: '7', access: 'order' } });
    await open();
    await search('a.com');
    await add('a.com');
    expect([page.root.querySelector('[name=customer_id]'), page.root.querySelector('[name=invoice_option]')]).toEqual([
      null,
      null,
    ]);
    expect(plain(page.text(page.root.querySelector('.total')!))).toContain('USD 350.00');
    await page.click(orderButton());
    expect(orders().map(({ customer_id, invoice_option }) => [customer_id, invoice_option])).toEqual([
      ['7', 'pay_invoice'],
    ]);
  });
});

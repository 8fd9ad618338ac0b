import { describe, expect, test } from 'vitest';
import type { ResponseBody, Schema } from '../../src/api/shapes.ts';
import AddUpstream from '../../src/operator/add-upstream.tsx';
import { addBody, previewRows, type SaleDraft, tldsIn } from '../../src/operator/upstream-draft.ts';
import { messages } from '../../src/operator/upstream-messages.ts';
import { example } from '../support/api.ts';
import { speak, usePage } from '../support/dom.ts';

type Tested = ResponseBody<'/operator/upstreams/test', 'post'>;
type Preview = ResponseBody<'/operator/upstreams', 'post'>;
const page = usePage();
const secret = 'key-0123456789';

const service = example('UpstreamService', {
  service: 'resellerclub',
  title: 'ResellerClub',
  fields: [
    { name: 'client_id', label: 'reseller id', is_secret: false },
    { name: 'upstream_customer_id', label: 'customer id of your company there', is_secret: false },
    { name: 'secret', label: 'API key', is_secret: true },
  ],
});
const opensrs: Schema<'UpstreamService'> = {
  ...service,
  service: 'opensrs',
  title: 'OpenSRS',
  has_test_system: true,
  fields: service.fields.filter(({ name }) => name !== 'upstream_customer_id'),
};
const works: Tested = {
  ok: true,
  problem: null,
  upstream_message: null,
  remedy: null,
  balance: '1250.00',
  currency: 'USD',
  domains: 312,
  are_all_counted: true,
  tlds: ['com', 'net', 'org'].map((tld) => ({ tld, min_years: null, max_years: null })),
};
const change = { tld: 'org', action: 'create', years: 1, currency: 'USD', before: null, from: null };
const preview: Preview = {
  dry_run: true,
  registry_id: 'rc',
  balance: '1250.00',
  currency: 'USD',
  tlds: ['org'],
  moved_tlds: [],
  alternative_tlds: [],
  removed_tlds: [],
  catalogue_version: null,
  has_price_list: true,
  costs: [{ ...change, after: '10.40' }],
  prices: [{ ...change, after: '11.96' }],
  unpriced_tlds: [],
  below_cost: [],
  refused: [],
  preview: 'first',
};

async function open(): Promise<void> {
  page.api.answer('get', '/operator/upstream_services', { services: [service, opensrs] });
  await page.show(AddUpstream, { at: '/app/operator/registries/add' });
}

async function enterAccount(): Promise<void> {
  for (const [name, text] of Object.entries({
    client_id: '998877',
    upstream_customer_id: '1000001',
    secret,
    currency: 'usd',
  }))
    await page.type(page.field(name), text);
  await page.click(page.button(messages().test));
}

async function review(): Promise<void> {
  page.api.answer('post', '/operator/upstreams/test', works);
  await open();
  await enterAccount();
  await page.click(page.input('.org'));
  await page.type(page.field('margin'), '15%');
  await page.click(page.button(messages().review));
}

describe('the account', () => {
  test('has the fields of the chosen service, and a secret that is not shown', async () => {
    await open();
    expect(page.field('secret').type).toBe('password');
    await page.type(page.field('service'), 'opensrs');
    expect(page.root.querySelector('[name=upstream_customer_id]')).toBeNull();
    expect(page.has('input', messages().testSystem)).toBe(true);
  });

  test('shows a refusal at its field, with the message of the service, in both languages', async () => {
    const refused: Tested = {
      ...works,
      ok: false,
      problem: 'login',
      upstream_message: '<b>Invalid credentials</b>',
      remedy: 'Compare the key.',
      balance: null,
      domains: null,
      tlds: null,
    };
    page.api.answer('post', '/operator/upstreams/test', refused);
    for (const language of ['en', 'id'] as const) {
      speak(language);
      await open();
      await enterAccount();
      const text = page.errorAt('secret');
      expect(text).toContain(messages().problems.login!('ResellerClub'));
      expect(text).toContain('<b>Invalid credentials</b>');
      await page.leave();
    }
  });

  test('shows a service that cannot be reached above the form, and keeps what was entered', async () => {
    const unreachable = {
      ...works,
      ok: false,
      problem: 'network' as const,
      upstream_message: 'ECONNREFUSED',
      tlds: null,
    };
    page.api.answer('post', '/operator/upstreams/test', unreachable);
    await open();
    await enterAccount();
    expect(page.text(page.get('alert'))).toContain('ECONNREFUSED');
    expect(page.field('client_id').value).toBe('998877');
  });
});

describe('TLDs and prices', () => {
  test('cannot be reviewed before a TLD is selected', async () => {
    page.api.answer('post', '/operator/upstreams/test', works);
    await open();
    await enterAccount();
    expect(page.text()).toContain('312');
    expect(page.button(messages().review).disabled).toBe(true);
  });

  test('are sent with the account, as a dry run first', async () => {
    page.api.answer('post', '/operator/upstreams', preview);
    await review();
    const [sent] = page.api.sent('post', '/operator/upstreams');
    expect(sent!.body).toEqual({
      service: 'resellerclub',
      client_id: '998877',
      upstream_customer_id: '1000001',
      secret,
      currency: 'USD',
      registry_id: 'resellerclub',
      tlds: ['org'],
      target: 'customer',
      margin: '15%',
      confirm_tlds: false,
      dry_run: true,
    });
    expect(page.rows()[0]!.slice(0, 2)).toEqual(['.org', messages().actions.create]);
  });

  test('are read from text if the service does not report them', () => {
    expect(tldsIn(' .COM, net;org\ncom ')).toEqual(['com', 'net', 'org']);
  });

  test('are sent without empty fields, and with a point as decimal sign', () => {
    const sale: SaleDraft = {
      registryId: 'rc ',
      tlds: ['org'],
      margin: ' ',
      target: 'reseller',
      step: '1,00',
      ending: '',
    };
    const account = { service: 'x', client_id: '1', secret, currency: 'USD' };
    expect(addBody(account, sale)).toEqual({
      ...account,
      registry_id: 'rc',
      tlds: ['org'],
      target: 'reseller',
      rounding_step: '1.00',
    });
  });
});

describe('the review', () => {
  test('stores what was shown, once, and leaves the page', async () => {
    page.api.answer('post', '/operator/upstreams', preview);
    await review();
    await page.doubleClick(page.button(messages().connect));
    const sent = page.api.sent('post', '/operator/upstreams').slice(1);
    expect(sent).toHaveLength(1);
    expect(sent[0]!.body).toMatchObject({ preview: 'first', confirm_tlds: false });
    expect(sent[0]!.body.dry_run).toBeUndefined();
    expect(location.pathname).toBe('/app/operator/registries');
    expect(`${JSON.stringify(localStorage)}${JSON.stringify(sessionStorage)}${location.href}`).not.toContain(secret);
  });

  test('shows the new prices if they have changed since, and stores nothing', async () => {
    page.api.answer('post', '/operator/upstreams', preview);
    await review();
    let count = 0;
    page.api.respond('post', '/operator/upstreams', ({ body }) => {
      count += 1;
      return body.dry_run
        ? { body: { ...preview, costs: [{ ...change, after: '12.00' }], preview: 'second' } }
        : {
            status: 412,
            body: { code: 'precondition_failed', message: 'Changed.', request_id: 'r', type: 'x', docs: '' },
          };
    });
    await page.click(page.button(messages().connect));
    expect(count).toBe(2);
    expect(page.text()).toContain(messages().changed);
    expect(page.text()).toContain('12.00');
  });

  test('leaves new domains where they are, unless the user sends them here', async () => {
    const alternative_tlds = [{ tld: 'org', route_registry_id: 'sandbox' }];
    page.api.respond('post', '/operator/upstreams', ({ body }) => ({
      body: body.confirm_tlds
        ? { ...preview, moved_tlds: [{ tld: 'org', from_registry_id: 'sandbox' }] }
        : { ...preview, alternative_tlds },
    }));
    await review();
    expect(page.text()).toContain(messages().alternative('org', 'sandbox'));
    await page.click(page.input(messages().confirmTlds));
    expect(page.text()).toContain(messages().moved('org', 'sandbox'));
    await page.click(page.button(messages().connect));
    expect(page.api.sent('post', '/operator/upstreams').map(({ body }) => body.confirm_tlds)).toEqual([
      false,
      true,
      true,
    ]);
  });

  test('requires a confirmation if a TLD is removed', async () => {
    page.api.respond('post', '/operator/upstreams', () => ({ body: { ...preview, removed_tlds: ['net'] } }));
    await review();
    expect(page.button(messages().connect).disabled).toBe(true);
    await page.click(page.input(messages().confirmTlds));
    expect(page.button(messages().connect).disabled).toBe(false);
  });

  test('has one row for each TLD, action and date', () => {
    const later = { ...change, from: '2027-01-01T00:00:00Z', before: '10.40', after: '11.00' };
    const loss = { ...change, action: 'renew', price: '9.00', cost: '10.60' };
    const rows = previewRows({ ...preview, costs: [...preview.costs, later], below_cost: [loss] });
    expect(rows.map(({ action, from, loss: below }) => [action, from !== null, below !== undefined]).sort()).toEqual([
      ['create', false, false],
      ['create', true, false],
      ['renew', false, true],
    ]);
  });
});

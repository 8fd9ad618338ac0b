import { describe, expect, test } from 'vitest';
import type { Schema } from '../../src/api/shapes.ts';
import { Access } from '../../src/customers/access.tsx';
import { MakeCustomer } from '../../src/customers/make.tsx';
import { messages } from '../../src/customers/messages.ts';
import { cache } from '../../src/data/resource.ts';
import { example } from '../support/api.ts';
import { signIn, usePage } from '../support/dom.ts';

const page = usePage();
const path = '/customers/{customer_id}/access';
const submit = (within: ParentNode = page.root) => within.querySelector<HTMLButtonElement>('[type=submit]')!;

describe('the portal access of a customer', () => {
  const tagged = (tag: string, access: Schema<'CustomerAccess'>['access']) =>
    page.api.respond('get', path, () => ({ body: { access }, headers: { ETag: tag } }));
  const open = async (access: Schema<'CustomerAccess'>['access'] = 'dns') => {
    tagged('"1"', access);
    await page.show(<Access customerId="7" />);
  };

  test('is saved with its version, once, and only if it changed', async () => {
    await open();
    expect(submit().disabled).toBe(true);
    await page.type(page.field('access'), 'order');
    page.api.respond('put', path, () => ({ body: { access: 'order' } }));
    tagged('"2"', 'order');
    await page.doubleClick(submit());
    expect(page.api.writes.map(({ body, headers }) => [body, headers.get('If-Match')])).toEqual([
      [{ access: 'order' }, '"1"'],
    ]);
    expect([page.field('access').value, submit().disabled]).toEqual(['order', true]);
  });

  test('does not overwrite a concurrent change before the conflict is resolved', async () => {
    await open();
    await page.type(page.field('access'), 'order');
    page.api.refuse('put', path, 412, { code: 'precondition_failed' });
    tagged('"2"', 'none');
    await page.click(submit());
    expect(submit().disabled).toBe(true);
    expect(page.text(page.get('alert'))).toContain(messages().levels.none);
  });

  test('is raised after a changed address is confirmed', async () => {
    await open();
    expect(page.root.querySelector('[name=email]')).toBeNull();
    await page.type(page.field('access'), 'order');
    const message = 'The email address of the customer was changed.';
    const errors = [{ field: 'email', code: 'unconfirmed', message }];
    page.api.refuse('put', path, 409, { code: 'conflict', message, errors });
    await page.click(submit());
    await page.type(page.field('email'), 'budi@customer.example');
    page.api.respond('put', path, () => ({ body: { access: 'order' } }));
    tagged('"2"', 'order');
    await page.click(submit());
    expect(page.api.writes.map(({ body }) => body)).toEqual([
      { access: 'order' },
      { access: 'order', email: 'budi@customer.example' },
    ]);
  });

  test('is needed for an invitation, whose password stays visible until it is closed', async () => {
    await open('none');
    expect(page.button(messages().invite).disabled).toBe(true);
    await page.leave();
    cache.clear();
    await open('dns');
    page.api.answer('post', '/customers/{customer_id}/invitation');
    await page.doubleClick(page.button(messages().invite));
    expect(page.api.writes).toHaveLength(1);
    await page.press('Escape');
    expect(page.text(page.get('dialog'))).toContain('w7Rt3mQxK9hPzB4n');
    await page.click(page.button(messages().done));
    expect(page.text()).not.toContain('w7Rt3mQxK9hPzB4n');
  });

  test('is text for users who may only read', async () => {
    signIn({ account: { scopes: ['customers:read'] } });
    await open();
    expect([page.has('input'), page.text().includes(messages().levels.dns)]).toEqual([false, true]);
  });
});

describe('a new customer', () => {
  const open = async () => {
    const country = { country_code: 'ID', country_name: 'Indonesia', tel_cc_no: '62' };
    page.api.respond('get', '/countries', () => ({ body: [country] }));
    await page.show(<MakeCustomer onClose={() => undefined} />, { at: '/app/customers' });
  };
  const fill = async () => {
    const input = {
      name: 'Siti',
      company: 'Toko Siti',
      email: 'siti@example.com',
      address_line_1: 'Jl. 1',
      city: 'Bandung',
      zipcode: '40111',
      country_code: 'ID',
      tel_no: '2150001000',
    };
    for (const [name, text] of Object.entries(input)) await page.type(page.field(name), text);
  };

  test('fills in a random password and the value for no state', async () => {
    await open();
    await fill();
    page.api.respond('post', '/customers', () => ({ body: example('Customer') }));
    await page.doubleClick(submit(page.get('dialog')));
    const [{ body }, ...others] = page.api.writes as [(typeof page.api.writes)[number]];
    expect(others).toEqual([]);
    expect(body).toMatchObject({ name: 'Siti', state: 'Not Applicable', country_code: 'ID', tel_cc_no: '62' });
    expect(body.password).toMatch(/^[0-9a-f-]{36}$/);
    expect(location.pathname).toBe('/app/customers/2002');
  });

  test('repeats a request with a lost response with the same key and the same password', async () => {
    await open();
    await fill();
    page.api.lose('post', '/customers');
    await page.click(submit(page.get('dialog')));
    await page.click(submit(page.get('dialog')));
    const [first, second] = page.api.writes;
    expect([second!.body, second!.headers.get('Idempotency-Key')]).toEqual([
      first!.body,
      first!.headers.get('Idempotency-Key'),
    ]);
  });
});

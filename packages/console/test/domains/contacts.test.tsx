import { describe, expect, test } from 'vitest';
import type { Schema } from '../../src/api/shapes.ts';
import { messages as contacts } from '../../src/contacts/messages.ts';
import Contacts from '../../src/domains/contacts.tsx';
import { messages } from '../../src/domains/messages.ts';
import { example } from '../support/api.ts';
import { signIn, usePage } from '../support/dom.ts';

const page = usePage();
const path = '/domains/{domain_id}/contacts';
type Assigned = Schema<'DomainContacts'>;
const contactOf = (contact_id: string, name: string) =>
  example('Contact', { contact_id, name, company: '', email: `${name}@example.net` });
const budi = contactOf('11', 'budi');
const sari = contactOf('12', 'sari');
const one: Assigned = {
  domain_id: '5001',
  registrant_contact_id: '11',
  admin_contact_id: '11',
  tech_contact_id: '11',
  billing_contact_id: '11',
};
const preview: Schema<'RegistrantChangeDryRun'> = {
  dry_run: true,
  domain_id: '5001',
  domain_name: 'shop.example',
  path: 'confirmations',
  confirmations: [
    { side: 'prior', address: 'budi@example.net' },
    { side: 'new', address: 'sari@example.net' },
  ],
  confirm_by: '2026-11-30T09:00:00Z',
  transfer_lock_until: '2027-01-14T09:00:00Z',
  fee: { amount: '2.50', currency: 'USD' },
} as never;

interface Given {
  readonly assigned?: Assigned;
  readonly verification?: Partial<Schema<'RegistrantConfirmation'>>;
}

const open = async ({ assigned = one, verification = { status: 'NotRequired' } }: Given = {}) => {
  page.api
    .respond('get', '/domains/{domain_id}', () => ({
      body: example('DomainDetail', { domain_id: '5001', domain_name: 'shop.example', customer_id: '7' }),
    }))
    .answer('get', path, assigned, { ETag: '"v1"' })
    .list('/customers/{customer_id}/contacts', [budi, sari])
    .answer('get', '/domains/{domain_id}/raa_verification', example('RegistrantConfirmation', verification))
    .answer('get', '/countries', [{ country_code: 'ID', country_name: 'Indonesia', tel_cc_no: '62' }] as never)
    .respond('put', path, ({ body }) => ({ body: body.dry_run ? preview : assigned }));
  await page.show(Contacts, { at: '/app/domains/shop.example/contacts', route: '/app/domains/:name/contacts' });
};
const submit = () => page.root.querySelector<HTMLButtonElement>('form [type=submit]')!;
const puts = () => page.api.sent('put', path).map(({ body }) => body);

describe('a change of contacts', () => {
  test('is previewed first, then sent as it was shown', async () => {
    await open();
    expect(submit().disabled).toBe(true);
    await page.type(page.field('registrant_contact_id'), '12');
    await page.doubleClick(submit());
    const ids = {
      registrant_contact_id: '12',
      admin_contact_id: '12',
      tech_contact_id: '12',
      billing_contact_id: '12',
    };
    expect(puts()).toEqual([{ ...ids, designated_agent: false, dry_run: true }]);
    const text = page.text(page.get('status')).replaceAll('\u00a0', ' ');
    for (const part of ['budi@example.net', 'sari@example.net', 'Nov 30, 2026', 'Jan 14, 2027', 'USD 2.50'])
      expect(text).toContain(part);
    await page.doubleClick(submit());
    expect(puts().slice(1)).toEqual([{ ...ids, designated_agent: false }]);
    const [, sent] = page.api.sent('put', path);
    expect(sent!.headers.get('If-Match')).toBe('"v1"');
  });

  test('requires a new preview after an edit', async () => {
    await open();
    await page.type(page.field('registrant_contact_id'), '12');
    await page.click(submit());
    expect(page.text(submit())).toBe(messages().changeContacts);
    await page.click(page.field('designated_agent'));
    expect([page.text(submit()), page.has('status')]).toEqual([messages().previewChange, false]);
    await page.click(submit());
    expect(puts().at(-1)).toMatchObject({ designated_agent: true, dry_run: true });
  });

  test('changes one role and keeps the others', async () => {
    await open();
    await page.click(page.field('same'));
    await page.type(page.field('tech_contact_id'), '12');
    expect(page.root.querySelector('[name=designated_agent]')).toBeNull();
    await page.click(submit());
    expect(puts()).toEqual([
      expect.objectContaining({
        registrant_contact_id: '11',
        admin_contact_id: '11',
        tech_contact_id: '12',
        billing_contact_id: '11',
      }),
    ]);
  });

  test('shows each role while the contacts differ', async () => {
    await open({ assigned: { ...one, billing_contact_id: '12' } });
    expect(['registrant', 'admin', 'tech', 'billing'].map((role) => page.field(`${role}_contact_id`).value)).toEqual([
      '11',
      '11',
      '11',
      '12',
    ]);
    await page.click(page.field('same'));
    expect(page.all('input', contacts().roles.billing)).toEqual([]);
    await page.click(submit());
    expect(puts()[0]).toMatchObject({ billing_contact_id: '11' });
  });

  test('shows no fee if there is none', async () => {
    await open();
    page.api.respond('put', path, () => ({ body: { ...preview, fee: { amount: '0.00', currency: 'USD' } } }));
    await page.type(page.field('registrant_contact_id'), '12');
    await page.click(submit());
    expect(page.text(page.get('status'))).not.toContain('USD');
  });

  test('keeps the choice of a refused change, and undo returns to the current one', async () => {
    await open();
    page.api.refuse('put', path, 409, { code: 'conflict', message: 'The domain is locked.' });
    await page.type(page.field('registrant_contact_id'), '12');
    await page.click(submit());
    expect([
      page.text(page.get('alert')).includes('The domain is locked.'),
      page.field('registrant_contact_id').value,
    ]).toEqual([true, '12']);
    await page.click(page.button(messages().undo));
    expect([page.field('registrant_contact_id').value, submit().disabled]).toEqual(['11', true]);
  });

  test('compares a concurrent change by name', async () => {
    await open();
    await page.type(page.field('registrant_contact_id'), '12');
    page.api.refuse('put', path, 412, { code: 'precondition_failed' });
    page.api.answer('get', path, { ...one, tech_contact_id: '12' }, { ETag: '"v2"' });
    await page.click(submit());
    const compared = page.text(page.get('alert'));
    expect(compared).toContain(contacts().roles.tech);
    expect(compared).not.toContain(contacts().roles.registrant);
    expect([compared.includes('sari'), submit().disabled]).toEqual([true, true]);
  });
});

describe('a new contact', () => {
  const fill = async () => {
    await page.click(page.button(contacts().make));
    await page.type(page.field('name'), 'Ani');
    for (const each of ['email', 'address_line_1', 'city', 'zipcode', 'tel_no'])
      await page.type(page.field(each), '10110');
    await page.type(page.field('country_code'), 'ID');
  };
  const save = () => page.get('dialog').querySelector<HTMLButtonElement>('[type=submit]')!;
  const make = '/customers/{customer_id}/contacts';

  test('gets the phone code of its country, and is chosen for all roles', async () => {
    await open();
    await fill();
    expect(page.field('tel_cc_no').value).toBe('62');
    page.api.respond('post', make, () => ({ body: contactOf('13', 'ani') }));
    page.api.list(make, [budi, sari, contactOf('13', 'ani')]);
    await page.doubleClick(save());
    expect(
      page.api
        .sent('post', make)
        .map(({ params, body }) => [params.customer_id, body.name, body.country_code, 'state' in body]),
    ).toEqual([['7', 'Ani', 'ID', false]]);
    expect([page.has('dialog'), page.field('registrant_contact_id').value]).toEqual([false, '13']);
  });

  test('keeps the input of a refused contact with the error at its field until the next change', async () => {
    await open();
    await fill();
    page.api.refuse('post', make, 400, {
      errors: [{ field: 'email', code: 'invalid', message: 'Not an email address.' }],
    });
    await page.click(save());
    expect(page.errorAt('email')).toBe('Not an email address.');
    expect(document.activeElement).toBe(page.field('email'));
    await page.type(page.field('email'), 'ani@example.net');
    expect(page.errorAt('email')).toBeUndefined();
    expect(page.field('name').value).toBe('Ani');
  });

  test('cannot be made without permission', async () => {
    signIn({ account: { scopes: ['domains:write', 'contacts:read', 'customers:read'] } });
    await open();
    expect(page.has('button', contacts().make)).toBe(false);
  });
});

describe('the verification', () => {
  const region = () => page.get('region', messages().verification);

  test.each([
    ['Pending', true],
    ['Suspended', true],
    ['Verified', false],
  ] as const)('in the state %s can be sent again: %s', async (status, canResend) => {
    await open({ verification: { status } });
    expect(page.text(region())).toContain(messages().verificationStates[status]);
    expect(page.has('button', messages().resend, region())).toBe(canResend);
  });

  test('is not shown if the TLD needs none', async () => {
    await open();
    expect(page.has('region', messages().verification)).toBe(false);
  });

  test('shows why the verification cannot be sent', async () => {
    await open({ verification: { status: 'Pending' } });
    page.api.refuse(
      'post',
      '/domains/{domain_id}/raa_verification/resend',
      429,
      { message: 'Wait an hour.' },
      { 'Retry-After': '3600' },
    );
    await page.click(page.button(messages().resend));
    expect(page.text(page.get('alert', undefined, region()))).toMatch(/3.?600/);
  });
});

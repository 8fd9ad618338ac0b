import { allTenants, sql } from '@namehold/postgres';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { loadCatalogue } from '../../../../test/support/catalogue.ts';
import { insertDomainRow, removeDomainRow } from '../../../../test/support/domain-row.ts';
import { makeContact, makeCustomer, person } from '../../../../test/support/parties.ts';
import { keyFor } from '../../../../test/support/resellers.ts';
import { countRows } from '../../../../test/support/rows.ts';
import { startTestService, type TestService } from '../../../../test/support/service.ts';
import { openCustomerSession, openSession } from '../../../../test/support/users.ts';
import { createMissingContacts } from '../../src/core/contacts/create-missing.ts';
import type { Contact } from '../../src/core/model/contact.ts';

let t: TestService;
let customer: string;
beforeAll(async () => {
  t = await startTestService();
  await loadCatalogue(t);
  customer = await makeCustomer(t);
});
afterAll(() => t.stop());

const contacts = (id = customer) => `/v1/customers/${id}/contacts`;
const live = (id = customer) => countRows(t, 'contact', sql`customer_id = ${id} and deleted_at is null`);
const us = 'us_purpose=P1&us_category=C11';
const asia =
  'asia_country=ID&asia_entity_type=corporation&asia_identification_type=certificate&asia_identification_number=AB-1';

/** The first contact of every customer has the customer's own data. */
const own = 1;

describe('creating a contact', () => {
  test('returns the country by name and code, and the normalised phone and fax numbers', async () => {
    const called = await t.call('POST', contacts(), {
      form: person({ fax_cc_no: '62', fax_no: '022 7654322', username: 'x', type: 'Contact', address_line_2: '' }),
    });
    expect(called.status, called.text).toBe(200);
    expect(called.body).toMatchObject({
      customer_id: customer,
      status: 'Active',
      country: 'Indonesia',
      country_code: 'ID',
      tel_cc_no: '62',
      tel_no_cc: '62',
      phone: '+62.227654321',
      fax_no: '227654322',
      fax_no_cc: '62',
      eligibility_criteria: null,
      extra: null,
      has_latin_form: true,
    });
  });

  test('returns the existing contact for identical data in any encoding or spelling, otherwise a new one', async () => {
    const id = await makeCustomer(t);
    const first = await t.call('POST', contacts(id), { form: person() });
    const again = await t.call('POST', contacts(id), {
      json: { ...person(), name: '  Sari   Dewi ', country_code: 'id', tel_no: '022 765-4321', state: 'jb' },
    });
    expect(again.body).toEqual(first.body);
    expect(await live(id)).toBe(1 + own);
    const other = await t.call('POST', contacts(id), { form: person({ name: 'Sari Dewi Putri' }) });
    expect(other.body.contact_id).not.toBe(first.body.contact_id);
    expect(await live(id)).toBe(2 + own);
    const another = await makeCustomer(t);
    expect(await makeContact(t, another)).not.toBe(first.body.contact_id);
    expect(await countRows(t, 'audit', sql`action = 'contact.create' and after ->> 'customer_id' = ${id}`)).toBe(
      2 + own,
    );
  });

  test('creates one contact for eight concurrent calls with the same data', async () => {
    const id = await makeCustomer(t);
    const calls = await Promise.all(Array.from({ length: 8 }, () => t.call('POST', contacts(id), { form: person() })));
    expect(new Set(calls.map((c) => c.body.contact_id)).size).toBe(1);
    expect(await live(id)).toBe(1 + own);
  });

  test('creates a new contact when the one with the same data was deleted', async () => {
    const id = await makeCustomer(t);
    const first = await makeContact(t, id);
    await t.call('DELETE', `${contacts(id)}/${first}`);
    expect(await makeContact(t, id)).not.toBe(first);
  });

  test('accepts a missing state and returns Not Applicable', async () => {
    const { state: _, ...form } = person();
    const called = await t.call('POST', contacts(), { form });
    expect(called.body.state).toBe('Not Applicable');
  });

  test('stores a Latin form beside the original text if it can be transliterated', async () => {
    const latinOf = async (changes: Record<string, string>) => {
      const id = await makeContact(t, customer, undefined, changes);
      return t.ctx.db
        .as(allTenants)
        .one<Pick<Contact, 'latin' | 'name'>>(sql`select name, latin from contact where id = ${id}`);
    };
    const accents = await latinOf({ name: 'Jürgen Łukasz Ståhl', city: 'Århus', company: 'Größe & Œuvre' });
    expect(accents.name).toBe('Jürgen Łukasz Ståhl');
    expect(accents.latin).toMatchObject({ name: 'Jurgen Lukasz Stahl', city: 'Arhus', company: 'Grosse & OEuvre' });
    const chinese = await latinOf({ name: '王小明' });
    expect(chinese).toEqual({ name: '王小明', latin: null });
    const list = await t.call('GET', contacts(), { query: { name: '小' } });
    expect(list.body[0]).toMatchObject({ name: '王小明', has_latin_form: false });
  });

  const bad: [Record<string, string>, string][] = [
    [{ email: 'none' }, 'email'],
    [{ country_code: 'XX' }, 'country_code'],
    [{ zipcode: '4011' }, 'zipcode'],
    [{ tel_no: '1' }, 'tel_no'],
    [{ tel_cc_no: '' }, 'tel_cc_no'],
    [{ eligibility_criteria: 'nosuchtld' }, 'eligibility_criteria'],
    [{ eligibility_criteria: 'us' }, 'extra.us_purpose'],
    [{ eligibility_criteria: 'us', extra: 'us_purpose=P9&us_category=C11' }, 'extra.us_purpose'],
    [{ eligibility_criteria: 'us', extra: 'us_purpose=P1&us_category=C99' }, 'extra.us_category'],
    [{ eligibility_criteria: 'us', extra: asia }, 'extra.us_purpose'],
    [{ eligibility_criteria: 'asia', extra: asia.replace('ID', 'DE') }, 'extra.asia_country'],
    [{ eligibility_criteria: 'asia', extra: asia.replace('corporation', 'other') }, 'extra.asia_other_entity_type'],
    [{ eligibility_criteria: 'us', extra: 'us_purpose=constructor&us_category=citizen' }, 'extra.us_purpose'],
    [{ extra: '{"us_purpose":' }, 'extra'],
    [{ extra: `x=${'y'.repeat(4_001)}` }, 'extra'],
  ];
  test.each(bad)('refuses and names the field: %j', async (changes, field) => {
    const before = await live();
    const called = await t.call('POST', contacts(), { form: person(changes) });
    expect(called.status).toBe(400);
    expect(called.body.errors.map((e: { field: string }) => e.field)).toContain(field);
    expect(await live()).toBe(before);
  });

  test('returns 404 for an unknown customer', async () => {
    expect((await t.call('POST', contacts('99'), { form: person() })).status).toBe(404);
  });
});

describe('contact eligibility', () => {
  test('returns the same contact for eligibility data as nested form, JSON text and JSON object', async () => {
    const id = await makeCustomer(t);
    const form = await t.call('POST', contacts(id), { form: person({ eligibility_criteria: 'us', extra: us }) });
    expect(form.status, form.text).toBe(200);
    expect(form.body).toMatchObject({
      eligibility_criteria: ['us'],
      extra: { us_purpose: 'P1', us_category: 'C11' },
    });
    const object = { us_purpose: 'p1', us_category: 'c11', unknown: 'dropped' };
    const text = await t.call('POST', contacts(id), { form: person({ extra: JSON.stringify(object) }) });
    const json = await t.call('POST', contacts(id), {
      json: { ...person(), eligibility_criteria: '.US', extra: object },
    });
    expect([text.body.contact_id, json.body.contact_id]).toEqual([form.body.contact_id, form.body.contact_id]);
    expect(await live(id)).toBe(1 + own);
  });

  test('lists only qualified contacts, refuses if there is none, and returns null as the default contact', async () => {
    const id = await makeCustomer(t);
    const any = await t.call('GET', contacts(id), { query: { eligibility_criteria: 'com' } });
    const [{ contact_id: plain }] = any.body;
    await makeContact(t, id);
    const empty = await t.call('GET', contacts(id), { query: { eligibility_criteria: '' } });
    expect(empty.body).toHaveLength(1 + own);
    const refused = await t.call('GET', contacts(id), { query: { eligibility_criteria: 'us' } });
    expect(refused.status).toBe(400);
    expect(refused.body).toMatchObject({ errors: [{ field: 'eligibility_criteria', code: 'no_match' }] });
    expect(refused.body.message).toContain('.us');
    const lacking = await t.call('GET', `${contacts(id)}/default`, { query: { eligibility_criteria: 'us' } });
    expect(lacking.status).toBe(200);
    expect(lacking.body).toEqual({
      registrant_contact: null,
      admin_contact: null,
      tech_contact: null,
      billing_contact: null,
    });
    const fitting = await makeContact(t, id, undefined, { eligibility_criteria: 'us', extra: us });
    const found = await t.call('GET', contacts(id), { query: { eligibility_criteria: 'us' } });
    expect(found.body.map((c: { contact_id: string }) => c.contact_id)).toEqual([fitting]);
    const roles = await t.call('GET', `${contacts(id)}/default`, { query: { eligibility_criteria: 'us' } });
    expect(roles.body.registrant_contact.contact_id).toBe(fitting);
    const defaults = await t.call('GET', `${contacts(id)}/default`, { query: { eligibility_criteria: 'co.id' } });
    for (const role of ['registrant_contact', 'admin_contact', 'tech_contact', 'billing_contact']) {
      expect(defaults.body[role].contact_id).toBe(plain);
    }
  });

  test('replaces the extra data of one class, keeps those of others, and updates the validity', async () => {
    const id = await makeContact(t, customer, undefined, { name: 'Extra' });
    const path = `${contacts()}/${id}`;
    const invalid = await t.call('GET', `${path}/validity/us`);
    expect(invalid.body).toMatchObject({ contact_id: id, eligibility_criteria: 'us', valid: false });
    expect(invalid.body.problems.map((p: { field: string }) => p.field)).toEqual([
      'extra.us_purpose',
      'extra.us_category',
    ]);
    expect((await t.call('GET', `${path}/validity/com`)).body).toMatchObject({ valid: true, problems: [] });
    await t.call('PUT', `${path}/extra`, { form: { eligibility_criteria: 'us', extra: us } });
    const both = await t.call('PUT', `${path}/extra`, { form: { eligibility_criteria: 'asia', extra: asia } });
    expect(both.body).toMatchObject({
      eligibility_criteria: ['asia', 'us'],
      extra: { us_purpose: 'P1', asia_country: 'ID' },
    });
    const again = await t.call('PUT', `${path}/extra`, {
      json: { eligibility_criteria: 'us', extra: { us_purpose: 'P3', us_category: 'C31/ID' } },
    });
    expect(again.body.extra).toMatchObject({ us_purpose: 'P3', us_category: 'C31/ID', asia_country: 'ID' });
    expect((await t.call('GET', `${path}/validity/us`)).body.valid).toBe(true);
    const change = await t.call('PUT', path, { form: person({ name: 'Extra Two' }) });
    expect(change.body.eligibility_criteria).toEqual(['asia', 'us']);
  });

  test.each([
    [{ extra: us }, 'eligibility_criteria'],
    [{ eligibility_criteria: 'com', extra: us }, 'eligibility_criteria'],
    [{ eligibility_criteria: 'us' }, 'extra'],
    [{ eligibility_criteria: 'us', extra: 'us_purpose=P1' }, 'extra.us_category'],
  ] as [Record<string, string>, string][])('refuses extra data and names the field: %j', async (form, field) => {
    const id = await makeContact(t, customer);
    const called = await t.call('PUT', `${contacts()}/${id}/extra`, { form });
    expect(called.status).toBe(400);
    expect(called.body.errors[0].field).toBe(field);
    expect((await t.call('GET', `${contacts()}/${id}/validity/nosuchtld`)).status).toBe(400);
  });
});

describe('listing contacts', () => {
  test('filters by name, email, company, id, status and date, and pages', async () => {
    const id = await makeCustomer(t);
    const made = [
      await makeContact(t, id, undefined, { name: 'Ada', email: 'Ada@list.example' }),
      await makeContact(t, id, undefined, { name: 'Adam', company: 'Eden' }),
      await makeContact(t, id, undefined, { name: 'Eve', company: 'Eden' }),
    ];
    const find = async (query: Record<string, string>) => {
      const called = await t.call('GET', contacts(id), { query });
      expect(called.status).toBe(200);
      return called.body.map((c: { contact_id: string }) => made.indexOf(c.contact_id));
    };
    const first = (await t.call('GET', `${contacts(id)}/default`)).body.registrant_contact.contact_id;
    made.unshift(first);
    expect(await find({})).toEqual([0, 1, 2, 3]);
    expect(await find({ name: 'ADA' })).toEqual([1, 2]);
    expect(await find({ email: 'ada@LIST.example' })).toEqual([1]);
    expect(await find({ email: 'ada' })).toEqual([]);
    expect(await find({ company: 'eden', name: 'eve' })).toEqual([3]);
    expect(await find({ contact_id: `${made[0]},${made[2]}` })).toEqual([0, 2]);
    expect(await find({ status: 'InActive' })).toEqual([]);
    expect(await find({ creation_date_end: '2020-01-01' })).toEqual([]);
    expect(await find({ limit: '1', page_no: '2' })).toEqual([1]);
    const page = await t.call('GET', contacts(id), { query: { limit: '1' } });
    expect(page.headers.get('x-total-count')).toBe('4');
  });
});

describe('changing and deleting a contact', () => {
  test('keeps both ids when a change makes two contacts equal, and returns the older one for the same data', async () => {
    const id = await makeCustomer(t);
    const first = await makeContact(t, id);
    const second = await makeContact(t, id, undefined, { name: 'Other' });
    const changed = await t.call('PUT', `${contacts(id)}/${second}`, { form: person() });
    expect(changed.body).toMatchObject({ contact_id: second, name: 'Sari Dewi' });
    expect(await makeContact(t, id)).toBe(first);
    const back = await t.call('PUT', `${contacts(id)}/${second}`, { form: person({ name: 'Third' }) });
    expect(back.status).toBe(200);
    expect(await makeContact(t, id, undefined, { name: 'Third' })).toBe(second);
    expect(await live(id)).toBe(2 + own);
  });

  test('returns 404 for a contact of another customer', async () => {
    const other = await makeCustomer(t);
    const id = await makeContact(t, other);
    for (const [method, path] of [
      ['GET', ''],
      ['PUT', ''],
      ['DELETE', ''],
      ['GET', '/validity/us'],
    ] as const) {
      const form = method === 'PUT' ? { form: person() } : {};
      const called = await t.call(method, `${contacts()}/${id}${path}`, form);
      expect([called.status, called.body.message]).toEqual([404, 'Contact not found.']);
    }
    expect(await live(other)).toBe(1 + own);
  });

  test('refuses to delete a contact in use by a domain, and its customer', async () => {
    const owner = await makeCustomer(t);
    const contact = await makeContact(t, owner);
    const domain = await insertDomainRow(t, {
      resellerId: '1000',
      customerId: owner,
      contactId: contact,
      name: 'uses.com',
    });
    const refused = await t.call('DELETE', `${contacts(owner)}/${contact}`);
    expect(refused.status).toBe(409);
    expect(refused.body.code).toBe('in_use');
    expect(refused.body.message).toContain('uses.com');
    const kept = await t.call('DELETE', `/v1/customers/${owner}`);
    expect([kept.status, kept.body.code]).toEqual([409, 'in_use']);
    expect(kept.body.message).toContain('uses.com');
    await removeDomainRow(t, domain);
    const deleted = await t.call('DELETE', `${contacts(owner)}/${contact}`, { query: { customer_id: owner } });
    expect(deleted.body).toEqual({ contact_id: contact, deleted: true });
    expect((await t.call('DELETE', `/v1/customers/${owner}`)).status).toBe(200);
    expect(await live(owner)).toBe(0);
  });
});

describe('changes of registrant data of live domains', () => {
  const other = { name: 'Another Registrant', company: 'Elsewhere', email: 'else@where.example' };
  const nameOf = async (path: string) => (await t.call('GET', path)).body.name;
  const registrantOf = async (name: string) => {
    const customerId = await makeCustomer(t);
    const contactId = await makeContact(t, customerId);
    const id = await insertDomainRow(t, { resellerId: '1000', customerId, contactId, name });
    return { id, customerId, path: `${contacts(customerId)}/${contactId}` };
  };
  const mark = (id: string, row: { locked?: boolean; suspended?: boolean; status?: string[] }) =>
    t.ctx.db.transaction(allTenants, (tx) =>
      tx.run(sql`
        update domain set locked = ${row.locked ?? false}, locked_reason = ${row.locked ? 'dispute' : null},
          suspended = ${row.suspended ?? false}, registry_status = ${row.status ?? []}
        where id = ${id}`),
    );

  test.each(['registrant-scope.com', 'registrant-scope.us'])(
    'require domains:write as well as contacts:write (%s)',
    async (name) => {
      const { path } = await registrantOf(name);
      const narrow = { as: await keyFor(t, '1000', ['contacts:write']) };
      const session = await openSession(t, '1000', { role: 'staff', scopes: ['contacts:write'] });
      for (const by of [narrow, { session }])
        for (const dry_run of ['false', 'true'])
          for (const [field, value] of Object.entries(other)) {
            const refused = await t.call('PUT', path, { form: person({ [field]: value, dry_run }), ...by });
            expect([refused.status, refused.body.code, refused.body.scope], refused.text).toEqual([
              403,
              'scope_missing',
              'domains:write',
            ]);
          }
      expect(await nameOf(path)).toBe('Sari Dewi');
      // Another street is not another registrant.
      const moved = await t.call('PUT', path, { form: person({ address_line_1: 'Jalan Mawar 9' }), ...narrow });
      expect(moved.status, moved.text).toBe(200);
      const both = { as: await keyFor(t, '1000', ['contacts:write', 'domains:write']) };
      const changed = await t.call('PUT', path, { form: person(other), ...both });
      expect([changed.status, changed.body.name], changed.text).toEqual([200, other.name]);
    },
  );

  test('require only contacts:write if the contact is registrant of no live domain', async () => {
    const { id, path } = await registrantOf('registrant-gone.com');
    await removeDomainRow(t, id);
    const narrow = { as: await keyFor(t, '1000', ['contacts:write']) };
    const changed = await t.call('PUT', path, { form: person(other), ...narrow });
    expect([changed.status, changed.body.name], changed.text).toEqual([200, other.name]);
  });

  test('are refused while one of the domains is locked, suspended or locked by its registry', async () => {
    const { id, customerId, path } = await registrantOf('registrant-locked.com');
    const session = await openCustomerSession(t, '1000', customerId, 'manage');
    const cases: [Parameters<typeof mark>[1], string][] = [
      [{ locked: true }, 'registrant-locked.com is locked (dispute)'],
      [{ suspended: true }, 'registrant-locked.com is suspended'],
      [{ status: ['serverUpdateProhibited'] }, 'registrant-locked.com cannot be changed: serverUpdateProhibited'],
    ];
    for (const [row, why] of cases) {
      await mark(id, row);
      const perDomain = await t.call('PUT', `/v1/domains/${id}/contacts`, {
        form: {
          registrant_contact_id: '3001',
          admin_contact_id: '3001',
          tech_contact_id: '3001',
          billing_contact_id: '3001',
        },
      });
      for (const by of [{}, { session }])
        for (const dry_run of ['false', 'true']) {
          const refused = await t.call('PUT', path, { form: person({ ...other, dry_run }), ...by });
          expect([refused.status, refused.body.code], refused.text).toEqual([400, 'domain_blocked']);
          expect(refused.body.message).toContain(why);
          if (!('session' in by)) expect(refused.body.message).toBe(perDomain.body.message);
        }
      const moved = await t.call('PUT', path, { form: person({ address_line_1: `Jalan ${why}`.slice(0, 30) }) });
      expect([moved.status, moved.body.name], moved.text).toEqual([200, 'Sari Dewi']);
    }
    await mark(id, {});
    // Unlocked, a customer's own change waits for both sides, as before.
    const requested = await t.call('PUT', path, { form: person({ ...other, dry_run: 'true' }), session });
    expect([requested.status, requested.body.path], requested.text).toEqual([200, 'confirmations']);
    const changed = await t.call('PUT', path, { form: person(other) });
    expect([changed.status, changed.body.name], changed.text).toEqual([200, other.name]);
  });
});

test("creates the default contact from the customer's data, and keeps it when the customer changes", async () => {
  const id = await makeCustomer(t, undefined, { name: 'First Name' });
  const roles = async () => (await t.call('GET', `${contacts(id)}/default`)).body;
  const before = await roles();
  for (const role of ['registrant', 'admin', 'tech', 'billing'])
    expect(before[`${role}_contact`]).toMatchObject({ customer_id: id, name: 'First Name' });
  const changed = await t.call('PUT', `/v1/customers/${id}`, { form: person({ name: 'Second Name' }) });
  expect(changed.status, changed.text).toBe(200);
  expect(await roles()).toEqual(before);
});

test('creates the missing first contact of an older customer once, in the background job', async () => {
  const id = await makeCustomer(t);
  const { contact_id } = (await t.call('GET', `${contacts(id)}/default`)).body.registrant_contact;
  await t.call('DELETE', `${contacts(id)}/${contact_id}`);
  await t.ctx.db.transaction(allTenants, (tx) =>
    tx.run(sql`insert into contact_owed (customer_id, reseller_id) values (${id}, 1000)`),
  );
  await createMissingContacts(t.ctx);
  const made = (await t.call('GET', `${contacts(id)}/default`)).body.registrant_contact;
  expect(made.contact_id).not.toBe(contact_id);
  await t.call('DELETE', `${contacts(id)}/${made.contact_id}`);
  expect(await createMissingContacts(t.ctx)).toBe(0);
  expect(await live(id)).toBe(0);
});

test('creates contacts of the demo customer at the first start', async () => {
  const list = await t.call('GET', '/v1/customers', { query: { email: 'budi@customer.example' } });
  expect(list.body[0].customer_id).toBe('2001');
  const found = await t.call('GET', contacts('2001'));
  expect(found.body.map((c: { contact_id: string }) => c.contact_id)).toEqual(['3001', '3002']);
});

import { execFileSync } from 'node:child_process';
import { allTenants, sql } from '@namehold/postgres';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { makeContact, makeCustomer, person } from '../../../../test/support/parties.ts';
import { keyFor, makeReseller } from '../../../../test/support/resellers.ts';
import { countRows } from '../../../../test/support/rows.ts';
import { startTestService, type TestService } from '../../../../test/support/service.ts';
import { openSession } from '../../../../test/support/users.ts';
import { isCustomerPassword } from '../../src/core/customers/check-password.ts';

let t: TestService;
beforeAll(async () => {
  t = await startTestService();
});
afterAll(() => t.stop());

const contractKeys = [
  'customer_id',
  'reseller_id',
  'status',
  'email',
  'name',
  'company',
  'creation_date',
  'total_receipts',
  'address_line_1',
  'address_line_2',
  'address_line_3',
  'city',
  'state',
  'country_code',
  'country_name',
  'zipcode',
  'tel_cc_no',
  'tel_no',
  'alt_tel_cc_no',
  'alt_tel_no',
  'mobile_cc_no',
  'mobile_no',
  'fax_cc_no',
  'fax_no',
  'lang_id',
];

describe('creating a customer', () => {
  test('accepts a form, returns all 25 keys, and writes one audit row without the password', async () => {
    const before = await countRows(t, 'customer');
    const form = person({
      password: 'sn0wy mountain',
      country_code: 'id',
      tel_no: '022-765 4321',
      notify: '1',
      'lang-pref': 'en',
    });
    const called = await t.call('POST', '/v1/customers', { form });
    expect(called.status).toBe(200);
    expect(Object.keys(called.body).sort()).toEqual([...contractKeys].sort());
    expect(called.body).toMatchObject({
      reseller_id: '1000',
      status: 'Active',
      country_code: 'ID',
      country_name: 'Indonesia',
      tel_no: '227654321',
      total_receipts: '0.00',
      address_line_2: '',
      fax_no: null,
      lang_id: 'English',
    });
    expect(called.body.creation_date).toMatch(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/);
    expect(await countRows(t, 'customer')).toBe(before + 1);
    const audit = await t.call('GET', '/v1/account/audit', {
      query: { object_type: 'customer', object_id: called.body.customer_id },
    });
    expect(audit.body).toHaveLength(1);
    expect(audit.body[0]).toMatchObject({ action: 'customer.create', before: null });
    expect(JSON.stringify(audit.body)).not.toContain('sn0wy');
    const stored = await t.ctx.db
      .as(allTenants)
      .one<{ password_hash: string }>(sql`select password_hash from customer where id = ${called.body.customer_id}`);
    expect(stored.password_hash).toMatch(/^\$argon2id\$v=19\$/);
    expect(await isCustomerPassword(t.ctx, '1000', called.body.customer_id, 'sn0wy mountain')).toBe(true);
    expect(await isCustomerPassword(t.ctx, '1000', called.body.customer_id, 'sn0wy Mountain')).toBe(false);
  });

  test("hashes passwords with OWASP's minimum cost in a process without the test setting", () => {
    const module = new URL('../../src/core/accounts/password.ts', import.meta.url).href;
    const code = `import { hashPassword } from '${module}'; console.log(await hashPassword('sn0wy mountain', { address: '192.0.2.1' }));`;
    const hash = execFileSync(process.execPath, ['--input-type=module', '--eval', code], { encoding: 'utf8' });
    expect(hash).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
  });

  test('accepts JSON and multipart', async () => {
    const json = await t.call('POST', '/v1/customers', {
      json: { ...person({ email: 'json@customer.example', password: 'abcdefgh1' }), tel_no: 227654321, alt_tel_no: '' },
    });
    expect(json.status).toBe(200);
    const multipart = await t.call('POST', '/v1/customers', {
      multipart: person({ email: 'multi@customer.example', password: 'abcdefgh1', 'address-line-2': 'Blok B' }),
    });
    expect(multipart.body).toMatchObject({ email: 'multi@customer.example', address_line_2: 'Blok B' });
  });

  test('refuses an email address in use, whatever its case, and names the customer that has it', async () => {
    const id = await makeCustomer(t, undefined, { email: 'Twice@customer.example' });
    const again = await t.call('POST', '/v1/customers', {
      form: person({ email: 'twice@CUSTOMER.example', password: 'abcdefgh1' }),
    });
    expect(again.status).toBe(409);
    expect(again.body).toMatchObject({ code: 'already_exists', errors: [{ field: 'email', code: 'taken' }] });
    expect(again.body.message).toContain(id);
    const other = await makeReseller(t);
    expect(await makeCustomer(t, other, { email: 'twice@customer.example' })).not.toBe(id);
  });

  test('creates one customer for ten concurrent calls with one email address', async () => {
    const form = person({ email: 'race@customer.example', password: 'abcdefgh1' });
    const calls = await Promise.all(Array.from({ length: 10 }, () => t.call('POST', '/v1/customers', { form })));
    expect(calls.filter((c) => c.status === 200)).toHaveLength(1);
    expect(calls.filter((c) => c.status === 409)).toHaveLength(9);
    expect(await countRows(t, 'customer', sql`email = 'race@customer.example'`)).toBe(1);
  });

  test('creates one customer for a repeated Idempotency-Key and replays the response', async () => {
    const form = person({ email: 'once@customer.example', password: 'abcdefgh1' });
    const headers = { 'Idempotency-Key': 'customer-once' };
    const first = await t.call('POST', '/v1/customers', { form, headers });
    const second = await t.call('POST', '/v1/customers', { form, headers });
    expect(second.body).toEqual(first.body);
    expect(second.headers.get('idempotency-replayed')).toBe('true');
    expect(await countRows(t, 'customer', sql`email = 'once@customer.example'`)).toBe(1);
  });
});

describe('customer data', () => {
  const cases: [string, Record<string, string>, string][] = [
    ['no email address', { email: '' }, 'email'],
    ['no at sign', { email: 'sari.example' }, 'email'],
    ['two at signs', { email: 'a@b@c.example' }, 'email'],
    ['dot before the at sign', { email: 'sari.@customer.example' }, 'email'],
    ['quoted local part', { email: '"sari"@customer.example' }, 'email'],
    ['bare host', { email: 'sari@localhost' }, 'email'],
    ['address literal', { email: 'sari@192.0.2.1' }, 'email'],
    ['label with an underscore', { email: 'sari@cust_omer.example' }, 'email'],
    ['space in the address', { email: 'sa ri@customer.example' }, 'email'],
    ['local part of 65 characters', { email: `${'a'.repeat(65)}@customer.example` }, 'email'],
    ['no password', { password: '' }, 'password'],
    ['short password', { password: 'seven77' }, 'password'],
    ['long password', { password: 'x'.repeat(129) }, 'password'],
    ['no country', { country_code: '' }, 'country_code'],
    ['unknown country', { country_code: 'ZZ' }, 'country_code'],
    ['country by name', { country_code: 'Indonesia' }, 'country_code'],
    ['postal code of another country', { zipcode: 'SW1A 1AA' }, 'zipcode'],
    ['letters in a phone', { tel_no: 'call me' }, 'tel_no'],
    ['phone too short', { tel_no: '12' }, 'tel_no'],
    ['phone too long', { tel_no: '1'.repeat(20) }, 'tel_no'],
    ['unknown calling code', { tel_cc_no: '999' }, 'tel_no'],
    ['phone of another country', { tel_no: '+14155550100' }, 'tel_no'],
    ['bad mobile', { mobile_no: 'x' }, 'mobile_no'],
    ['bad fax', { fax_cc_no: '62', fax_no: '1' }, 'fax_no'],
    ['no name', { name: '' }, 'name'],
    ['a name of spaces', { name: '   ' }, 'name'],
    ['a control character', { name: 'Sari\u0007Dewi' }, 'name'],
    ['a name of 256 characters', { name: 'x'.repeat(256) }, 'name'],
    ['no street', { address_line_1: '' }, 'address_line_1'],
    ['no state', { state: '' }, 'state'],
    [
      'state outside the US',
      { country_code: 'US', zipcode: '94105', tel_cc_no: '1', tel_no: '4155550100', state: 'Jawa Barat' },
      'state',
    ],
  ];
  test.each(cases)('are refused with the name of the field: %s', async (_name, changes, field) => {
    const before = await countRows(t, 'customer');
    const form = person({ email: 'bad@customer.example', password: 'abcdefgh1', ...changes });
    const called = await t.call('POST', '/v1/customers', { form });
    expect(called.status).toBe(400);
    expect(called.body).toMatchObject({ type: 'invalid_request', code: 'invalid_argument' });
    expect(called.body.errors.map((e: { field: string }) => e.field)).toContain(field);
    expect(called.body.message).not.toBe('');
    expect(await countRows(t, 'customer')).toBe(before);
  });

  test('are refused with all problems at once', async () => {
    const form = person({ password: 'abcdefgh1', email: 'x', zipcode: 'x', tel_no: 'x' });
    const called = await t.call('POST', '/v1/customers', { form });
    expect(called.body.errors.map((e: { field: string }) => e.field).sort()).toEqual(['email', 'tel_no', 'zipcode']);
  });

  const good: [string, Record<string, string>, Record<string, string>][] = [
    ['a state by its code', { state: 'JB' }, { state: 'Jawa Barat' }],
    ['a state in English', { state: 'West Java' }, { state: 'West Java' }],
    ['a country without states', { state: 'not applicable' }, { state: 'Not Applicable' }],
    [
      'a US state by its code',
      { country_code: 'us', zipcode: '94105-1234', tel_cc_no: '+1', tel_no: '(415) 555-0100', state: 'ca' },
      { state: 'California', tel_cc_no: '1', tel_no: '4155550100' },
    ],
    ['a number with its own calling code', { tel_no: '+62 22 7654321' }, { tel_no: '227654321' }],
    ['a national prefix', { mobile_no: '0812-3456-7890' }, { mobile_cc_no: '62', mobile_no: '81234567890' }],
    [
      'an Italian number with its leading zero',
      { country_code: 'IT', zipcode: '00118', tel_cc_no: '39', tel_no: '06 1234 5678' },
      { tel_no: '0612345678' },
    ],
    [
      'zeros as the postal code of Hong Kong',
      { country_code: 'HK', zipcode: '000000', tel_cc_no: '852', tel_no: '21234567' },
      { zipcode: '000000' },
    ],
    ['other scripts', { name: '王小明', city: '北京', company: 'Ünïted' }, { name: '王小明', company: 'Ünïted' }],
    ['an international mailbox', { email: 'søren@BÜCHER.example' }, { email: 'søren@xn--bcher-kva.example' }],
    ['combining characters', { name: 'Rene\u0301e' }, { name: 'Renée' }],
  ];
  test.each(good)('are accepted: %s', async (name, changes, expected) => {
    const form = person({ email: `${name.replaceAll(' ', '-')}@good.example`, password: 'abcdefgh1', ...changes });
    const called = await t.call('POST', '/v1/customers', { form });
    expect(called.status, called.text).toBe(200);
    expect(called.body).toMatchObject(expected);
  });
});

describe('listing customers', () => {
  let as: string;
  const ids: string[] = [];
  beforeAll(async () => {
    as = await makeReseller(t);
    for (let n = 0; n < 12; n++) {
      ids.push(
        await makeCustomer(t, as, {
          email: `List${n}@page.example`,
          name: n % 2 === 0 ? `Even ${n}` : `Odd_${n}`,
          company: n < 3 ? '100% Fun' : 'Plain',
          city: n === 5 ? 'Surabaya' : 'Bandung',
        }),
      );
    }
    await t.call('PUT', '/v1/customers/totalreceipts', { form: { customer_id: ids[4]!, totalreceipts: '150.5' }, as });
  });

  const find = async (query: Record<string, string>) => {
    const called = await t.call('GET', '/v1/customers', { query, as });
    expect(called.status, called.text).toBe(200);
    expect(called.headers.get('x-total-count')).toBe(
      query.limit ? called.headers.get('x-total-count') : String(called.body.length),
    );
    return called.body.map((row: { customer_id: string }) => ids.indexOf(row.customer_id));
  };

  test('returns pages in a stable order, with total and links', async () => {
    const first = await t.call('GET', '/v1/customers', { query: { limit: '5', page_no: '' }, as });
    expect(first.body.map((row: { customer_id: string }) => row.customer_id)).toEqual(ids.slice(0, 5));
    expect(first.headers.get('x-total-count')).toBe('12');
    const links = first.headers.get('link')!;
    expect(links).toContain(`<${t.url}/v1/customers?limit=5&page_no=2>; rel="next"`);
    expect(links).toContain('page_no=3>; rel="last"');
    const last = await t.call('GET', '/v1/customers', { query: 'limit=5&page-no=3', as });
    expect(last.body.map((row: { customer_id: string }) => row.customer_id)).toEqual(ids.slice(10));
    const beyond = await t.call('GET', '/v1/customers', { query: { limit: '5', page_no: '9' }, as });
    expect(beyond.body).toEqual([]);
    expect(beyond.headers.get('x-total-count')).toBe('12');
    const unpaged = await t.call('GET', '/v1/customers?', { as });
    expect(unpaged.body).toHaveLength(10);
  });

  const filters: [Record<string, string>, number[]][] = [
    [{ email: 'list3@PAGE.example' }, [3]],
    [{ email: 'list' }, []],
    [{ email: 'list3@page.exampl' }, []],
    [{ name: 'even', limit: '2' }, [0, 2]],
    [{ name: 'd_1' }, [1, 11]],
    [{ company: '0% f' }, [0, 1, 2]],
    [{ company: '%' }, [0, 1, 2]],
    [{ city: 'BAYA' }, [5]],
    [{ state: 'barat', city: 'surabaya' }, [5]],
    [{ country_code: 'us' }, []],
    [{ status: 'suspended' }, []],
    [{ total_receipts_start: '150' }, [4]],
    [{ total_receipts_start: '151' }, []],
    [{ total_receipts_end: '150.49', city: 'surabaya' }, [5]],
    [{ creation_date_end: '2020-01-31' }, []],
    [{ creation_date_start: '2020-01-31', city: 'surabaya' }, [5]],
    [{ creation_date_start: '1580428800', city: 'surabaya' }, [5]],
    [{ customer_id: '999999999' }, []],
  ];
  test.each(filters)('filters by %j', async (query, expected) => {
    expect(await find(query)).toEqual(expected);
  });
  test('filters by a comma-separated list of ids', async () => {
    expect(await find({ customer_id: `${ids[2]},${ids[7]}` })).toEqual([2, 7]);
  });
  test('ignores an empty filter, and includes today in a range that ends today', async () => {
    expect(await find({ email: '', name: '', limit: '100' })).toHaveLength(12);
    const today = t.ctx.clock.now().toISOString().slice(0, 10);
    expect(await find({ creation_date_start: today, creation_date_end: today, limit: '100' })).toHaveLength(12);
  });
  const wrong: Record<string, string>[] = [
    { limit: '0' },
    { limit: '101' },
    { page_no: '0' },
    { page_no: 'two' },
    { status: 'Gone' },
    { country_code: 'IDN' },
    { creation_date_start: '2027-02-30' },
    { creation_date_end: 'yesterday' },
    { total_receipts_start: '-1' },
    { total_receipts_end: '1.234' },
    { customer_id: '1;drop' },
  ];
  test.each(wrong)('refuses the invalid filter %j', async (query) => {
    const called = await t.call('GET', '/v1/customers', { query, as });
    expect(called.status).toBe(400);
    expect(called.body.errors[0].field).toBe(Object.keys(query)[0]);
  });
  test('returns an empty list for an account without customers', async () => {
    const called = await t.call('GET', '/v1/customers', { as: await makeReseller(t) });
    expect(called.status).toBe(200);
    expect(called.text).toBe('[]');
    expect(called.headers.get('x-total-count')).toBe('0');
  });
  test('keeps the stored customer total equal to the number of rows', async () => {
    await t.call('DELETE', `/v1/customers/${ids.at(-1)}`, { as });
    const [resellerId] = as.split(':');
    const { live } = await t.ctx.db
      .as(allTenants)
      .one<{ live: string }>(sql`select live from customer_total where reseller_id = ${resellerId}`);
    expect(Number(live)).toBe(11);
    expect(await countRows(t, 'customer', sql`reseller_id = ${resellerId} and deleted_at is null`)).toBe(11);
    expect((await t.call('GET', '/v1/customers', { as })).headers.get('x-total-count')).toBe('11');
  });
});

describe('reading, changing and deleting a customer', () => {
  test('replaces all fields, clears those left out, and logs the values before and after', async () => {
    const id = await makeCustomer(t, undefined, { address_line_2: 'Blok A', mobile_no: '81234567890' });
    const read = await t.call('GET', `/v1/customers/${id}`);
    expect(read.body).toMatchObject({ customer_id: id, address_line_2: 'Blok A', mobile_no: '81234567890' });
    const form = person({ email: 'changed@customer.example', name: 'Sari Putri', customer_id: '1' });
    const changed = await t.call('PUT', `/v1/customers/${id}`, { form });
    expect(changed.status).toBe(200);
    expect(changed.body).toMatchObject({ customer_id: id, name: 'Sari Putri', address_line_2: '', mobile_no: null });
    const audit = await t.call('GET', '/v1/account/audit', { query: { object_id: id, action: 'customer.change' } });
    expect(audit.body[0].before.address_line_2).toBe('Blok A');
    expect(audit.body[0].after.name).toBe('Sari Putri');
    const partial = await t.call('PUT', `/v1/customers/${id}`, { form: { name: 'Only' } });
    expect(partial.status).toBe(400);
    const other = await makeCustomer(t, undefined, { email: 'has@customer.example' });
    expect(other).not.toBe(id);
    const clash = await t.call('PUT', `/v1/customers/${id}`, { form: person({ email: 'HAS@customer.example' }) });
    expect(clash.status).toBe(409);
    expect((await t.call('GET', `/v1/customers/${id}`)).body).toEqual(changed.body);
  });

  test('deletes the customer with its contacts, and frees its email address', async () => {
    const id = await makeCustomer(t, undefined, { email: 'leaves@customer.example' });
    const contact = await makeContact(t, id);
    const deleted = await t.call('DELETE', `/v1/customers/${id}`);
    expect(deleted.status).toBe(200);
    expect(deleted.body).toEqual({ customer_id: id, deleted: true });
    for (const path of [
      `/v1/customers/${id}`,
      `/v1/customers/${id}/contacts`,
      `/v1/customers/${id}/contacts/${contact}`,
    ]) {
      expect((await t.call('GET', path)).status).toBe(404);
    }
    expect((await t.call('DELETE', `/v1/customers/${id}`)).status).toBe(404);
    await makeCustomer(t, undefined, { email: 'leaves@customer.example' });
    expect(await countRows(t, 'contact', sql`customer_id = ${id} and deleted_at is null`)).toBe(0);
  });

  test.each(['abc', '-1', '1.5', `${'9'.repeat(19)}`])('returns 400 for the invalid id %s in the path', async (id) => {
    expect((await t.call('GET', `/v1/customers/${id}`)).status).toBe(400);
  });
});

describe('a temporary password', () => {
  test('is valid for three days beside the permanent one, is not cached, and requires a write scope', async () => {
    const id = await makeCustomer(t);
    const called = await t.call('GET', '/v1/customers/temp_password', { query: { customer_id: id } });
    expect(called.status).toBe(200);
    expect(called.headers.get('cache-control')).toBe('no-store');
    expect(called.body.customer_id).toBe(id);
    const { temp_password: password } = called.body as { temp_password: string };
    const left = new Date(called.body.expires_at).getTime() - Date.now();
    expect(left).toBeGreaterThan(2.99 * 86_400_000);
    expect(left).toBeLessThanOrEqual(3 * 86_400_000);
    expect(await isCustomerPassword(t.ctx, '1000', id, password)).toBe(true);
    expect(await isCustomerPassword(t.ctx, '1000', id, 'a long enough one')).toBe(true);
    const later = { ...t.ctx, wall: { now: () => new Date(Date.now() + 3 * 86_400_000 + 1_000) } };
    expect(await isCustomerPassword(later, '1000', id, password)).toBe(false);
    expect(await isCustomerPassword(later, '1000', id, 'a long enough one')).toBe(true);
    const next = await t.call('GET', '/v1/customers/temp_password', { query: { customer_id: id } });
    expect(next.body.temp_password).not.toBe(password);
    expect(await isCustomerPassword(t.ctx, '1000', id, password)).toBe(false);
    const log = await t.call('GET', '/v1/account/audit', { query: { object_id: id } });
    expect(log.text).not.toContain(password);
    const reader = await keyFor(t, '1000', ['read']);
    const refused = await t.call('GET', '/v1/customers/temp_password', { query: { customer_id: id }, as: reader });
    expect(refused.status).toBe(403);
    expect(refused.body).toMatchObject({ code: 'scope_missing', scope: 'customers:write' });
  });
  test('is refused for an unknown customer with the field customer_id', async () => {
    const called = await t.call('GET', '/v1/customers/temp_password', { query: { customer_id: '99' } });
    expect(called.status).toBe(400);
    expect(called.body.errors[0]).toMatchObject({ field: 'customer_id', code: 'not_found' });
    expect((await t.call('GET', '/v1/customers/temp_password')).body.errors[0].field).toBe('customer_id');
  });
});

describe('total receipts', () => {
  test('are set by a form, in the currency of the reseller', async () => {
    const id = await makeCustomer(t);
    const called = await t.call('PUT', '/v1/customers/totalreceipts', {
      form: { customer_id: id, totalreceipts: '80' },
    });
    expect(called.body).toMatchObject({ customer_id: id, total_receipts: '80.00' });
    const yen = await makeReseller(t, t.operator, { currency: 'JPY' });
    const theirs = await makeCustomer(t, yen);
    const fraction = { customer_id: theirs, totalreceipts: '80.5' };
    expect((await t.call('PUT', '/v1/customers/totalreceipts', { form: fraction, as: yen })).status).toBe(400);
    const whole = { customer_id: theirs, totalreceipts: '80' };
    expect((await t.call('PUT', '/v1/customers/totalreceipts', { form: whole, as: yen })).body.total_receipts).toBe(
      '80',
    );
  });
  test.each([
    [{ customer_id: '99', totalreceipts: '1' }, 'customer_id'],
    [{ customer_id: '2001', totalreceipts: '-1' }, 'totalreceipts'],
    [{ customer_id: '2001', totalreceipts: '1.234' }, 'totalreceipts'],
    [{ customer_id: '2001' }, 'totalreceipts'],
  ] as [Record<string, string>, string][])('are refused with the name of the field: %j', async (form, field) => {
    const called = await t.call('PUT', '/v1/customers/totalreceipts', { form });
    expect(called.status).toBe(400);
    expect(called.body.errors[0].field).toBe(field);
  });
});

describe('default nameservers', () => {
  test('are those of the installation until the customer sets its own', async () => {
    const id = await makeCustomer(t);
    const path = `/v1/customers/${id}/ns/default`;
    expect((await t.call('GET', path)).body).toEqual({ ns1: 'ns1.namehold-dns.net', ns2: 'ns2.namehold-dns.net' });
    const set = await t.call('PUT', path, {
      json: { ns: ['NS1.Example.NET', 'ns2.example.net.', 'ns3.bücher.example'] },
    });
    expect(set.body).toEqual({ ns1: 'ns1.example.net', ns2: 'ns2.example.net', ns3: 'ns3.xn--bcher-kva.example' });
    expect((await t.call('GET', path)).body).toEqual(set.body);
    const bad = await t.call('PUT', path, { json: { ns: ['ns1.example.net', 'no_host'] } });
    expect(bad.status).toBe(400);
    expect(bad.body.message).toContain('is not valid NameServer');
    const address = await t.call('PUT', path, { json: { ns: ['ns1.example.net', '192.0.2.1'] } });
    expect(address.status, address.text).toBe(400);
    expect(address.body.errors[0].field).toBe('ns');
    expect((await t.call('PUT', path, { json: { ns: ['ns1.example.net', 'NS1.example.net'] } })).status).toBe(400);
  });

  test('require domains:write as well, because later domains are delegated to them', async () => {
    const path = `/v1/customers/${await makeCustomer(t)}/ns/default`;
    const before = (await t.call('GET', path)).body;
    const json = { ns: ['ns1.elsewhere.example', 'ns2.elsewhere.example'] };
    const staff = { session: await openSession(t, '1000', { role: 'staff', scopes: ['customers:write'] }) };
    for (const by of [{ as: await keyFor(t, '1000', ['customers:write']) }, staff]) {
      const refused = await t.call('PUT', path, { json, ...by });
      expect([refused.status, refused.body.code, refused.body.scope], refused.text).toEqual([
        403,
        'scope_missing',
        'domains:write',
      ]);
    }
    expect((await t.call('GET', path)).body).toEqual(before);
    const both = { as: await keyFor(t, '1000', ['customers:write', 'domains:write']) };
    expect((await t.call('PUT', path, { json, ...both })).body).toEqual({ ns1: json.ns[0], ns2: json.ns[1] });
  });

  test('cannot be changed by one key if nameserver changes require approval', async () => {
    const as = await makeReseller(t);
    const path = `/v1/customers/${await makeCustomer(t, as)}/ns/default`;
    await keyFor(t, as.split(':')[0]!);
    const set = (kinds: string[]) => t.call('PUT', '/v1/account/security', { json: { second_yes: kinds }, as });
    expect((await set(['nameservers'])).status).toBe(200);
    const refused = await t.call('PUT', path, { json: { ns: ['ns1.elsewhere.example', 'ns2.elsewhere.example'] }, as });
    expect([refused.status, refused.body.code], refused.text).toEqual([409, 'conflict']);
    expect(refused.body.message).toContain('approval');
    expect((await t.call('GET', path, { as })).body.ns1).toBe('ns1.namehold-dns.net');
  });
});

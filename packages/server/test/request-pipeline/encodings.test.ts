import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { makeCustomer, person } from '../../../../test/support/parties.ts';
import { startTestService, type TestService } from '../../../../test/support/service.ts';
import { rawRequest, sendRaw } from './support/raw.ts';

let t: TestService;
beforeAll(async () => {
  t = await startTestService();
});
afterAll(() => t.stop());

const customers = '/v1/customers';
let made = 0;
const fresh = (changes: Record<string, string> = {}) => {
  made += 1;
  return person({ email: `encoding${made}@made.example`, password: 'a long enough one', ...changes });
};

/** The same fields in each encoding return the same object. */
const encodings = ['form', 'multipart', 'json'] as const;

describe.each(encodings)('%s', (encoding) => {
  const sent = (fields: Record<string, string>) => ({ [encoding]: fields });

  test('creates, changes and deletes by POST, PUT and DELETE', async () => {
    const fields = fresh();
    const created = await t.call('POST', customers, sent(fields));
    expect(created.status).toBe(200);
    expect(created.body.email).toBe(fields.email);
    const path = `${customers}/${created.body.customer_id}`;
    const changed = await t.call('PUT', path, sent(fresh({ name: 'Ķīle Ünïcode 株式会社' })));
    expect(changed.status).toBe(200);
    expect(changed.body.name).toBe('Ķīle Ünïcode 株式会社');
    const deleted = await t.call('DELETE', path, sent({ customer_id: '1' }));
    expect(deleted.body).toEqual({ customer_id: created.body.customer_id, deleted: true });
  });

  test('treats an empty field as absent', async () => {
    const created = await t.call(
      'POST',
      customers,
      sent(fresh({ address_line_2: '', alt_tel_no: '', alt_tel_cc_no: '' })),
    );
    expect(created.status).toBe(200);
    expect(created.body).toMatchObject({ address_line_2: '', alt_tel_no: null });
    const without = await t.call('POST', customers, sent(fresh({ name: '' })));
    expect(without.status).toBe(400);
    expect(without.body.errors).toContainEqual({ field: 'name', code: 'required', message: 'This field is required.' });
  });

  test('reads a hyphenated name where the name with underscores is absent', async () => {
    const { address_line_1, tel_cc_no, ...rest } = fresh();
    const created = await t.call(
      'POST',
      customers,
      sent({ ...rest, 'address-line-1': address_line_1!, 'tel-cc-no': tel_cc_no!, 'country-code': 'XX' }),
    );
    expect(created.status).toBe(200);
    expect(created.body).toMatchObject({ address_line_1, tel_cc_no, country_code: 'ID' });
  });

  test('reads a hyphenated name where the name with underscores is empty', async () => {
    const created = await t.call(
      'POST',
      customers,
      sent(fresh({ city: 'Bandung', address_line_1: '', 'address-line-1': 'Here 1' })),
    );
    expect(created.body.address_line_1).toBe('Here 1');
  });

  test('ignores unknown parameters, also those named like object properties', async () => {
    const odd = {
      send_welcome_email: '1',
      constructor: 'x',
      toString: 'y',
      hasOwnProperty: 'z',
      'attr-name1': 'q',
      '--proto--': 'p',
    };
    const created = await t.call('POST', customers, sent({ ...fresh(), ...odd }));
    expect(created.status).toBe(200);
    expect(created.body.toString).toBeTypeOf('function');
  });

  test('refuses unknown parameters of our own operations by name', async () => {
    const key = { label: 'x', ip_whitelist: '127.0.0.1' };
    const refused = await t.call('POST', '/v1/account/keys', sent({ ...key, labell: 'typo' }));
    expect(refused.status).toBe(400);
    expect(refused.body.errors).toEqual([
      { field: 'labell', code: 'unknown', message: 'This is not a parameter of this call.' },
    ]);
    expect((await t.call('POST', '/v1/account/keys', sent(key))).status).toBe(200);
  });
});

describe('JSON bodies', () => {
  test('read numbers, booleans and arrays as text', async () => {
    const created = await t.call('POST', customers, {
      json: { ...fresh(), tel_no: 227654321, tel_cc_no: 62, zipcode: 40111 },
    });
    expect(created.status).toBe(200);
    expect(created.body).toMatchObject({ tel_no: '227654321', tel_cc_no: '62' });
    const key = await t.call('POST', '/v1/account/keys', { json: { label: 'x', ip_whitelist: ['127.0.0.1', '::1'] } });
    expect(key.body.ip_whitelist).toEqual(['127.0.0.1', '::1']);
  });
  test('treat null as absent in contract calls', async () => {
    expect((await t.call('POST', customers, { json: { ...fresh(), address_line_2: null } })).status).toBe(200);
  });
  test.each([[{ a: 1 }], [['x', 'y']], [[[]]]])('refuse a structure in place of text: %j', async (value) => {
    const refused = await t.call('POST', customers, { json: { ...fresh(), name: value } });
    expect(refused.status).toBe(400);
    expect(refused.body.errors).toEqual([{ field: 'name', code: 'invalid', message: 'Must be a single value.' }]);
  });
});

describe('repeated keys', () => {
  test('use the last value in a query', async () => {
    await makeCustomer(t);
    const called = await t.call('GET', customers, { query: 'limit=50&limit=1' });
    expect(called.body).toHaveLength(1);
  });
  test('use the last value in a form', async () => {
    const form = `${new URLSearchParams(fresh())}&name=First&name=Last`;
    expect((await t.call('POST', customers, { form })).body.name).toBe('Last');
  });
  test('use the last value in a multipart body', async () => {
    const parts = [...Object.entries(fresh()), ['name', 'First'], ['name', 'Last']];
    const body = `${parts.map(([n, v]) => `--b\r\nContent-Disposition: form-data; name="${n}"\r\n\r\n${v}\r\n`).join('')}--b--\r\n`;
    const called = await t.call('POST', customers, { raw: { type: 'multipart/form-data; boundary=b', body } });
    expect(called.body.name).toBe('Last');
  });
  test('use all values of a list in a query, a form and a multipart body', async () => {
    const query = 'domain=first.com&domain=second.com,third.com&domain=';
    const checked = await t.call('GET', '/v1/domains/availability', { query });
    expect(checked.status, checked.text).toBe(200);
    const expected = ['first.com', 'second.com', 'third.com'].map((name) =>
      expect.objectContaining({ [name]: expect.anything() }),
    );
    expect(checked.body).toEqual(expected);
    const key = { label: 'repeated', ip_whitelist: '127.0.0.1' };
    const form = `${new URLSearchParams(key)}&ip_whitelist=%3A%3A1`;
    expect((await t.call('POST', '/v1/account/keys', { form })).body.ip_whitelist).toEqual(['127.0.0.1', '::1']);
    const parts = [...Object.entries(key), ['ip_whitelist', '::1']];
    const body = `${parts.map(([n, v]) => `--b\r\nContent-Disposition: form-data; name="${n}"\r\n\r\n${v}\r\n`).join('')}--b--\r\n`;
    const created = await t.call('POST', '/v1/account/keys', {
      raw: { type: 'multipart/form-data; boundary=b', body },
    });
    expect(created.body.ip_whitelist).toEqual(['127.0.0.1', '::1']);
  });
  test('use the last value in JSON', async () => {
    const text = JSON.stringify({ ...fresh(), name: 'First' }).replace(/}$/, ',"name":"Last"}');
    const called = await t.call('POST', customers, { raw: { type: 'application/json', body: text } });
    expect(called.body.name).toBe('Last');
  });
});

describe('parameters of POST, PUT and DELETE', () => {
  test('are read from the query', async () => {
    expect((await t.call('POST', customers, { query: fresh() })).status).toBe(200);
  });
  test('are read from the path before the body, and from the body before the query', async () => {
    const id = await makeCustomer(t);
    const called = await t.call('PUT', `${customers}/${id}`, {
      query: { name: 'From query', customer_id: '1' },
      form: { ...fresh({ name: 'From body' }), customer_id: '2' },
    });
    expect(called.body).toMatchObject({ customer_id: id, name: 'From body' });
  });
});

describe('Content-Type', () => {
  const types = [
    'application/x-www-form-urlencoded',
    'application/json',
    'multipart/form-data; boundary=x',
    'text/plain',
  ];
  test.each(types)('is ignored on a GET without a body: %s', async (type) => {
    expect((await t.call('GET', customers, { headers: { 'Content-Type': type } })).status).toBe(200);
  });
  test.each(['application/x-www-form-urlencoded', 'application/json'])(
    'is ignored on an empty body: %s',
    async (type) => {
      const id = await makeCustomer(t);
      const deleted = await t.call('DELETE', `${customers}/${id}`, { headers: { 'Content-Type': type } });
      expect(deleted.status).toBe(200);
      const posted = await t.call('POST', customers, { raw: { type, body: '' } });
      expect(posted.status).toBe(400);
      expect(posted.body.errors.map((e: { field: string }) => e.field)).toContain('email');
    },
  );
  test('may be absent without a body', async () => {
    expect((await t.call('POST', customers)).status).toBe(400);
    const id = await makeCustomer(t);
    expect((await t.call('DELETE', `${customers}/${id}`)).status).toBe(200);
  });

  // Each is either read as declared, with full validation, or refused as a type. None is accepted unread.
  const odd = [
    'application/json\t',
    'application/json;',
    'application/json ; charset=utf-8',
    'application/json; charset=utf-8',
    'APPLICATION/JSON',
    ' application/json',
    'application/json, text/plain',
    'application/json,application/x-www-form-urlencoded',
    'application/json;\tx=1',
    'application/json; charset="utf-8"; foo=bar',
    'application/json; charset=utf-16',
    'text/plain, application/json',
    'application/jsonx',
    'application/vnd.api+json',
    'text/plain',
    'text/dns',
    'text/xml',
    'application/octet-stream',
    'application',
    '/',
    '*/*',
    'application/json\u00a0',
    '""',
  ];
  test.each(odd)('%j leads to a validated body or to 415', async (type) => {
    const bad = JSON.stringify({ ...fresh(), country_code: 'not a country' });
    const refused = await sendRaw(
      t.url,
      Buffer.from(rawRequest(t.demo, 'POST', customers, [`Content-Type:${type}`], bad), 'latin1'),
    );
    expect([400, 415]).toContain(refused.status);
    expect(refused.body.code).toBe(refused.status === 415 ? 'unsupported_media_type' : 'invalid_argument');
    if (refused.status === 400) {
      const fields = refused.body.errors.map((e: { field: string }) => e.field);
      expect(fields).toEqual(['country_code']);
    }
  });
  test('is required for a body, otherwise 415', async () => {
    const refused = await sendRaw(t.url, rawRequest(t.demo, 'POST', customers, [], '{"a":1}'));
    expect(refused.status).toBe(415);
    expect(refused.body).toMatchObject({ type: 'invalid_request', code: 'unsupported_media_type' });
  });
  test('is refused with 415 for a compressed body', async () => {
    const refused = await t.call('POST', customers, { json: fresh(), headers: { 'Content-Encoding': 'gzip' } });
    expect(refused.status).toBe(415);
  });
});

describe('URLs', () => {
  test.each([`${customers}?`, `${customers}/`, `${customers}/?`, '//v1//customers', `${customers}?&&limit=&page_no=`])(
    'are accepted in this spelling: %s',
    async (path) => {
      const called = await sendRaw(t.url, rawRequest(t.demo, 'GET', path));
      expect(called.status).toBe(200);
      expect(Array.isArray(JSON.parse(called.text))).toBe(true);
    },
  );
  test('may contain a second question mark in a value', async () => {
    expect((await t.call('GET', customers, { query: 'name=a?b' })).status).toBe(200);
  });
  test('return a body without "message" on success', async () => {
    const id = await makeCustomer(t);
    const deleted = await t.call('DELETE', `${customers}/${id}`);
    expect(deleted.text.length).toBeGreaterThan(2);
    expect((await t.call('GET', customers, { query: 'name=nobody+has+this' })).text).toBe('[]');
  });
});

describe('invalid multipart bodies', () => {
  const part = (name: string, value: string) =>
    `--b\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`;
  const cases: [string, string, string][] = [
    ['no boundary in the type', 'multipart/form-data', part('name', 'x')],
    ['no closing boundary', 'multipart/form-data; boundary=b', part('name', 'x')],
    ['truncated within a header', 'multipart/form-data; boundary=b', '--b\r\nContent-Dispo'],
    ['another boundary', 'multipart/form-data; boundary=c', `${part('name', 'x')}--b--\r\n`],
    ['no parts', 'multipart/form-data; boundary=b', '--b--\r\n'],
    ['only text', 'multipart/form-data; boundary=b', 'hello'],
    ['empty', 'multipart/form-data; boundary=b', ''],
  ];
  test.each(cases)('are refused at once: %s', async (_name, type, body) => {
    const refused = await t.call('POST', customers, { raw: { type, body } });
    expect(refused.status).toBe(400);
  });
  test('are refused with more fields than the limit', async () => {
    const body = `${Array.from({ length: 2_100 }, (_, i) => part(`f${i}`, 'x')).join('')}--b--\r\n`;
    const refused = await t.call('POST', customers, { raw: { type: 'multipart/form-data; boundary=b', body } });
    expect(refused.status).toBe(400);
    expect(refused.body.code).toBe('invalid_body');
    const form = await t.call('POST', customers, {
      form: Array.from({ length: 2_100 }, (_, i) => `f${i}=x`).join('&'),
    });
    expect(form.body.code).toBe('invalid_body');
  });
  test('are refused if a part is a file', async () => {
    const file =
      '--b\r\nContent-Disposition: form-data; name="name"; filename="x"\r\nContent-Type: text/plain\r\n\r\nhello\r\n--b--\r\n';
    const refused = await t.call('POST', customers, { raw: { type: 'multipart/form-data; boundary=b', body: file } });
    expect(refused.status).toBe(400);
  });
});

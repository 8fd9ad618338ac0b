import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startTestService, type TestService } from '../../../../test/support/service.ts';
import { hideKeys, holdsKey } from '../../src/http/hide-keys.ts';
import { rawRequest, sendRaw } from './support/raw.ts';

const key = `nh_${'Ab3-_'.repeat(8)}xyz`;
const encode = (text: string) => [...text].map((letter) => `%${letter.charCodeAt(0).toString(16)}`).join('');
const forms: [string, string][] = [
  ['unchanged', key],
  ['with an encoded underscore', key.replaceAll('_', '%5F')],
  ['with its first letter encoded', `%6e${key.slice(1)}`],
  ['with every letter encoded', encode(key)],
  ['encoded twice', encodeURIComponent(encode(key))],
  ['encoded three times', encodeURIComponent(encodeURIComponent(encode(key)))],
  ['with upper-case hex digits', encode(key).toUpperCase()],
  ['in base64, with its user', Buffer.from(`1000:${key}`).toString('base64')],
  ['in base64, with a longer user', Buffer.from(`100012:${key}`).toString('base64url')],
  ['in base64, encoded again', encode(Buffer.from(`10001:${key}`).toString('base64'))],
  ['in the form of a header', `Basic%20${Buffer.from(`1000:${key}`).toString('base64')}`],
];

let t: TestService;
beforeAll(async () => {
  t = await startTestService();
});
afterAll(() => t.stop());

describe('a key in a URL', () => {
  test.each(forms)('%s: is refused, and appears in no response and no log line', async (_, form) => {
    expect(holdsKey(`/v1/x/${form}`)).toBe(true);
    expect(hideKeys(`/v1/x/${form}/y`)).toBe('/v1/x/(hidden)/y');
    const known = await t.call('GET', `/v1/account/keys/${form}`);
    expect(known.body.code).toBe('credentials_in_url');
    const unknown = await t.call('GET', `/v1/nothing/${form}`);
    for (const { text } of [known, unknown]) {
      expect(text).not.toContain(form.slice(0, 30));
      expect(text).not.toContain(key.slice(3, 20));
    }
  });
});

test.each(['auth-password', 'auth_password', 'AUTH-PASSWORD', 'auth%2Dpassword'])(
  'refuses %s in a query and does not repeat it in the answer',
  async (name) => {
    const called = await t.call('GET', '/v1/customers', { query: `${name}=hunter2-hunter2&limit=1` });
    expect(called.body.code).toBe('credentials_in_url');
    expect(called.text + JSON.stringify([...called.headers])).not.toContain('hunter2');
  },
);

test('hides a key in base64 that contains slashes', () => {
  const sent = Buffer.from(`1000:???>>>${key}???`).toString('base64');
  expect(sent).toContain('/');
  expect(hideKeys(`/v1/domains/${sent}`)).not.toContain(sent.slice(-30));
  const long = `/v1/domains/${'a/'.repeat(20)}${key}`;
  expect(hideKeys(long)).not.toContain(key.slice(3, 12));
  expect(hideKeys(`/v1/domains/${'a-long-name-of-a-shop-'.repeat(2)}.com`)).toContain('a-long-name');
});

test('refuses credentials before the host of an absolute URL', async () => {
  const called = await sendRaw(t.url, rawRequest(t.demo, 'GET', 'http://u:p@localhost/v1/account/profile'));
  expect([called.status, called.body.code]).toEqual([401, 'credentials_in_url']);
});

test('hides credentials before a host, and keeps ordinary paths', () => {
  expect(hideKeys('http://user:secret@host/v1/x')).toBe('http://(hidden)@host/v1/x');
  expect(hideKeys('/confirm/the-token-of-a-mail/x')).toBe('/confirm/(hidden)');
  expect(hideKeys('/v1/domains/nh_short/ns')).toBe('/v1/domains/nh_short/ns');
  expect(hideKeys('/v1/%E0%A4%A/100%')).toBe('/v1/%E0%A4%A/100%');
});

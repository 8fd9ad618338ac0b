import { expect, test } from 'vitest';
import { cleanPath, cleanQuery, locationOf, RuleTable } from '../../src/core/forwarding/location.ts';
import type { Rule } from '../../src/core/forwarding/rule.ts';
import { whyBlocked } from '../../src/core/forwarding/served.ts';

const rule = (more: Partial<Rule> = {}): Rule => ({
  host: '@',
  path: '/',
  match: 'prefix',
  target: 'https://target.example/',
  code: 301,
  path_mode: 'append',
  query_mode: 'append',
  masking: null,
  enabled: true,
  ...more,
});

const redirectOf = (rules: readonly Rule[], host: string, target: string): string | undefined => {
  const [path, query = ''] = [target.split('?')[0]!, target.split('?').slice(1).join('?')];
  const request = { host, path: cleanPath(path), query: cleanQuery(query) };
  const found = new RuleTable(rules).find(request);
  return found && locationOf(found, request);
};

test.each([
  ['/', '/'],
  ['/a/b', '/a/b'],
  ['/.well-known/x', '/.well-known/x'],
  ['/a/..b/c./', '/a/..b/c./'],
  ['/a/./b', '/a/b'],
  ['/a\n', '/a%0A'],
  ['//evil.test/x', '/evil.test/x'],
  ['///evil.test', '/evil.test'],
  ['/\\evil.test', '/%5Cevil.test'],
  ['/a/../../b', '/b'],
  ['/a/%2e%2E/b', '/b'],
  ['/a/.', '/a/'],
  ['/..', '/'],
  ['/%zz', '/%25zz'],
  ['/%e2%82%ac', '/%E2%82%AC'],
  ['/\u00e9', '/%E9'],
  ['/a b\r\nSet-Cookie: x', '/a%20b%0D%0ASet-Cookie:%20x'],
  ['/a#b', '/a%23b'],
  ['/@evil.test', '/@evil.test'],
  ['/a//b', '/a//b'],
  ['/ol%64/%7Eme%2Ehtml', '/old/~me.html'],
  ['/%%364%2564', '/%2564%2564'],
])('normalises the path %j to %j', (path, clean) => {
  expect(cleanPath(path)).toBe(clean);
});

test('always keeps scheme and host of the target', () => {
  const characters = Array.from({ length: 256 }, (_, code) => String.fromCharCode(code));
  for (const target of ['https://target.example/', 'https://target.example/deep/er?x=1'])
    for (const a of ['', '/', '//', '\\', '..', '@', ':', '.', '%2f', '%5c', ...characters])
      for (const b of ['evil.test', '/evil.test', '@evil.test', ':80@evil.test']) {
        const to = new URL(redirectOf([rule({ target })], '@', `/${a}${b}?${a}${b}`)!);
        expect([to.protocol, to.host, to.username], JSON.stringify(a + b)).toEqual(['https:', 'target.example', '']);
      }
});

test.each([
  [{}, '/a?b=1', 'https://target.example/a?b=1'],
  [{ target: 'https://t.example/shop' }, '/', 'https://t.example/shop'],
  [{ target: 'https://t.example/shop/' }, '/a/', 'https://t.example/shop/a/'],
  [{ target: 'https://t.example/shop#top' }, '/a', 'https://t.example/shop/a#top'],
  [{ path_mode: 'drop', query_mode: 'drop', target: 'https://t.example/x?y=1' }, '/a?b', 'https://t.example/x?y=1'],
  [{ target: 'https://t.example/?y=1' }, '/?b=2&y=3', 'https://t.example/?y=1&b=2&y=3'],
  [{ target: 'https://t.example/?y=1', query_mode: 'merge' }, '/?b=2&%79=3', 'https://t.example/?y=1&b=2'],
  [{ path: '/old', target: 'https://t.example/new' }, '/old/x', 'https://t.example/new/x'],
  [{ path: '/old' }, '/older', undefined],
  [{ path: '/old', target: 'https://t.example/new' }, '/ol%64/x', 'https://t.example/new/x'],
  // Rules in an older stored form.
  [{ path: '/q%41', target: 'https://t.example/new' }, '/qA/x', 'https://t.example/new/x'],
  [{ path: '/old', match: 'exact' }, '/old/x', undefined],
] as [Partial<Rule>, string, string | undefined][])(
  'redirects by a rule with %j from %s to %s',
  (more, request, location) => {
    expect(redirectOf([rule(more)], '@', request)).toBe(location);
  },
);

test('applies the most specific rule', () => {
  const rules = [
    rule({ host: '*', target: 'https://any.example/{sub}' }),
    rule({ host: 'www', target: 'https://www.example/' }),
    rule({ host: 'www', path: '/a', target: 'https://a.example/' }),
    rule({ host: 'www', path: '/a/b', target: 'https://ab.example/' }),
    rule({ host: 'www', path: '/a/b/c', match: 'exact', target: 'https://abc.example/' }),
    rule({ host: 'off', target: 'https://off.example/', enabled: false }),
  ];
  expect(redirectOf(rules, 'www', '/x')).toBe('https://www.example/x');
  expect(redirectOf(rules, 'www', '/a/x')).toBe('https://a.example/x');
  expect(redirectOf(rules, 'www', '/a/b/x')).toBe('https://ab.example/x');
  expect(redirectOf(rules, 'www', '/a/b/c')).toBe('https://abc.example/');
  expect(redirectOf(rules, 'blog', '/x')).toBe('https://any.example/blog/x');
  expect(redirectOf(rules, 'a.b', '/')).toBe('https://any.example/a.b');
  expect(redirectOf(rules, 'off', '/')).toBe('https://any.example/off');
  expect(redirectOf(rules, '@', '/')).toBeUndefined();
});

test('serves a domain that was transferred out, unless it was out of service before', () => {
  const free = { suspended: false, unverified: false, unpaid: false };
  const left = { state: 'removed', removed_reason: 'transferred_away', ...free } as const;
  expect(whyBlocked(left)).toBeUndefined();
  for (const held of ['suspended', 'unverified', 'unpaid'])
    expect(whyBlocked({ ...left, [held]: true }), held).toBeDefined();
  expect(whyBlocked({ ...left, removed_reason: 'deleted' })).toBe('the domain is removed');
});

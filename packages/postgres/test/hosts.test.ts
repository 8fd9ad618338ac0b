import { expect, test } from 'vitest';
import { addressesOf, readHosts } from '../src/index.ts';

test.each([
  [
    'postgresql://u:p%40w@one:5432,two:6432/namehold?sslmode=verify-full&target_session_attrs=read-write',
    ['one:5432', 'two:6432'],
  ],
  ['postgres://u@one,two,three/namehold', ['one', 'two', 'three']],
  [
    'postgres://[2001:db8::1]:5433,192.0.2.7/namehold?target_session_attrs=primary',
    ['[2001:db8::1]:5433', '192.0.2.7'],
  ],
  ['postgresql://u@one:5432/namehold', ['one:5432']],
  ['postgresql://u:a,b@one/namehold', ['one']],
])('resolves %s to %s and keeps the other parts', (given, hosts) => {
  const read = readHosts(given)!;
  const addresses = addressesOf(read).map((each) => new URL(each));
  expect(addresses.map(({ host }) => host)).toEqual(hosts);
  for (const { pathname, username, password, searchParams } of addresses) {
    expect(pathname).toBe('/namehold');
    expect([username, password]).toEqual([new URL(read).username, new URL(read).password]);
    expect(searchParams.get('sslmode')).toBe(new URL(read).searchParams.get('sslmode'));
    expect(searchParams.has('hosts')).toBe(false);
  }
});

test.each([
  'postgresql://u@one,/namehold',
  'postgresql://u@,two/namehold',
  'postgresql://u@one:5432,two:x/namehold',
  'postgresql://u@one,two/namehold?target_session_attrs=read-only',
  `postgresql://u@${Array.from({ length: 10 }, (_, i) => `h${i}`).join(',')}/namehold`,
  'one,two',
])('refuses %s', (given) => {
  expect(readHosts(given)).toBeUndefined();
});

import { expect, test } from 'vitest';
import type { MailForward } from '../../src/core/mail-forwarding/forward.ts';
import { type MailDomainRow, routesOf } from '../../src/core/mail-forwarding/read-routes.ts';
import { MailRoutes } from '../../src/core/mail-forwarding/routes.ts';

const forward = (local_part: string, targets: readonly string[], more: Partial<MailForward> = {}): MailForward => ({
  local_part,
  targets,
  action: 'forward',
  spam: 'refuse',
  enabled: true,
  ...more,
});

const row = (more: Partial<MailDomainRow> = {}): MailDomainRow => ({
  domain_id: '1',
  name: 'shop.example',
  state: 'live',
  removed_reason: null,
  suspended: false,
  unverified: false,
  unpaid: false,
  forwards: [
    forward('info', ['a@one.example', 'b@two.example']),
    forward('marked', ['a@one.example'], { spam: 'mark' }),
    forward('later', ['w@one.example', 'c@one.example']),
    forward('nobody', ['c@one.example', 'd@one.example']),
    forward('never', [], { action: 'refuse' }),
    forward('off', ['b@two.example'], { enabled: false }),
    forward('info+list', ['b@two.example']),
    forward('', ['b@two.example']),
  ],
  targets: {
    'a@one.example': 'confirmed',
    'b@two.example': 'confirmed',
    'c@one.example': 'stopped',
    'd@one.example': 'lapsed',
  },
  ...more,
});

function routes(operator?: string, ...rows: MailDomainRow[]): MailRoutes {
  const made = new MailRoutes(operator);
  for (const each of rows.length === 0 ? [row()] : rows) made.put(routesOf(each));
  return made;
}

const withoutCatchAll = () => row({ forwards: row().forwards.filter(({ local_part }) => local_part !== '') });
const to = (...addresses: string[]) => ({ kind: 'targets', addresses, spam: 'refuse' });

test('routes mail only to targets with consent', () => {
  const all = routes();
  expect(all.routeOf('info', 'shop.example')).toEqual(to('a@one.example', 'b@two.example'));
  expect(all.routeOf('INFO', 'Shop.Example')).toEqual(to('a@one.example', 'b@two.example'));
  expect(all.routeOf('marked', 'shop.example')).toMatchObject({ spam: 'mark' });
  expect(all.routeOf('later', 'shop.example')).toMatchObject({ kind: 'wait' });
  expect(all.routeOf('nobody', 'shop.example')).toMatchObject({ kind: 'refused' });
  expect(all.routeOf('never', 'shop.example')).toMatchObject({ kind: 'refused' });
});

test('routes tags and disabled addresses to the catch-all, unless they have a row', () => {
  const all = routes();
  expect(all.routeOf('info+shop', 'shop.example')).toEqual(to('a@one.example', 'b@two.example'));
  expect(all.routeOf('info+list', 'shop.example')).toEqual(to('b@two.example'));
  expect(all.routeOf('never+tag', 'shop.example')).toMatchObject({ kind: 'refused' });
  for (const local of ['guess', 'guess+tag', 'off', '+', '+tag', ''])
    expect(all.routeOf(local, 'shop.example'), local).toEqual({ ...to('b@two.example'), isCatchAll: true });
  const without = routes(undefined, withoutCatchAll());
  for (const local of ['guess', 'off', '+tag', ''])
    expect(without.routeOf(local, 'shop.example'), local).toEqual({ kind: 'unknown' });
});

test('returns unknown for unknown domains, and refuses mail for domains out of service', () => {
  const all = routes(undefined, row(), row({ domain_id: '2', name: 'held.example', suspended: true }));
  expect(all.isDomain('SHOP.example')).toBe(true);
  expect(all.idOf('held.example')).toBe('2');
  expect(all.isDomain('www.shop.example')).toBe(false);
  expect(all.routeOf('info', 'other.example')).toEqual({ kind: 'unknown' });
  expect(all.routeOf('info', 'held.example')).toMatchObject({ kind: 'refused' });
  expect(all.routeOf('postmaster', 'held.example')).toMatchObject({ kind: 'refused' });
});

test('accepts postmaster and abuse if the operator has an address', () => {
  const refusing = row({ forwards: [forward('', ['c@one.example']), forward('abuse', ['d@one.example'])] });
  const reached = routes('post@operator.example', refusing);
  for (const local of ['postmaster', 'Abuse', 'abuse+report'])
    expect(reached.routeOf(local, 'shop.example'), local).toEqual(to('post@operator.example'));
  expect(reached.routeOf('info', 'shop.example')).toMatchObject({ kind: 'refused' });
  // Their own routes have priority.
  const own = routes('post@operator.example', row({ forwards: [forward('abuse', ['a@one.example'])] }));
  expect(own.routeOf('abuse', 'shop.example')).toEqual(to('a@one.example'));
  expect(routes('post@operator.example').routeOf('postmaster', 'shop.example')).toMatchObject({ isCatchAll: true });
});

test('uses the active one of two rows for a domain name with a new owner', () => {
  const gone = row({ domain_id: '1', state: 'removed', removed_reason: 'moved' });
  const newOwner = row({ domain_id: '2', forwards: [forward('info', ['b@two.example'])] });
  for (const order of [
    [gone, newOwner],
    [newOwner, gone],
  ]) {
    const all = routes(undefined, ...order);
    expect(all.routeOf('info', 'shop.example')).toEqual(to('b@two.example'));
    all.remove('1');
    expect(all.idOf('shop.example')).toBe('2');
    all.put(routesOf(row({ domain_id: '2', forwards: [] })));
    expect(all.isDomain('shop.example')).toBe(false);
    expect([...all.rows()]).toEqual([]);
  }
});

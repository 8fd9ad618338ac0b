import { afterEach, describe, expect, test } from 'vitest';
import type { Schema } from '../../src/api/shapes.ts';
import { locale } from '../../src/messages/locale.ts';
import { actOffers, foundOffers, pageOffers, readTyped, verbOffers } from '../../src/palette/offers.ts';
import { currentSession } from '../../src/session/current-session.ts';
import { signIn, speak } from '../support/dom.ts';
import '../support/sessions.ts';

afterEach(() => {
  currentSession.value = undefined;
  locale.value = 'en';
});
const hit = (kind: Schema<'Found'>['kind'], id: string, title = id): Schema<'Found'> => ({
  kind,
  id,
  title,
  detail: 'live',
});

describe('readTyped', () => {
  test.each([
    ['en', 'renew exa', { verb: 'renew', text: 'exa' }],
    ['en', '  Renew   Example.COM ', { verb: 'renew', text: 'example.com' }],
    ['en', 'dns a b', { verb: 'dns', text: 'a b' }],
    ['en', 'renew', { text: 'renew' }],
    ['en', 'renewal x', { text: 'renewal x' }],
    ['en', '', { text: '' }],
    ['id', 'renew exa', { verb: 'renew', text: 'exa' }],
    ['id', 'perpanjang exa', { verb: 'renew', text: 'exa' }],
  ] as const)('in %s reads "%s"', (language, typed, read) => {
    speak(language);
    expect(readTyped(typed)).toEqual(read);
  });
});

describe('foundOffers', () => {
  test('link to the pages of results, with hostile ids in one path segment', () => {
    signIn();
    const found = [hit('domain', '1', 'a/b?c.example'), hit('customer', '7', ''), hit('event', 'evt_0000000000000100')];
    expect(foundOffers(found).map(({ href, label }) => [href, label])).toEqual([
      ['/domains/a%2Fb%3Fc.example', 'a/b?c.example'],
      ['/customers/7', '7'],
      ['/log/events?after=evt_0000000000000099', 'evt_0000000000000100'],
    ]);
  });
});

describe('verbOffers', () => {
  const found = [hit('domain', '1', 'a.example'), hit('domain', '2', 'b.example'), hit('customer', '7', 'a.example')];

  test('offer all actions for a domain that is typed in full', () => {
    signIn();
    expect(verbOffers(found, { text: 'a.example' }).map(({ href }) => href)).toEqual([
      '/domains/a.example?do=renew',
      '/domains/a.example/dns',
      '/log?object=1',
    ]);
  });
  test('offer one action for each domain found', () => {
    signIn();
    expect(verbOffers(found, { verb: 'dns', text: 'x' }).map(({ href }) => href)).toEqual([
      '/domains/a.example/dns',
      '/domains/b.example/dns',
    ]);
  });
  test('leave out actions without permission', () => {
    signIn({ account: { scopes: ['dns:read'] } });
    expect(verbOffers(found, { text: 'a.example' }).map(({ key }) => key)).toEqual(['dns/a.example']);
  });
  test('offer customers a renewal only with the access level order', () => {
    signIn({ customer: { customer_id: '7', access: 'manage' } });
    expect(verbOffers(found, { verb: 'renew', text: 'a' })).toEqual([]);
    signIn({ customer: { customer_id: '7', access: 'order' } });
    expect(verbOffers(found, { verb: 'renew', text: 'a' })).toHaveLength(2);
  });
});

describe('pageOffers', () => {
  test('find a page by its name and by further words', () => {
    signIn();
    expect(pageOffers('api').map(({ href }) => href)).toContain('/keys');
    expect(pageOffers('secret').map(({ href }) => href)).toEqual(['/keys']);
    expect(pageOffers('nothing like this')).toEqual([]);
  });
  test('leave out pages of the operator', () => {
    signIn();
    expect(pageOffers('').some(({ href }) => href?.startsWith('/operator'))).toBe(false);
    signIn({ account: { is_operator: true } });
    expect(pageOffers('').some(({ href }) => href?.startsWith('/operator'))).toBe(true);
  });
});

describe('actOffers', () => {
  const keys = (text: string) => actOffers(text).map(({ key }) => key);

  test.each([
    ['en', 'clock +90d'],
    ['en', 'jam +90d'],
    ['id', 'jam +90d'],
    ['id', 'clock +90d'],
  ] as const)('in %s move the clock of a sandbox for "%s"', (language, text) => {
    speak(language);
    signIn({ is_sandbox: true });
    expect(keys(text)).toEqual(['clock/+90d']);
  });

  test('never move the clock outside a sandbox', () => {
    signIn({ is_sandbox: false });
    expect(keys('clock +90d')).toEqual([]);
  });

  test.each(['clock -1d', 'clock +1y', 'clock +1234567d', 'clock'])(
    'do not move the clock by the text "%s"',
    (text) => {
      signIn({ is_sandbox: true });
      expect(keys(text).filter((key) => !['clock/+1d', 'clock/+7d', 'clock/+30d'].includes(key))).toEqual([]);
    },
  );

  test('are not listed before something is typed', () => {
    signIn();
    expect(keys('')).toEqual([]);
  });
});

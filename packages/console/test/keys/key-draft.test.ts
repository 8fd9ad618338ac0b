import { seededRandom } from '@namehold/base';
import { afterEach, describe, expect, test } from 'vitest';
import type { Schema } from '../../src/api/shapes.ts';
import { areas, draftOf, emptyDraft, type Level, levelsOf, scopesOf, sentOf } from '../../src/keys/key-draft.ts';
import { currentSession, may } from '../../src/session/current-session.ts';

const signedInWith = (...scopes: string[]) => {
  currentSession.value = { account: { scopes } } as unknown as Schema<'Session'>;
};
afterEach(() => {
  currentSession.value = undefined;
});

describe('scopesOf', () => {
  test('returns the scopes that levelsOf reads as the same levels, for 200 random choices', () => {
    const random = seededRandom(7);
    const levels = ['none', 'read', 'write'] as const;
    for (let n = 0; n < 200; n += 1) {
      const chosen = {
        levels: Object.fromEntries(areas.map((area) => [area, levels[Math.floor(random() * 3)]!])) as Record<
          (typeof areas)[number],
          Level
        >,
        authCode: random() < 0.5,
      };
      expect(levelsOf(scopesOf(chosen))).toEqual(chosen);
    }
  });

  test('grants nothing for no level', () => {
    expect(scopesOf(levelsOf([]))).toEqual([]);
  });
});

describe('levelsOf', () => {
  test('reads `read` as read access to every area', () => {
    expect(scopesOf(levelsOf(['read', 'dns:write']))).toEqual(
      areas.map((area) => (area === 'dns' ? 'dns:write' : `${area}:read`)),
    );
  });
  test('reads write access if both are listed', () => {
    expect(levelsOf(['dns:read', 'dns:write']).levels.dns).toBe('write');
  });
});

describe('draftOf and sentOf', () => {
  test.each([[['full']], [['read']], [['domains:read', 'dns:write']], [['domains:write', 'domains:auth_code']]])(
    'send the scopes %j of an unchanged key back unchanged',
    (scopes) => {
      const key = { label: 'panel', ip_whitelist: ['192.0.2.10', '2001:db8::/48'], scopes };
      expect(sentOf(draftOf(key))).toEqual(key);
    },
  );

  test('accept addresses that are separated by lines, commas, semicolons and spaces', () => {
    const draft = { ...draftOf({ label: ' a ', ip_whitelist: [], scopes: ['full'] }) };
    const sent = sentOf({ ...draft, whitelist: '\n 192.0.2.1,192.0.2.2; 2001:db8::/48\t\r\n203.0.113.0/24 ,, ' });
    expect(sent).toEqual({
      label: 'a',
      ip_whitelist: ['192.0.2.1', '192.0.2.2', '2001:db8::/48', '203.0.113.0/24'],
      scopes: ['full'],
    });
  });

  test('ignore the chosen levels while a preset is selected', () => {
    const draft = { ...draftOf({ label: '', ip_whitelist: [], scopes: ['dns:write'] }), preset: 'read' as const };
    expect(sentOf(draft).scopes).toEqual(['read']);
  });
});

describe('emptyDraft', () => {
  test.each([
    [['full'], 'full'],
    [['read'], 'read'],
    [['domains:write'], 'chosen'],
    [[], 'chosen'],
  ])('offers a user with %j the preset %s', (scopes, preset) => {
    signedInWith(...scopes);
    expect(emptyDraft().preset).toBe(preset);
  });
});

describe('may', () => {
  test.each([
    ['domains:read', ['full'], true],
    ['domains:write', ['full'], true],
    ['full', ['full'], true],
    ['full', ['read', 'domains:write'], false],
    ['domains:read', ['domains:write'], true],
    ['domains:read', ['read'], true],
    ['domains:write', ['read'], false],
    ['domains:write', ['domains:read'], false],
    ['domains:read', ['dns:write'], false],
    ['domains:auth_code', ['domains:write'], false],
    ['domains:auth_code', ['read'], false],
    ['read', ['domains:read'], false],
    ['domains:read', [], false],
  ])('decides about %s with %j: %s', (needed, scopes, isAllowed) => {
    expect(may(needed, scopes)).toBe(isAllowed);
  });

  test('allows nothing without a session', () => {
    for (const session of [undefined, null]) {
      currentSession.value = session;
      expect(may('domains:read')).toBe(false);
    }
  });
});

import { afterEach, describe, expect, test } from 'vitest';
import type { Schema } from '../../src/api/shapes.ts';
import { currentSession } from '../../src/session/current-session.ts';
import { choiceOf, draftOfMember, emptyRole, offered, sentRole } from '../../src/users/role-draft.ts';

const signedInWith = (...scopes: string[]) => {
  currentSession.value = { account: { scopes } } as unknown as Schema<'Session'>;
};
afterEach(() => {
  currentSession.value = undefined;
});

const member = (role: 'owner' | 'staff' | 'read_only', scopes: string[]) => ({
  email: 'a@reseller.example',
  role,
  scopes,
});

describe('sentRole', () => {
  test.each([
    ['owner', ['full']],
    ['read_only', ['read']],
  ] as const)('sends the role %s without scopes', (role, scopes) => {
    expect(sentRole(draftOfMember(member(role, [...scopes])))).toEqual({ role });
  });

  test.each([
    [['domains:write', 'dns:write', 'customers:write', 'contacts:write']],
    [['billing:write', 'customers:read', 'domains:read']],
    [['dns:write', 'domains:read']],
    [['account:read', 'billing:write', 'domains:read', 'domains:auth_code']],
    [[]],
  ])('sends the scopes %j of unchanged staff back', (scopes) => {
    const sent = sentRole(draftOfMember(member('staff', scopes)));
    expect(sent.role).toBe('staff');
    expect([...(sent.scopes ?? [])].sort()).toEqual([...scopes].sort());
  });

  test('sends the chosen levels if the scopes are chosen one by one', () => {
    const draft = { ...draftOfMember(member('staff', ['dns:write', 'domains:read'])), choice: 'chosen' as const };
    const levels = { ...draft.levels, dns: 'none' as const };
    expect(sentRole({ ...draft, levels })).toEqual({ role: 'staff', scopes: ['domains:read'] });
  });
});

describe('choiceOf', () => {
  test('recognises a preset in any order', () => {
    expect(choiceOf(member('staff', ['domains:read', 'dns:write']))).toBe('dns');
  });
  test.each([[['dns:write']], [['dns:write', 'domains:read', 'billing:read']], [['dns:write', 'dns:write']]])(
    'shows %j as chosen scopes',
    (scopes) => {
      expect(choiceOf(member('staff', scopes))).toBe('chosen');
    },
  );
});

describe('offered', () => {
  test.each([
    [['full'], ['owner', 'support', 'billing', 'dns', 'read_only', 'chosen']],
    [['read'], ['read_only', 'chosen']],
    [
      ['dns:write', 'domains:read'],
      ['dns', 'chosen'],
    ],
    [
      ['dns:write', 'domains:write', 'billing:write', 'customers:read'],
      ['billing', 'dns', 'chosen'],
    ],
    [['account:write'], ['chosen']],
  ])('offers a user with %j no role with more permissions', (scopes, choices) => {
    signedInWith(...scopes);
    expect(offered()).toEqual(choices);
  });
});

test('a new invitation begins with a role without access', () => {
  expect(Object.values(emptyRole.levels)).not.toContain('write');
  expect(emptyRole.authCode).toBe(false);
});

import { describe, expect, test } from 'vitest';
import type { Schema } from '../../src/api/shapes.ts';
import { currentSession } from '../../src/session/current-session.ts';
import UserList from '../../src/users/list.tsx';
import { messages } from '../../src/users/messages.ts';
import { verbsOf } from '../../src/users/verbs.tsx';
import { example } from '../support/api.ts';
import { signIn, usePage } from '../support/dom.ts';

const page = usePage();
const userOf = (name: string, changes: Partial<Schema<'User'>> = {}) =>
  example('User', { user_id: `per_${name}`, name, email: `${name}@reseller.example`, ...changes });

const open = async (users: Schema<'User'>[] = [userOf('budi')], invitations: Schema<'UserInvitation'>[] = []) => {
  page.api
    .list('/users', users)
    .list('/user_invitations', invitations)
    .respond('get', '/sign_in_rules', () => ({ body: { second_factor: 'owners' } }));
  await page.show(UserList, { at: '/app/users' });
};
const submit = () => page.get('dialog').querySelector<HTMLButtonElement>('[type=submit]')!;
const choose = async (name: string, verb: keyof ReturnType<typeof messages>['verb']) => {
  await page.click(page.button(messages().actions(name)));
  await page.click(page.get('menuitem', messages().verb[verb]));
};

describe('verbsOf', () => {
  test.each([
    ['without a session', { sessions: 0, has_factor: true }, ['change', 'suspend', 'resetFactors', 'remove']],
    ['without a factor', { sessions: 1, has_factor: false }, ['change', 'suspend', 'signOut', 'remove']],
    [
      'suspended',
      { suspended_at: '2026-11-15T09:00:00Z', sessions: 0, has_factor: false },
      ['change', 'resume', 'remove'],
    ],
    ['whose reset runs', { sessions: 0, factors_end_at: '2026-11-16T09:00:00Z' }, ['change', 'suspend', 'remove']],
  ])('returns the actions for a user %s', (_, changes, verbs) => {
    expect(verbsOf(userOf('budi', changes))).toEqual(verbs);
  });

  test('returns no suspension and no reset for the own user', () => {
    const self = userOf('me', { user_id: currentSession.value!.person.person_id, sessions: 3 });
    expect(verbsOf(self)).toEqual(['change', 'remove']);
  });
});

describe('the list', () => {
  test('offers no actions for users with more permissions', async () => {
    signIn({ account: { scopes: ['account:write', 'dns:write', 'domains:read'] } });
    await open([userOf('owner', { role: 'owner', scopes: ['full'] }), userOf('dns', { scopes: ['dns:write'] })]);
    expect([page.has('button', messages().actions('owner')), page.has('button', messages().actions('dns'))]).toEqual([
      false,
      true,
    ]);
  });

  test('offers nothing to users who can only read', async () => {
    signIn({ account: { scopes: ['account:read'] } });
    await open();
    expect([page.has('button', messages().invite), page.has('button', messages().actions('budi'))]).toEqual([
      false,
      false,
    ]);
  });
});

describe('an action', () => {
  test.each([
    ['suspend', {}, 'put', '/users/{user_id}', { suspended: true }],
    ['resume', { suspended_at: '2026-11-15T09:00:00Z' }, 'put', '/users/{user_id}', { suspended: false }],
    ['signOut', { sessions: 2 }, 'delete', '/users/{user_id}/sessions', undefined],
    ['resetFactors', { has_factor: true }, 'delete', '/users/{user_id}/factors', undefined],
    ['remove', {}, 'delete', '/users/{user_id}', undefined],
  ] as const)('%s is confirmed and sent once', async (verb, changes, method, path, body) => {
    await open([userOf('budi', changes)]);
    page.api.answer(method, path);
    await choose('budi', verb);
    expect(page.api.writes).toEqual([]);
    await page.doubleClick(submit());
    expect(page.api.writes.map((each) => [each.path, each.params.user_id, each.body])).toEqual([
      [path, 'per_budi', body],
    ]);
    expect(page.has('dialog')).toBe(false);
  });

  test('keeps the dialog of a refused action with the reason', async () => {
    await open();
    page.api.refuse('delete', '/users/{user_id}', 409, {
      code: 'conflict',
      message: 'The last owner cannot be removed.',
    });
    await choose('budi', 'remove');
    await page.click(submit());
    expect(page.text(page.get('alert'))).toContain('The last owner cannot be removed.');
  });
});

describe('an invitation', () => {
  test('sends the email and the scopes of the role, and shows the link once', async () => {
    await open();
    page.api.respond('post', '/users', () => ({
      body: { ...example('UserInvitation'), email: 'ani@reseller.example', code: 'c0de' },
    }));
    page.api.answer('get', '/account/security', { ...example('AccountSecurity'), approvals: [] });
    await page.click(page.button(messages().invite));
    expect(page.text(page.get('dialog'))).not.toContain(messages().approvalHint);
    await page.type(page.field('email'), ' ani@reseller.example ');
    await page.type(page.field('role'), 'dns');
    await page.doubleClick(submit());
    expect(page.api.writes.map(({ body }) => body)).toEqual([
      { email: 'ani@reseller.example', role: 'staff', scopes: ['dns:write', 'domains:read'] },
    ]);
    expect(page.text(page.get('dialog'))).toContain('/app/welcome#code=c0de');
    await page.click(page.button(messages().done));
    expect(page.text()).not.toContain('c0de');
  });

  test('can be withdrawn', async () => {
    const invitation = example('UserInvitation');
    await open([], [invitation]);
    page.api.answer('delete', '/user_invitations/{user_invitation_id}');
    await page.doubleClick(page.button(messages().withdraw));
    expect(page.api.writes.map(({ params }) => params.user_invitation_id)).toEqual([invitation.user_invitation_id]);
  });
});

describe('the rule for two-factor authentication', () => {
  test.each([
    [['full'], true],
    [['account:write'], false],
  ])('permits, with %j, a change: %s', async (scopes, isOwner) => {
    signIn({ account: { scopes } });
    await open();
    page.api.respond('put', '/sign_in_rules', () => ({ body: { second_factor: 'everybody' } }));
    expect(page.has('checkbox')).toBe(isOwner);
    if (!isOwner) return;
    await page.click(page.field('second_factor'));
    expect(page.api.writes.map(({ body }) => body)).toEqual([{ second_factor: 'everybody' }]);
  });
});

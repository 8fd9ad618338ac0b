import { z } from 'zod';
import { resetFactors } from '../../../core/users/factor-reset.ts';
import { inviteUser, readInvitations, shownCode, withdrawInvitation } from '../../../core/users/invite.ts';
import {
  changeMember,
  endMemberSessions,
  memberVersion,
  readMember,
  readMembers,
  removeMember,
} from '../../../core/users/members.ts';
import {
  changeTwoFactorPolicy,
  readTwoFactorPolicy,
  twoFactorPolicies,
} from '../../../core/users/two-factor-policy.ts';
import { roles } from '../../../core/users/user.ts';
import { versionOf } from '../../../core/version.ts';
import type { Former } from '../../aliases.ts';
import { flag, list, oneOf, text } from '../../field.ts';
import { listAnswer } from '../../page.ts';
import { type Route, route } from '../../route.ts';
import { instantText } from '../../wire.ts';
import { expectedVersion, withVersion } from '../common/if-match.ts';
import {
  invitationExample,
  memberExample,
  memberView,
  showInvitation,
  showMember,
  userInvitationView,
} from './member-view.ts';

const base = { area: 'users', style: 'own', forUsers: true } as const;
const reads = { ...base, scope: 'account:read' } as const;
const writes = { ...base, scope: 'account:write' } as const;
const formerly = (path: string): Former => ({
  path,
  since: '2026-11-18',
  names: { user_id: 'person_id', user_invitation_id: 'person_invitation_id' },
  schemas: { User: 'Member', UserInvitation: 'PersonInvitation' },
});
const manualOnly = 'sign in from a page or a program; the tester sends no cookies';
const user_id = text({ max: 60, about: 'Id of the user.' });
const email = text({ max: 254, about: 'Email address.', example: 'budi@reseller.example' });
const role = oneOf(roles, 'Role: owner, staff with scopes, or read_only.');
const scopes = list({ max: 50, about: 'Scopes of staff.', example: ['domains:write', 'dns:write'] });
const { user_id: id } = memberExample;

const listRoute = route({
  ...reads,
  method: 'GET',
  path: '/users',
  former: formerly('/people'),
  hasTotal: true,
  summary: 'List users',
  description: 'All users of the account, sorted by address.',
  input: z.object({}),
  output: z.array(memberView),
  errors: [],
  example: { output: [memberExample], first: manualOnly },
  async answer(ctx, caller) {
    const members = await readMembers(ctx, caller);
    return listAnswer(members.map(showMember), members.length);
  },
});

const inviteRoute = route({
  ...writes,
  method: 'POST',
  path: '/users',
  former: formerly('/people'),
  sudo: true,
  secret: true,
  summary: 'Invite a user',
  description:
    'Mails a link to the address, which can be used once within 24 hours. A new user exists only after the link is used. If the service sends no mail, the response has the code, which only an existing user can redeem. The role cannot exceed your own. The invited user counts as the same principal as the inviting one, so neither can approve changes of the other.',
  input: z.object({ email, role, scopes: scopes.optional() }),
  output: userInvitationView.extend({
    code: z.string().nullable().describe('The code, shown only once. Null: it was mailed to the address.'),
  }),
  errors: [],
  example: {
    input: { email: 'budi@reseller.example', role: 'staff', scopes: ['domains:write', 'dns:write'] },
    output: { ...invitationExample, code: null },
    first: manualOnly,
  },
  async answer(ctx, caller, input) {
    const made = await inviteUser(ctx, caller, input);
    return { ...showInvitation(made.row), code: shownCode(made) };
  },
});

const invitationsRoute = route({
  ...reads,
  method: 'GET',
  path: '/user_invitations',
  former: formerly('/invited_people'),
  hasTotal: true,
  summary: 'List invitations of users',
  description: 'Invitations that can still be used, newest first.',
  input: z.object({}),
  output: z.array(userInvitationView),
  errors: [],
  example: { output: [invitationExample], first: manualOnly },
  async answer(ctx, caller) {
    const open = await readInvitations(ctx, caller);
    return listAnswer(open.map(showInvitation), open.length);
  },
});

const withdrawRoute = route({
  ...writes,
  method: 'DELETE',
  path: '/user_invitations/{user_invitation_id}',
  former: formerly('/invited_people/{person_invitation_id}'),
  summary: 'Withdraw an invitation of a user',
  description: 'Its code is no longer valid.',
  input: z.object({ user_invitation_id: text({ max: 60, about: 'Id of the invitation.' }) }),
  output: z.object({ withdrawn: z.boolean().describe('Always true.') }),
  errors: ['not_found'],
  example: {
    input: { user_invitation_id: invitationExample.user_invitation_id },
    output: { withdrawn: true },
    first: manualOnly,
  },
  async answer(ctx, caller, input) {
    await withdrawInvitation(ctx, caller, input.user_invitation_id);
    return { withdrawn: true };
  },
});

const readRoute = route({
  ...reads,
  method: 'GET',
  path: '/users/{user_id}',
  former: formerly('/people/{person_id}'),
  hasETag: true,
  summary: 'Read a user',
  description:
    'Role and scopes of the user in the account, and its last activity. `ETag` is the version of the role and scopes, for If-Match.',
  input: z.object({ user_id }),
  output: memberView,
  errors: ['not_found'],
  example: { input: { user_id: id }, output: memberExample, first: manualOnly },
  async answer(ctx, caller, input) {
    const member = await readMember(ctx, caller, input.user_id);
    return withVersion(showMember(member), versionOf(memberVersion(member)));
  },
});

const changeRoute = route({
  ...writes,
  method: 'PUT',
  path: '/users/{user_id}',
  former: formerly('/people/{person_id}'),
  sudo: true,
  summary: 'Change or suspend a user',
  description:
    'Changes role, scopes or `suspended`; omitted fields stay. The sessions of the user in this account end, and so do its invitations. The last owner must stay an owner. With If-Match, the change is made only if the user is as you read it; otherwise 412.',
  input: z.object({
    user_id,
    role: role.optional(),
    scopes: scopes.optional(),
    suspended: flag('Whether the user is suspended from the account.').optional(),
  }),
  output: memberView,
  errors: ['not_found', 'conflict', 'precondition_failed'],
  example: { input: { user_id: id, role: 'read_only' }, output: memberExample, first: manualOnly },
  async answer(ctx, caller, { user_id: userId, suspended: isSuspended, ...change }) {
    return showMember(
      await changeMember(ctx, caller, userId, { ...change, isSuspended, expected: expectedVersion(caller) }),
    );
  },
});

const removeRoute = route({
  ...writes,
  method: 'DELETE',
  path: '/users/{user_id}',
  former: formerly('/people/{person_id}'),
  sudo: true,
  summary: 'Remove a user',
  description:
    'Removes the user from the account. Its sessions there end, and so do its invitations. Its keys stay. The last owner cannot be removed.',
  input: z.object({ user_id }),
  output: z.object({ removed: z.boolean().describe('Always true.') }),
  errors: ['not_found', 'conflict'],
  example: { input: { user_id: id }, output: { removed: true }, first: manualOnly },
  async answer(ctx, caller, input) {
    await removeMember(ctx, caller, input.user_id);
    return { removed: true };
  },
});

const signOutRoute = route({
  ...writes,
  method: 'DELETE',
  path: '/users/{user_id}/sessions',
  former: formerly('/people/{person_id}/sessions'),
  sudo: true,
  summary: 'End the sessions of a user',
  description: 'Ends the sessions of the user in this account, in every process within five seconds.',
  input: z.object({ user_id }),
  output: z.object({ ended: z.int().describe('Number of ended sessions.') }),
  errors: ['not_found'],
  example: { input: { user_id: id }, output: { ended: 1 }, first: manualOnly },
  answer: async (ctx, caller, input) => ({ ended: await endMemberSessions(ctx, caller, input.user_id) }),
});

const resetRoute = route({
  ...writes,
  method: 'DELETE',
  path: '/users/{user_id}/factors',
  former: formerly('/people/{person_id}/factors'),
  sudo: true,
  summary: "Remove a user's second factors",
  description:
    'For users who lost them. Passkeys, authenticator and recovery codes are removed 24 hours later, with every session. Until then the user is notified on its pages and by mail, and can cancel (`DELETE /me/factor_reset`). Not possible for users with other accounts.',
  input: z.object({ user_id }),
  output: z.object({ factors_end_at: z.string().describe('When they are removed.') }),
  errors: ['not_found', 'conflict'],
  example: { input: { user_id: id }, output: { factors_end_at: '2026-11-16T09:00:00Z' }, first: manualOnly },
  async answer(ctx, caller, input) {
    const { due_at } = await resetFactors(ctx, caller, input.user_id);
    return { factors_end_at: instantText(due_at) };
  },
});

const rulesView = z
  .object({ second_factor: z.enum(twoFactorPolicies).describe('The users who need one, within seven days.') })
  .meta({ id: 'SignInRules', description: 'Sign-in rules of the account.' });

const readRulesRoute = route({
  ...reads,
  method: 'GET',
  path: '/sign_in_rules',
  summary: 'Read the sign-in rules',
  description: 'The users that need a second factor.',
  input: z.object({}),
  output: rulesView,
  errors: [],
  example: { output: { second_factor: 'owners' }, first: manualOnly },
  answer: async (ctx, caller) => ({ second_factor: await readTwoFactorPolicy(ctx, caller) }),
});

const changeRulesRoute = route({
  ...writes,
  scope: 'full',
  method: 'PUT',
  path: '/sign_in_rules',
  sudo: true,
  summary: 'Change the sign-in rules',
  description:
    'Requires a second factor of everybody, or only of owners, who always need one. Users without one have seven days.',
  input: z.object({ second_factor: oneOf(twoFactorPolicies, 'The users who need one: owners, or all users.') }),
  output: rulesView,
  errors: [],
  example: { input: { second_factor: 'everybody' }, output: { second_factor: 'everybody' }, first: manualOnly },
  answer: async (ctx, caller, input) => ({
    second_factor: await changeTwoFactorPolicy(ctx, caller, input.second_factor),
  }),
});

export const userRoutes: readonly Route[] = [
  listRoute,
  inviteRoute,
  invitationsRoute,
  withdrawRoute,
  readRoute,
  changeRoute,
  removeRoute,
  signOutRoute,
  resetRoute,
  readRulesRoute,
  changeRulesRoute,
];

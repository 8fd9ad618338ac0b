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
import { changeFactorRule, factorRules, readFactorRule } from '../../../core/users/sign-in-rules.ts';
import { roles } from '../../../core/users/user.ts';
import { versionOf } from '../../../core/version.ts';
import { flag, list, text, word } from '../../field.ts';
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

const base = { area: 'people', style: 'own', forUsers: true } as const;
const reads = { ...base, scope: 'account:read' } as const;
const writes = { ...base, scope: 'account:write' } as const;
const manualOnly = 'sign in from a page or a program; the tester sends no cookies';
const person_id = text({ max: 60, about: 'Id of the person.' });
const email = text({ max: 254, about: 'E-mail address.', example: 'budi@reseller.example' });
const role = word(roles, 'Role: owner, staff with scopes, or read_only.');
const scopes = list({ max: 50, about: 'What staff may do.', example: ['domains:write', 'dns:write'] });
const { person_id: id } = memberExample;

const listRoute = route({
  ...reads,
  method: 'GET',
  path: '/people',
  hasTotal: true,
  summary: 'List people',
  description: 'Everybody who can sign in to the account, by address.',
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
  path: '/people',
  sudo: true,
  secret: true,
  summary: 'Invite somebody',
  description:
    'Mails a link to the address, good once, for 24 hours: a new user exists only when it is used. Where the service sends no mail, the answer has the code, which only a user who exists already can redeem. Nobody gives more than the own role has. Whoever comes by it is of the same hand as who invited: it says no second yes to the other.',
  input: z.object({ email, role, scopes: scopes.optional() }),
  output: userInvitationView.extend({
    code: z.string().nullable().describe('The code, shown this once; null: it was mailed to the address.'),
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
  path: '/invited_people',
  hasTotal: true,
  summary: 'List invitations of people',
  description: 'Those that can still be used, newest first.',
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
  path: '/invited_people/{person_invitation_id}',
  summary: 'Withdraw an invitation of a person',
  description: 'Its code opens nothing any more.',
  input: z.object({ person_invitation_id: text({ max: 60, about: 'Id of the invitation.' }) }),
  output: z.object({ withdrawn: z.boolean().describe('Always true.') }),
  errors: ['not_found'],
  example: {
    input: { person_invitation_id: invitationExample.person_invitation_id },
    output: { withdrawn: true },
    first: manualOnly,
  },
  async answer(ctx, caller, input) {
    await withdrawInvitation(ctx, caller, input.person_invitation_id);
    return { withdrawn: true };
  },
});

const readRoute = route({
  ...reads,
  method: 'GET',
  path: '/people/{person_id}',
  hasETag: true,
  summary: 'Read a person',
  description:
    'What the person may do in the account, and when it was there last. `ETag` is the version of the former, for If-Match.',
  input: z.object({ person_id }),
  output: memberView,
  errors: ['not_found'],
  example: { input: { person_id: id }, output: memberExample, first: manualOnly },
  async answer(ctx, caller, input) {
    const member = await readMember(ctx, caller, input.person_id);
    return withVersion(showMember(member), versionOf(memberVersion(member)));
  },
});

const changeRoute = route({
  ...writes,
  method: 'PUT',
  path: '/people/{person_id}',
  sudo: true,
  summary: 'Change or suspend a person',
  description:
    'Role, scopes, or `suspended`; what is left out stays. The sessions of the person in this account end, and so do invitations that it made. The last owner stays one. With If-Match only while it is as you read it; otherwise 412.',
  input: z.object({
    person_id,
    role: role.optional(),
    scopes: scopes.optional(),
    suspended: flag('Whether the person is kept out of the account.').optional(),
  }),
  output: memberView,
  errors: ['not_found', 'conflict', 'precondition_failed'],
  example: { input: { person_id: id, role: 'read_only' }, output: memberExample, first: manualOnly },
  async answer(ctx, caller, { person_id: userId, suspended: isSuspended, ...change }) {
    return showMember(
      await changeMember(ctx, caller, userId, { ...change, isSuspended, expected: expectedVersion(caller) }),
    );
  },
});

const removeRoute = route({
  ...writes,
  method: 'DELETE',
  path: '/people/{person_id}',
  sudo: true,
  summary: 'Remove a person',
  description:
    'The person leaves the account: sessions there end, and invitations that it made. Keys that it made stay. The last owner cannot leave.',
  input: z.object({ person_id }),
  output: z.object({ removed: z.boolean().describe('Always true.') }),
  errors: ['not_found', 'conflict'],
  example: { input: { person_id: id }, output: { removed: true }, first: manualOnly },
  async answer(ctx, caller, input) {
    await removeMember(ctx, caller, input.person_id);
    return { removed: true };
  },
});

const signOutRoute = route({
  ...writes,
  method: 'DELETE',
  path: '/people/{person_id}/sessions',
  sudo: true,
  summary: 'Sign a person out',
  description: 'Ends the sessions of the person in this account; in every process within five seconds.',
  input: z.object({ person_id }),
  output: z.object({ ended: z.int().describe('How many sessions ended.') }),
  errors: ['not_found'],
  example: { input: { person_id: id }, output: { ended: 1 }, first: manualOnly },
  answer: async (ctx, caller, input) => ({ ended: await endMemberSessions(ctx, caller, input.person_id) }),
});

const resetRoute = route({
  ...writes,
  method: 'DELETE',
  path: '/people/{person_id}/factors',
  sudo: true,
  summary: "Remove a person's second factors",
  description:
    'For who has lost them: passkeys, authenticator and recovery codes go 24 hours later, with every session. Until then the person sees it, is told by mail, and can keep them (`DELETE /me/factor_reset`). Not for who signs in to other accounts too.',
  input: z.object({ person_id }),
  output: z.object({ factors_end_at: z.string().describe('When they are removed.') }),
  errors: ['not_found', 'conflict'],
  example: { input: { person_id: id }, output: { factors_end_at: '2026-11-16T09:00:00Z' }, first: manualOnly },
  async answer(ctx, caller, input) {
    const { due_at } = await resetFactors(ctx, caller, input.person_id);
    return { factors_end_at: instantText(due_at) };
  },
});

const rulesView = z
  .object({ second_factor: z.enum(factorRules).describe('Who needs one, within seven days.') })
  .meta({ id: 'SignInRules', description: 'What the account demands of its people.' });

const readRulesRoute = route({
  ...reads,
  method: 'GET',
  path: '/sign_in_rules',
  summary: 'Read what is demanded of people',
  description: 'Of whom the account demands a second factor.',
  input: z.object({}),
  output: rulesView,
  errors: [],
  example: { output: { second_factor: 'owners' }, first: manualOnly },
  answer: async (ctx, caller) => ({ second_factor: await readFactorRule(ctx, caller) }),
});

const changeRulesRoute = route({
  ...writes,
  scope: 'full',
  method: 'PUT',
  path: '/sign_in_rules',
  sudo: true,
  summary: 'Demand a second factor of everybody',
  description: 'Or of owners alone, who need one anyway. Who has none gets seven days.',
  input: z.object({ second_factor: word(factorRules, 'Who needs one: owners, or everybody.') }),
  output: rulesView,
  errors: [],
  example: { input: { second_factor: 'everybody' }, output: { second_factor: 'everybody' }, first: manualOnly },
  answer: async (ctx, caller, input) => ({
    second_factor: await changeFactorRule(ctx, caller, input.second_factor),
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

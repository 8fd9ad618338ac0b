import { z } from 'zod';
import { passwordLimits } from '../../../core/accounts/password.ts';
import { acceptInvitation } from '../../../core/invitations/accept.ts';
import { createInvitation, readInvitations } from '../../../core/invitations/create.ts';
import { type Invitation, statusOf } from '../../../core/invitations/invitation.ts';
import { id, instant, text } from '../../field.ts';
import { type Route, route } from '../../route.ts';
import { instantOrNull, instantText } from '../../wire.ts';
import { createdKeyView, keyExample, showCreatedKey } from '../account/key-view.ts';
import { ip_whitelist, keyOf, label, scopes } from '../account/keys.ts';

const reseller_id = id('Id of the sub-reseller.');

const invitationView = z
  .object({
    invitation_id: z.string(),
    reseller_id: z.string(),
    status: z.enum(['open', 'accepted', 'expired', 'dead']).describe('dead: too many wrong passwords.'),
    created_at: z.string(),
    expires_at: z.string(),
    accepted_at: z.string().nullable(),
    accepted_address: z.string().nullable().describe('The address from which it was accepted.'),
    key_id: z.string().nullable(),
  })
  .meta({ id: 'Invitation', description: 'An invitation for a new reseller.' });
const createdView = invitationView.extend({
  token: z.string().describe('Shown only once. Give it to the sub-reseller over a secure channel.'),
});

function show(invitation: Invitation, now: Date): z.output<typeof invitationView> {
  return {
    invitation_id: invitation.id,
    reseller_id: invitation.reseller_id,
    status: statusOf(invitation, now),
    created_at: instantText(invitation.created_at),
    expires_at: instantText(invitation.expires_at),
    accepted_at: instantOrNull(invitation.accepted_at),
    accepted_address: invitation.accepted_address,
    key_id: invitation.key_id,
  };
}

function showCreated(made: Invitation & { token: string }): z.output<typeof createdView> {
  return { ...show(made, made.created_at), token: made.token };
}

const example: z.output<typeof invitationView> = {
  invitation_id: 'inv_06gxsvmka9v7qbwbdq2svf8e6g',
  reseller_id: '1001',
  status: 'open',
  created_at: '2026-11-15T09:00:00Z',
  expires_at: '2026-11-16T09:00:00Z',
  accepted_at: null,
  accepted_address: null,
  key_id: null,
};

const createInvitationRoute = route({
  method: 'POST',
  path: '/resellers/{reseller_id}/invitations',
  sudo: true,
  area: 'resellers',
  // The invitation creates a key with full rights, so a narrower key must not create it.
  scope: 'full',
  style: 'own',
  secret: true,
  summary: 'Invite a sub-reseller to create its first key',
  description:
    'Creates an invitation for a direct sub-reseller. It can be used once, within 24 hours, with the password of the sub-reseller (the initial or a temporary one).',
  input: z.object({ reseller_id }),
  output: createdView,
  errors: ['not_found', 'conflict'],
  example: {
    input: { reseller_id: '1001' },
    output: { ...example, token: 'nh_Qm4x9uT2u0o0xq3cJ6k0a9hYwVx6sZl8rB5nE7dF1gA' },
  },
  render: showCreated,
  answer: async (ctx, caller, input) => showCreated(await createInvitation(ctx, caller, input.reseller_id)),
});

const listInvitationsRoute = route({
  method: 'GET',
  path: '/resellers/{reseller_id}/invitations',
  area: 'resellers',
  style: 'own',
  summary: 'List the invitations of a sub-reseller',
  description: 'The latest 100, newest first, with their state and when and from where they were accepted.',
  input: z.object({ reseller_id }),
  output: z.array(invitationView),
  errors: ['not_found'],
  example: { input: { reseller_id: '1001' }, output: [example] },
  async answer(ctx, caller, input) {
    const found = await readInvitations(ctx, caller, input.reseller_id);
    return found.map((invitation) => show(invitation, ctx.wall.now()));
  },
});

const acceptInvitationRoute = route({
  method: 'POST',
  path: '/invitations/accept',
  area: 'common',
  style: 'own',
  isPublic: true,
  secret: true,
  summary: 'Accept an invitation',
  description:
    'Needs no credentials: the invitation and the password of the invited account are the proof. Creates the first key of the account for the given addresses, and returns it once. Events and audit logs of both accounts have the address and time. Five wrong passwords end the invitation.',
  input: z.object({
    token: text({ max: 100, about: 'The invitation.', example: 'nh_Qm4x9uT2u0o0xq3cJ6k0a9hYwVx6sZl8rB5nE7dF1gA' }),
    password: text({
      max: passwordLimits.maxLength,
      about: 'The password of the invited account, or its temporary password.',
    }),
    label,
    ip_whitelist,
    scopes: scopes.optional(),
    expires_at: instant('When the key expires.').optional(),
  }),
  output: createdKeyView.extend({ reseller_id: z.string() }),
  errors: ['invalid_argument', 'unauthorized'],
  example: {
    input: {
      token: 'nh_Qm4x9uT2u0o0xq3cJ6k0a9hYwVx6sZl8rB5nE7dF1gA',
      password: 'w7Rt3mQxK9hPzB4n',
      label: 'first key',
      ip_whitelist: ['192.0.2.10'],
    },
    first: 'enter the token of an invitation, and the password of its account',
    output: { ...keyExample, reseller_id: '1001', api_key: 'nh_v7sN2kQm4x9uT2u0o0xq3cJ6k0a9hYwVx6sZl8rB5nE' },
  },
  async answer(ctx, caller, input) {
    const key = await acceptInvitation(ctx, caller, keyOf(input));
    return { ...showCreatedKey(key), reseller_id: key.reseller_id };
  },
});

export const invitationRoutes: readonly Route[] = [createInvitationRoute, listInvitationsRoute, acceptInvitationRoute];

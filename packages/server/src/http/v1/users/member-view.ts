import { z } from 'zod';
import type { UserCode } from '../../../core/users/code.sql.ts';
import type { Member } from '../../../core/users/member.sql.ts';
import { roles } from '../../../core/users/user.ts';
import { instantText } from '../../wire.ts';

const orNull = (at: Date | null) => at && instantText(at);

export const memberView = z
  .object({
    person_id: z.string().describe('The person.'),
    email: z.string(),
    name: z.string(),
    role: z.enum(roles),
    scopes: z.array(z.string()),
    suspended_at: z.string().nullable().describe('Since when the person is kept out of the account; null: it is not.'),
    joined_at: z.string().describe('Since when it belongs to the account.'),
    last_seen_at: z.string().nullable(),
    sessions: z.int().describe('Open sessions in the account.'),
    has_factor: z.boolean().describe('Whether it has a passkey or an authenticator.'),
    factors_end_at: z.string().nullable().describe('When its second factors are removed, as somebody asked.'),
  })
  .meta({ id: 'Member', description: 'Somebody who signs in to the account.' });

export const showMember = (row: Member): z.output<typeof memberView> => ({
  person_id: row.person_id,
  email: row.email,
  name: row.name,
  role: row.role,
  scopes: row.scopes,
  suspended_at: orNull(row.suspended_at),
  joined_at: instantText(row.joined_at),
  last_seen_at: orNull(row.last_seen_at),
  sessions: row.sessions,
  has_factor: row.has_factor,
  factors_end_at: orNull(row.factors_end_at),
});

export const memberExample: z.output<typeof memberView> = {
  person_id: 'per_06gxsvmka9v7qbwbdq2svf8e6g',
  email: 'budi@reseller.example',
  name: 'Budi',
  role: 'staff',
  scopes: ['domains:write', 'dns:write'],
  suspended_at: null,
  joined_at: '2026-11-15T09:00:00Z',
  last_seen_at: '2026-11-15T10:00:00Z',
  sessions: 1,
  has_factor: true,
  factors_end_at: null,
};

export const userInvitationView = z
  .object({
    person_invitation_id: z.string().describe('The invitation.'),
    email: z.string(),
    role: z.enum(roles),
    scopes: z.array(z.string()),
    created_at: z.string(),
    expires_at: z.string(),
  })
  .meta({ id: 'PersonInvitation', description: 'An invitation to sign in to the account that was not used yet.' });

export const showInvitation = (
  row: Pick<UserCode, 'id' | 'email' | 'role' | 'scopes' | 'created_at' | 'expires_at'>,
): z.output<typeof userInvitationView> => ({
  person_invitation_id: row.id,
  email: row.email,
  role: row.role!,
  scopes: row.scopes!,
  created_at: instantText(row.created_at),
  expires_at: instantText(row.expires_at),
});

export const invitationExample: z.output<typeof userInvitationView> = {
  person_invitation_id: 'code_06gxsvmka9v7qbwbdq2svf8e6g',
  email: 'budi@reseller.example',
  role: 'staff',
  scopes: ['domains:write', 'dns:write'],
  created_at: '2026-11-15T09:00:00Z',
  expires_at: '2026-11-16T09:00:00Z',
};

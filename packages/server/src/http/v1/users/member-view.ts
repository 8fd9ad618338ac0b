import { z } from 'zod';
import type { UserCode } from '../../../core/users/code.sql.ts';
import type { Member } from '../../../core/users/member.sql.ts';
import { roles } from '../../../core/users/user.ts';
import { instantText } from '../../wire.ts';

const orNull = (at: Date | null) => at && instantText(at);

export const memberView = z
  .object({
    user_id: z.string().describe('Id of the user.'),
    email: z.string(),
    name: z.string(),
    role: z.enum(roles),
    scopes: z.array(z.string()),
    suspended_at: z.string().nullable().describe('When the user was suspended from the account. Null: not suspended.'),
    joined_at: z.string().describe('When the user joined the account.'),
    last_seen_at: z.string().nullable(),
    sessions: z.int().describe('Number of open sessions in the account.'),
    has_factor: z.boolean().describe('Whether the user has a passkey or an authenticator.'),
    factors_end_at: z.string().nullable().describe('When its second factors are removed, on request.'),
  })
  .meta({ id: 'User', description: 'A user of the account.' });

export const showMember = (row: Member): z.output<typeof memberView> => ({
  user_id: row.person_id,
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
  user_id: 'per_06gxsvmka9v7qbwbdq2svf8e6g',
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
    user_invitation_id: z.string().describe('Id of the invitation.'),
    email: z.string(),
    role: z.enum(roles),
    scopes: z.array(z.string()),
    created_at: z.string(),
    expires_at: z.string(),
  })
  .meta({ id: 'UserInvitation', description: 'An unused invitation to the account.' });

export const showInvitation = (
  row: Pick<UserCode, 'id' | 'email' | 'role' | 'scopes' | 'created_at' | 'expires_at'>,
): z.output<typeof userInvitationView> => ({
  user_invitation_id: row.id,
  email: row.email,
  role: row.role!,
  scopes: row.scopes!,
  created_at: instantText(row.created_at),
  expires_at: instantText(row.expires_at),
});

export const invitationExample: z.output<typeof userInvitationView> = {
  user_invitation_id: 'code_06gxsvmka9v7qbwbdq2svf8e6g',
  email: 'budi@reseller.example',
  role: 'staff',
  scopes: ['domains:write', 'dns:write'],
  created_at: '2026-11-15T09:00:00Z',
  expires_at: '2026-11-16T09:00:00Z',
};

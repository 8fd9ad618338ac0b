export interface Invitation {
  readonly id: string;
  readonly reseller_id: string;
  readonly parent_id: string;
  readonly created_at: Date;
  readonly expires_at: Date;
  readonly misses: number;
  readonly accepted_at: Date | null;
  readonly accepted_address: string | null;
  readonly key_id: string | null;
}

export const invitationLimits = {
  ttlMs: 24 * 3_600_000,
  /** After this many wrong passwords it is invalid. */
  misses: 5,
  openPerReseller: 10,
  shown: 100,
};

type InvitationStatus = 'open' | 'accepted' | 'expired' | 'dead';

export function statusOf(invitation: Invitation, now: Date): InvitationStatus {
  if (invitation.accepted_at) return 'accepted';
  if (invitation.misses >= invitationLimits.misses) return 'dead';
  return invitation.expires_at <= now ? 'expired' : 'open';
}

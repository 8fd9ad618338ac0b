import { badField } from '../errors.ts';
import { checkScopes } from '../keys/key.ts';

/** A user who signs in, possibly to several accounts. */
export interface User {
  readonly id: string;
  readonly email: string;
  readonly name: string;
  readonly language: Language;
  readonly time_zone: string;
  readonly disabled_at: Date | null;
  readonly created_at: Date;
}

export const languages = ['en', 'id'] as const;
export type Language = (typeof languages)[number];

export const roles = ['owner', 'staff', 'read_only'] as const;
export type Role = (typeof roles)[number];

/** The rights of a user in one account. */
export interface MembershipRow {
  readonly reseller_id: string;
  readonly company: string;
  readonly role: Role;
  readonly scopes: string[];
  /** Null: the operator's. */
  readonly parent_id: string | null;
  /** From then on the account is closed to the user, who has no second factor; null: has one, or needs none. */
  readonly factor_due_at: Date | null;
}

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
const dayMs = 24 * hourMs;

export const userLimits = {
  nameLength: 100,
  browserLength: 200,
  /**
   * Wrong passwords for one login from one network, or from one known session or browser; after that one more try whenever its share of
   * this time has passed.
   */
  guesses: 10,
  /** The same for one login from all unknown networks together. */
  guessesFromUnknown: 20,
  /** Wrong two-factor codes for one user from all known browsers together; each has as many as `guesses`. */
  codeGuessesOfBrowsers: 30,
  guessesWithinMinutes: 15,
  codeTtlMs: dayMs,
  /** For a code that was sent by mail. */
  mailedCodeTtlMs: 30 * minuteMs,
  /** Password reset requests within the same time: for one email address, and from one network address. */
  recoveryRequests: 3,
  recoveryRequestsOfAddress: 30,
  /** After this many wrong passwords the code is invalid. */
  codeMisses: 5,
  passkeys: 20,
  recoveryCodes: 10,
  challengeTtlMs: 5 * minuteMs,
  /** Time for two-factor authentication. */
  pendingTwoFactorTtlMs: 10 * minuteMs,
  /** How long a confirmed identity counts. */
  sudoMs: 10 * minuteMs,
  /** How long owners and operators may go without a second factor. */
  factorWithinMs: 7 * dayMs,
  /** Time in which a user can cancel a two-factor reset that another user requested. */
  factorResetMs: dayMs,
  members: 200,
  invitations: 50,
  /** Above this number the oldest end. */
  sessions: 50,
};

/** How long a session may be unused, and its maximum age. */
export const sessionLifetimes = {
  member: { idleMs: 12 * hourMs, wholeMs: 30 * dayMs },
  operator: { idleMs: hourMs, wholeMs: 12 * hourMs },
  /**
   * After this time the next request gets a new secret; the old one still works for concurrent requests. Other changes of the secret
   * have no overlap.
   */
  secretMs: dayMs,
  overlapMs: minuteMs,
};

export const sessionLifetimeOf = (account: { readonly parent_id: string | null }) =>
  account.parent_id === null ? sessionLifetimes.operator : sessionLifetimes.member;

/** Scopes of the roles: an owner has all, a read-only user all read scopes, staff the named ones. */
export function scopesOf(role: Role, named: readonly string[] | undefined): string[] {
  if (role === 'staff') {
    if (!named?.length) throw badField('scopes', 'Choose at least one permission (scope).', 'required');
    return checkScopes(named);
  }
  if (named?.length) throw badField('scopes', 'Only staff users can have their own scopes.', 'unexpected');
  return [role === 'owner' ? 'full' : 'read'];
}

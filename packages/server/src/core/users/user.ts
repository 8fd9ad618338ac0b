import { badField } from '../errors.ts';
import { checkScopes } from '../keys/key.ts';

/** Somebody who signs in. One person may be a member of several accounts. */
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

/** What a person may do in one account. */
export interface MembershipRow {
  readonly reseller_id: string;
  readonly company: string;
  readonly role: Role;
  readonly scopes: string[];
  /** Null: the operator's. */
  readonly parent_id: string | null;
  /** From then on the account is closed to the person, which has no second factor; null: it has, or needs none. */
  readonly factor_due_at: Date | null;
}

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
const dayMs = 24 * hourMs;

export const userLimits = {
  nameLength: 100,
  browserLength: 200,
  /** Wrong passwords for one login from one network, or from one known session or browser; then one more try whenever its share of this time has passed. */
  guesses: 10,
  /** The same for one login from all networks together that it is not known in. */
  guessesFromUnknown: 20,
  /** Wrong codes of a second factor for one user from all known browsers together; each has as many as `guesses`. */
  codeGuessesOfBrowsers: 30,
  guessesWithinMinutes: 15,
  codeLivesMs: dayMs,
  /** Of a code that was sent by mail. */
  mailedCodeLivesMs: 30 * minuteMs,
  /** Wishes for another password within the same time: for one e-mail address, and from one network address. */
  recoveryRequests: 3,
  recoveryRequestsOfAddress: 30,
  /** Wrong passwords with one code; then it is dead. */
  codeMisses: 5,
  passkeys: 20,
  recoveryCodes: 10,
  challengeLivesMs: 5 * minuteMs,
  /** For the second step of signing in. */
  halfLivesMs: 10 * minuteMs,
  /** So long a proof counts. */
  sudoMs: 10 * minuteMs,
  /** So long owners and operators may go without a second factor. */
  factorWithinMs: 7 * dayMs,
  /** So long a person can keep second factors that somebody else wants removed. */
  factorResetMs: dayMs,
  members: 200,
  invitations: 50,
  /** Beyond so many the oldest end. */
  sessions: 50,
  requestsPerMinute: 600,
};

/** How long a session may be unused, and how long it lives at all. */
export const sessionLives = {
  member: { idleMs: 12 * hourMs, wholeMs: 30 * dayMs },
  operator: { idleMs: hourMs, wholeMs: 12 * hourMs },
  /** After so long the next request gets a new secret; the old one still counts for requests that are under way. Every other change of the secret has no overlap. */
  secretMs: dayMs,
  overlapMs: minuteMs,
};

export const livesOf = (account: { readonly parent_id: string | null }) =>
  account.parent_id === null ? sessionLives.operator : sessionLives.member;

/** Roles are scopes: an owner may everything, who only reads may read everything, staff what is named. */
export function scopesOf(role: Role, named: readonly string[] | undefined): string[] {
  if (role === 'staff') {
    if (!named?.length) throw badField('scopes', 'Staff users need at least one scope.', 'required');
    return checkScopes(named);
  }
  if (named?.length) throw badField('scopes', 'Only staff users can have their own scopes.', 'unexpected');
  return [role === 'owner' ? 'full' : 'read'];
}

import { type Autocommit, type Reader, type Sql, sql, type Tx } from '@namehold/postgres';
import type { Sessions } from '../tables/waiting-requests.sql.ts';
import { type Role, sessionLifetimes, userLimits } from './user.ts';

/** A session with everything that authenticates it: user, account, role, expiry. */
export interface SessionCredential {
  readonly session_id: string;
  readonly person_id: string;
  readonly person_name: string;
  readonly reseller_id: string;
  readonly parent_id: string | null;
  readonly inactive_place: number | null;
  readonly role: Role;
  readonly scopes: string[];
  readonly last_seen_at: Date;
  readonly ends_at: Date;
  readonly rotated_at: Date;
  /** Set: two-factor authentication is still required. */
  readonly awaits_factor_until: Date | null;
  readonly sudo_until: Date | null;
  readonly factor_due_at: Date | null;
  /** The brand's host where it began; it is valid only there. */
  readonly host: string | null;
  readonly passkeys: number;
  readonly passkeys_here: number;
  readonly has_totp: boolean;
  /** False: it was found by the secret from before the last change. */
  readonly is_newest: boolean;
}

/** The lookup for authentication. A user who left the account, or is disabled, has no session in it. */
export async function findSession(db: Reader, fingerprint: string, now: Date): Promise<SessionCredential | undefined> {
  return db.maybe<SessionCredential>(sql`
    select s.id as session_id, s.person_id, p.name as person_name, s.reseller_id, r.parent_id, chain_inactive_place(r.id) as inactive_place, m.role, m.scopes,
      s.last_seen_at, s.ends_at, s.rotated_at, s.awaits_factor_until, s.sudo_until, m.factor_due_at, s.host,
      (select count(*) from passkey k where k.person_id = s.person_id)::int as passkeys,
      (select count(*) from passkey k where k.person_id = s.person_id and k.host is not distinct from s.host)::int as passkeys_here,
      exists (select from totp o where o.person_id = s.person_id and o.confirmed_at is not null) as has_totp, s.fingerprint = ${fingerprint} as is_newest
    from person_session s join person p on p.id = s.person_id join membership m on m.person_id = s.person_id and m.reseller_id = s.reseller_id and m.suspended_at is null
      join reseller r on r.id = s.reseller_id
    where (s.fingerprint = ${fingerprint} or (s.previous_fingerprint = ${fingerprint} and s.previous_expires_at > ${now}))
      and s.ended_at is null and s.ends_at > ${now} and p.disabled_at is null and r.deleted_at is null`);
}

export interface SessionRow {
  readonly id: string;
  readonly reseller_id: string;
  readonly company: string;
  readonly created_at: Date;
  readonly last_seen_at: Date;
  readonly ends_at: Date;
  readonly address: string;
  readonly browser: string;
}

interface NewSession {
  readonly id: string;
  readonly userId: string;
  readonly resellerId: string;
  readonly fingerprint: string;
  readonly createdAt: Date;
  readonly endsAt: Date;
  readonly awaitsFactorUntil: Date | null;
  readonly sudoUntil: Date | null;
  readonly host: string | null;
  readonly address: string;
  readonly browser: string;
}

/** Ends the oldest sessions above the limit. */
export async function insertSession(tx: Tx, session: NewSession): Promise<void> {
  await tx.run(sql`
    update person_session set ended_at = ${session.createdAt} where id in (
      select id from person_session where person_id = ${session.userId} and ended_at is null
      order by created_at desc, id desc offset ${userLimits.sessions - 1})`);
  await tx.run(sql`
    insert into person_session (id, person_id, reseller_id, fingerprint, rotated_at, created_at, last_seen_at, ends_at, awaits_factor_until, sudo_until, host, address, browser)
    values (${session.id}, ${session.userId}, ${session.resellerId}, ${session.fingerprint}, ${session.createdAt}, ${session.createdAt}, ${session.createdAt},
            ${session.endsAt}, ${session.awaitsFactorUntil}, ${session.sudoUntil}, ${session.host}, ${session.address}, ${session.browser})`);
}

/** Open sessions, the newest first. */
export async function listSessions(db: Reader, userId: string, now: Date): Promise<SessionRow[]> {
  return db.many<SessionRow>(sql`
    select s.id, s.reseller_id, r.company, s.created_at, s.last_seen_at, s.ends_at, s.address, s.browser
    from person_session s join reseller r on r.id = s.reseller_id
    where s.person_id = ${userId} and s.ended_at is null and s.ends_at > ${now} and s.awaits_factor_until is null order by s.created_at desc, s.id desc`);
}

export async function findOwnSession(db: Reader, userId: string, id: string): Promise<SessionRow | undefined> {
  return db.maybe<SessionRow>(sql`
    select s.id, s.reseller_id, r.company, s.created_at, s.last_seen_at, s.ends_at, s.address, s.browser
    from person_session s join reseller r on r.id = s.reseller_id where s.id = ${id} and s.person_id = ${userId}`);
}

/** Ends the secret from before the last timed rotation: during its overlap a copied cookie would outlive the end of the other sessions. */
export const withoutOverlap = sql`previous_fingerprint = null, previous_expires_at = null`;

/**
 * Ends all sessions of a user: except one, only one, or only those in one account. Returns how many ended. The remaining one loses its
 * rotation overlap.
 */
export async function endSessions(tx: Tx, userId: string, which: Sessions, now: Date): Promise<number> {
  if (which.but !== undefined)
    await tx.run(sql`update person_session set ${withoutOverlap} where id = ${which.but} and person_id = ${userId}`);
  return tx.run(sql`
    update person_session set ended_at = ${now} where person_id = ${userId} and ended_at is null and ends_at > ${now}
      and (${which.only ?? null}::text is null or id = ${which.only ?? null}) and (${which.but ?? null}::text is null or id <> ${which.but ?? null})
      and (${which.resellerId ?? null}::bigint is null or reseller_id = ${which.resellerId ?? null}::bigint)`);
}

/** Also those that are over: what they started may still wait. */
export async function recordRevocation(tx: Tx, userId: string, which: Sessions, now: Date): Promise<void> {
  await tx.run(sql`
    update person_session set revoked_at = ${now} where person_id = ${userId} and revoked_at is null
      and (${which.only ?? null}::text is null or id = ${which.only ?? null}) and (${which.but ?? null}::text is null or id <> ${which.but ?? null})
      and (${which.resellerId ?? null}::bigint is null or reseller_id = ${which.resellerId ?? null}::bigint)`);
}

/** Whether the session in this column was revoked. */
export const isSessionRevoked = (column: Sql): Sql =>
  sql`exists (select from person_session s where s.id = ${column} and s.revoked_at is not null)`;

/** Ends all sessions begun at a host that is no longer a brand's. */
export async function endSessionsAt(tx: Tx, host: string, now: Date): Promise<void> {
  await tx.run(sql`update person_session set ended_at = ${now} where host = ${host} and ended_at is null`);
}

export interface NewSecret {
  readonly fingerprint: string;
  readonly now: Date;
}

/**
 * Timed rotation, with an overlap for concurrent requests: only the holder of the newest secret gets the next one, so two tabs do not
 * take it from each other.
 */
export async function rotateSession(alone: Autocommit, id: string, newest: string, next: NewSecret): Promise<boolean> {
  const overlapEnds = new Date(next.now.getTime() + sessionLifetimes.overlapMs);
  const changed = await alone.run(sql`
    update person_session set previous_fingerprint = fingerprint, previous_expires_at = ${overlapEnds}, fingerprint = ${next.fingerprint},
      rotated_at = ${next.now}
    where id = ${id} and fingerprint = ${newest} and ended_at is null`);
  return changed === 1;
}

/**
 * A change of rights changes the secret too, and the old one ends at once: only timed rotation has an overlap. The limits of another
 * account apply from now on if they are shorter. Undefined: the session ended in the meantime, or the caller's secret was replaced.
 */
export async function renewSession(
  tx: Tx,
  of: {
    readonly id: string;
    readonly by: string | undefined;
    readonly resellerId: string;
    readonly endsBy: Date | null;
  },
  next: NewSecret,
): Promise<Date | undefined> {
  const renewed = await tx.maybe<{ ends_at: Date }>(sql`
    update person_session set ${withoutOverlap}, fingerprint = ${next.fingerprint}, rotated_at = ${next.now}, last_seen_at = ${next.now}, reseller_id = ${of.resellerId}, ends_at = least(ends_at, ${of.endsBy})
    where id = ${of.id} and ended_at is null
      and (fingerprint = ${of.by ?? null} or (previous_fingerprint = ${of.by ?? null} and previous_expires_at > ${next.now})) returning ends_at`);
  return renewed?.ends_at;
}

/** Records that the identity was just confirmed. False: the session ended in the meantime. */
export async function proveSession(tx: Tx, id: string, sudoUntil: Date): Promise<boolean> {
  const changed = await tx.run(sql`
    update person_session set awaits_factor_until = null, sudo_until = ${sudoUntil} where id = ${id} and ended_at is null`);
  return changed === 1;
}

interface SessionUse {
  readonly sessionId: string;
  readonly at: Date;
  readonly address: string;
}

/** Flushed in batches; one statement for all sessions. */
export async function recordSessionUses(tx: Tx, uses: readonly SessionUse[]): Promise<void> {
  await tx.run(sql`
    update person_session s set last_seen_at = u.at, address = u.address
    from unnest(${uses.map((u) => u.sessionId)}::text[], ${uses.map((u) => u.at)}::timestamptz[], ${uses.map((u) => u.address)}::text[])
      as u (id, at, address)
    where s.id = u.id and s.last_seen_at < u.at`);
}

/** Purges sessions that ended long ago; the audit log keeps the sign-ins. */
export async function deleteOldSessions(tx: Tx, before: Date, limit: number): Promise<number> {
  return tx.run(sql`
    delete from person_session where id in (
      select id from person_session where ends_at < ${before} order by ends_at limit ${limit})`);
}

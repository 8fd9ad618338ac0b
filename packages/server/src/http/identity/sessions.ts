import { allTenants, isWriteUnavailable } from '@namehold/postgres';
import type { FastifyRequest } from 'fastify';
import type { Config } from '../../config.ts';
import type { AppContext, BrandHost } from '../../core/app-context.ts';
import { idleMsOf } from '../../core/customers/own-session.ts';
import { type CustomerCredential, findCustomerSession } from '../../core/customers/sign-in.sql.ts';
import { scopesOfAccess } from '../../core/model/customer-access.ts';
import { freshSecret } from '../../core/users/begin-session.ts';
import { findSession, rotateSession, type SessionCredential } from '../../core/users/session.sql.ts';
import { isSessionSecret, sessionFingerprint } from '../../core/users/session-secret.ts';
import { sessionLifetimeOf, sessionLifetimes } from '../../core/users/user.ts';
import { hasSecondFactor, sudoMethods } from '../../core/users/verify-factor.ts';
import type { Identity, SessionStatus } from '../authenticate.ts';
import { badParameter, WireRefusal } from '../errors.ts';
import { refuseOtherPages } from '../foreign-page.ts';
import { sessionCookie, sessionSecretOf } from './session-cookie.ts';

/** `Basic` would make a browser open its own prompt. */
const challenge = { headers: { 'WWW-Authenticate': 'Namehold-Session' } };

export const notInSession = (sentence?: string) => new WireRefusal('unauthorized', sentence, challenge);

/** Whether the request uses a session. The console sends `Namehold-Console` with every call, also before sign-in. */
export function wantsSession(request: FastifyRequest, config: Config): boolean {
  const hasCookie = sessionSecretOf(request, config) !== undefined;
  const { authorization } = request.headers;
  if (hasCookie && authorization !== undefined) throw new WireRefusal('two_credentials');
  return hasCookie || (authorization === undefined && request.headers['namehold-console'] !== undefined);
}

/**
 * CSRF protection. Browsers send the cookie with requests from other sites, and calls accept form bodies. A session call therefore needs
 * a custom header and the same origin, for every method.
 */
export function refuseOutsideConsole(request: FastifyRequest, config: Config, brandHost: BrandHost | undefined): void {
  refuseOtherPages(request, config, brandHost);
  if (request.headers['namehold-console'] !== '1')
    throw badParameter('Namehold-Console', 'Must be 1 when a session is started or used.', 'required');
}

type KnownSession = SessionCredential | CustomerCredential;

/** Read for each request and never cached, so a session ends in every process with the commit that ends it. */
export class Sessions {
  readonly #ctx: AppContext;

  constructor(ctx: AppContext) {
    this.#ctx = ctx;
  }

  /** The caller. Undefined for unknown, ended, idle and signed-out sessions and for former members, which are not distinguished. */
  async identify(
    request: FastifyRequest,
    from: { readonly address: string; readonly brandHost: BrandHost | undefined },
    /** Absent: the secret is not rotated, because no response could carry a new one. */
    setCookie?: (cookie: string) => void,
    allowsPendingTwoFactor = false,
  ): Promise<Identity | undefined> {
    const { vault, config, wall } = this.#ctx;
    const secret = sessionSecretOf(request, config);
    if (secret === undefined || !isSessionSecret(vault, secret)) return undefined;
    const fingerprint = sessionFingerprint(vault, secret);
    const now = wall.now();
    const found = await this.#find(fingerprint, now);
    // A session that was started at one host is not valid at another.
    if (!found || found.ends_at <= now || found.host !== (from.brandHost?.host ?? null)) return undefined;
    const idleMs = 'customer_id' in found ? idleMsOf(found) : sessionLifetimeOf(found).idleMs;
    if (found.last_seen_at.getTime() + idleMs <= now.getTime()) return undefined;
    if (
      'awaits_factor_until' in found &&
      found.awaits_factor_until &&
      !(allowsPendingTwoFactor && found.awaits_factor_until > now)
    )
      return undefined;
    const isDue = found.is_newest && found.rotated_at.getTime() + sessionLifetimes.secretMs <= now.getTime();
    if (isDue && setCookie)
      await this.#rotate(found, fingerprint, setCookie).catch((error: unknown) => {
        // The next request finds the rotation due again; until then the current secret is valid.
        if (!isWriteUnavailable(error)) throw error;
      });
    return {
      resellerId: found.reseller_id,
      keyId: null,
      user: {
        id: found.person_id,
        name: found.person_name,
        sessionId: found.session_id,
        secretFingerprint: fingerprint,
      },
      customer: 'customer_id' in found ? { id: found.customer_id, access: found.access } : undefined,
      scopes: 'customer_id' in found ? scopesOfAccess(found.access) : found.scopes,
      // A customer of the operator account is not an operator.
      isOperator: found.parent_id === null && !('customer_id' in found),
      suspendedLevel: found.inactive_place,
      whitelist: undefined,
      sessionStatus: 'customer_id' in found ? customerSessionStatus(found, now) : sessionStatusOf(found, now),
      address: from.address,
    };
  }

  async #find(fingerprint: string, now: Date): Promise<KnownSession | undefined> {
    const db = this.#ctx.db.as(allTenants);
    return (await findSession(db, fingerprint, now)) ?? (await findCustomerSession(db, fingerprint, now));
  }

  /** Of two simultaneous requests one gets the new secret. The old secret stays valid for a minute. */
  async #rotate(found: KnownSession, newest: string, setCookie: (cookie: string) => void): Promise<void> {
    const { secret, ...next } = freshSecret(this.#ctx);
    const isChanged = await rotateSession(this.#ctx.db.autocommit(allTenants), found.session_id, newest, next);
    if (isChanged) setCookie(sessionCookie(this.#ctx.config, secret, found.ends_at, next.now));
  }
}

/** A customer has a password and no second factor. */
const customerSessionStatus = ({ sudo_until }: CustomerCredential, now: Date): SessionStatus => ({
  isSecondFactorOverdue: false,
  hasRecentAuthentication: sudo_until !== null && sudo_until > now,
  methods: ['password'],
});

const sessionStatusOf = (found: SessionCredential, now: Date): SessionStatus => ({
  isSecondFactorOverdue: found.factor_due_at !== null && found.factor_due_at <= now && !hasSecondFactor(found),
  hasRecentAuthentication: found.sudo_until !== null && found.sudo_until > now,
  methods: sudoMethods(found),
});

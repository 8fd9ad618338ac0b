import { allTenants, isWriteUnavailable } from '@namehold/base';
import type { FastifyRequest } from 'fastify';
import type { Config } from '../../config.ts';
import type { AppContext, BrandHost } from '../../core/app-context.ts';
import { scopesOfAccess } from '../../core/customers/access.ts';
import { idleMsOf } from '../../core/customers/own-session.ts';
import { type CustomerCredential, findCustomerSession } from '../../core/customers/sign-in.sql.ts';
import { freshSecret } from '../../core/users/begin-session.ts';
import { hasSecondFactor, sudoMethods } from '../../core/users/prove.ts';
import { findSession, rotateSession, type SessionCredential } from '../../core/users/session.sql.ts';
import { isSessionSecret, sessionFingerprint } from '../../core/users/session-secret.ts';
import { livesOf, sessionLives } from '../../core/users/user.ts';
import type { Identity, SessionStatus } from '../authenticate.ts';
import { badParameter, WireRefusal } from '../errors.ts';
import { refuseOtherPages } from '../foreign-page.ts';
import { sessionCookie, sessionSecretOf } from './session-cookie.ts';

/** `Basic` would make a browser open a prompt of its own. */
const challenge = { headers: { 'WWW-Authenticate': 'Namehold-Session' } };

export const notInSession = (sentence?: string) => new WireRefusal('unauthorized', sentence, challenge);

/** Whether somebody wants to be known by a session. A page says so in a header, also before it has one. */
export function wantsSession(request: FastifyRequest, config: Config): boolean {
  const hasCookie = sessionSecretOf(request, config) !== undefined;
  const { authorization } = request.headers;
  if (hasCookie && authorization !== undefined) throw new WireRefusal('two_credentials');
  return hasCookie || (authorization === undefined && request.headers['namehold-console'] !== undefined);
}

/**
 * A cookie is sent along whatever page asks, and contract calls read what forms send. So it counts with a header that only a script can
 * set, and only where the browser says that the script is of this very service; for every method.
 */
export function refuseOutsideConsole(request: FastifyRequest, config: Config, brandHost: BrandHost | undefined): void {
  refuseOtherPages(request, config, brandHost);
  if (request.headers['namehold-console'] !== '1')
    throw badParameter('Namehold-Console', 'Must be 1 when a session is started or used.', 'required');
}

type KnownSession = SessionCredential | CustomerCredential;

/** Read anew for each request and never remembered: a session that was ended, in whichever process, is over with the commit that ended it. */
export class Sessions {
  readonly #ctx: AppContext;

  constructor(ctx: AppContext) {
    this.#ctx = ctx;
  }

  /** Who is calling, or undefined: made up, ended, unused for too long, signed out and no longer a member are one case. */
  async identify(
    request: FastifyRequest,
    from: { readonly address: string; readonly brandHost: BrandHost | undefined },
    /** Without it the secret stays as it is, however old: there is no answer that could bring another. */
    setCookie?: (cookie: string) => void,
    opensHalf = false,
  ): Promise<Identity | undefined> {
    const { vault, config, wall } = this.#ctx;
    const secret = sessionSecretOf(request, config);
    if (secret === undefined || !isSessionSecret(vault, secret)) return undefined;
    const fingerprint = sessionFingerprint(vault, secret);
    const now = wall.now();
    const found = await this.#find(fingerprint, now);
    // What was begun at one host opens nothing at another.
    if (!found || found.ends_at <= now || found.host !== (from.brandHost?.host ?? null)) return undefined;
    const idleMs = 'customer_id' in found ? idleMsOf(found) : livesOf(found).idleMs;
    if (found.last_seen_at.getTime() + idleMs <= now.getTime()) return undefined;
    if ('awaits_factor_until' in found && found.awaits_factor_until && !(opensHalf && found.awaits_factor_until > now))
      return undefined;
    const isDue = found.is_newest && found.rotated_at.getTime() + sessionLives.secretMs <= now.getTime();
    if (isDue && setCookie)
      await this.#rotate(found, fingerprint, setCookie).catch((error: unknown) => {
        // The next request finds it due again; until then the present secret counts.
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
      // A customer of the operator is no operator.
      isOperator: found.parent_id === null && !('customer_id' in found),
      isAccountOpen: found.reseller_status === 'Active',
      whitelist: undefined,
      sessionStatus: 'customer_id' in found ? customerSessionStatus(found, now) : sessionStatusOf(found, now),
      address: from.address,
    };
  }

  async #find(fingerprint: string, now: Date): Promise<KnownSession | undefined> {
    const db = this.#ctx.db.as(allTenants);
    return (await findSession(db, fingerprint, now)) ?? (await findCustomerSession(db, fingerprint, now));
  }

  /** Of two requests at once one gets the new secret; the other one's still counts for a minute. */
  async #rotate(found: KnownSession, newest: string, setCookie: (cookie: string) => void): Promise<void> {
    const { secret, ...next } = freshSecret(this.#ctx);
    const isChanged = await rotateSession(this.#ctx.db.autocommit(allTenants), found.session_id, newest, next);
    if (isChanged) setCookie(sessionCookie(this.#ctx.config, secret, found.ends_at, next.now));
  }
}

/** A customer has its password, and no second factor. */
const customerSessionStatus = ({ sudo_until }: CustomerCredential, now: Date): SessionStatus => ({
  lacksFactor: false,
  isProven: sudo_until !== null && sudo_until > now,
  methods: ['password'],
});

const sessionStatusOf = (found: SessionCredential, now: Date): SessionStatus => ({
  lacksFactor: found.factor_due_at !== null && found.factor_due_at <= now && !hasSecondFactor(found),
  isProven: found.sudo_until !== null && found.sudo_until > now,
  methods: sudoMethods(found),
});

import { everyTenant, keepsNothing } from '@namehold/base';
import type { FastifyRequest } from 'fastify';
import type { Config } from '../../config.ts';
import { scopesOfAccess } from '../../core/customers/access.ts';
import { idleMsOf } from '../../core/customers/own-session.ts';
import { type CustomerCredential, findCustomerSession } from '../../core/customers/sign-in.sql.ts';
import type { House, Place } from '../../core/house.ts';
import { freshSecret } from '../../core/people/begin-session.ts';
import { livesOf, sessionLives } from '../../core/people/person.ts';
import { hasSecond, sudoMethods } from '../../core/people/prove.ts';
import { findSession, rotateSession, type SessionCredential } from '../../core/people/session.sql.ts';
import { isSessionSecret, sessionFingerprint } from '../../core/people/session-secret.ts';
import type { Identity, Standing } from '../authenticate.ts';
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
export function refuseOutsideConsole(request: FastifyRequest, config: Config, place: Place | undefined): void {
  refuseOtherPages(request, config, place);
  if (request.headers['namehold-console'] !== '1')
    throw badParameter('Namehold-Console', 'Must be 1 when a session is started or used.', 'required');
}

type KnownSession = SessionCredential | CustomerCredential;

/** Read anew for each request and never remembered: a session that was ended, in whichever process, is over with the commit that ended it. */
export class Sessions {
  readonly #house: House;

  constructor(house: House) {
    this.#house = house;
  }

  /** Who is calling, or undefined: made up, ended, unused for too long, signed out and no longer a member are one case. */
  async identify(
    request: FastifyRequest,
    from: { readonly address: string; readonly place: Place | undefined },
    /** Without it the secret stays as it is, however old: there is no answer that could bring another. */
    setCookie?: (cookie: string) => void,
    opensHalf = false,
  ): Promise<Identity | undefined> {
    const { vault, config, wall } = this.#house;
    const secret = sessionSecretOf(request, config);
    if (secret === undefined || !isSessionSecret(vault, secret)) return undefined;
    const fingerprint = sessionFingerprint(vault, secret);
    const now = wall.now();
    const found = await this.#find(fingerprint, now);
    // What was begun at one host opens nothing at another.
    if (!found || found.ends_at <= now || found.host !== (from.place?.host ?? null)) return undefined;
    const idleMs = 'customer_id' in found ? idleMsOf(found) : livesOf(found).idleMs;
    if (found.last_seen_at.getTime() + idleMs <= now.getTime()) return undefined;
    if ('awaits_factor_until' in found && found.awaits_factor_until && !(opensHalf && found.awaits_factor_until > now))
      return undefined;
    const isDue = found.is_newest && found.rotated_at.getTime() + sessionLives.secretMs <= now.getTime();
    if (isDue && setCookie)
      await this.#rotate(found, fingerprint, setCookie).catch((error: unknown) => {
        // The next request finds it due again; until then the present secret counts.
        if (!keepsNothing(error)) throw error;
      });
    return {
      resellerId: found.reseller_id,
      keyId: null,
      person: {
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
      standing: 'customer_id' in found ? standingOfCustomer(found, now) : standingOf(found, now),
      address: from.address,
    };
  }

  async #find(fingerprint: string, now: Date): Promise<KnownSession | undefined> {
    const db = this.#house.db.as(everyTenant);
    return (await findSession(db, fingerprint, now)) ?? (await findCustomerSession(db, fingerprint, now));
  }

  /** Of two requests at once one gets the new secret; the other one's still counts for a minute. */
  async #rotate(found: KnownSession, newest: string, setCookie: (cookie: string) => void): Promise<void> {
    const { secret, ...next } = freshSecret(this.#house);
    const isChanged = await rotateSession(this.#house.db.alone(everyTenant), found.session_id, newest, next);
    if (isChanged) setCookie(sessionCookie(this.#house.config, secret, found.ends_at, next.now));
  }
}

/** A customer has its password, and no second factor. */
const standingOfCustomer = ({ sudo_until }: CustomerCredential, now: Date): Standing => ({
  lacksFactor: false,
  isProven: sudo_until !== null && sudo_until > now,
  methods: ['password'],
});

const standingOf = (found: SessionCredential, now: Date): Standing => ({
  lacksFactor: found.factor_due_at !== null && found.factor_due_at <= now && !hasSecond(found),
  isProven: found.sudo_until !== null && found.sudo_until > now,
  methods: sudoMethods(found),
});

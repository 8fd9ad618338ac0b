import type { Tx } from '@namehold/base';
import { audit } from '../audit/audit.ts';
import { Refusal, sessionOver } from '../errors.ts';
import { type ActingPerson, type Actor, type House, hostOf } from '../house.ts';
import { type KnownDevice, knownFor } from './device.ts';
import type { GuessOrigin, Login } from './guessing.ts';
import { markWorkedIn, worksOnlyBelow } from './person.sql.ts';
import { livesOf, type MembershipRow, type Person, peopleLimits } from './person.ts';
import type { Method } from './prove.ts';
import { insertSession, type NewSecret, renewSession } from './session.sql.ts';
import { newSessionSecret, sessionFingerprint } from './session-secret.ts';

/** Where somebody signs in from. */
export interface Origin extends Pick<Actor, 'address' | 'requestId'> {
  readonly browser: string;
  /** Set where the browser has signed in before. */
  readonly device?: KnownDevice | undefined;
}

export const guessOrigin = (house: House, from: Origin, login: Login): GuessOrigin => ({
  address: from.address,
  known: knownFor(house.vault, from.device, login),
});

/** A session that is open, with the secret that goes into its cookie and nowhere else. */
export interface OpenedSession {
  readonly sessionId: string;
  readonly personId: string;
  /** Set where a customer signed in. */
  readonly customerId?: string | undefined;
  readonly secret: string;
  readonly endsAt: Date;
  /** Which password was proven, or need not be: the browser is known for it from now on. */
  readonly login?: Login;
  /** Set: it opens nothing yet but the second step, by one of these. */
  readonly methods?: readonly Method[];
}

export function freshSecret(house: House): NewSecret & { readonly secret: string } {
  const secret = newSessionSecret(house.vault);
  return { secret, fingerprint: sessionFingerprint(house.vault, secret), now: house.wall.now() };
}

export const actorIn = (
  from: Pick<Actor, 'address' | 'requestId'>,
  account: MembershipRow,
  person: Pick<Person, 'id' | 'name'>,
  sessionId: string,
): Actor => ({
  resellerId: account.reseller_id,
  keyId: null,
  person: { id: person.id, name: person.name, sessionId },
  address: from.address,
  requestId: from.requestId,
  scopes: account.scopes,
  isOperator: account.parent_id === null,
});

/**
 * Who has a brand's host under its hand could send its visitors elsewhere and read what they bring along. So nobody signs in there who has
 * work outside the account of that brand and those below it.
 */
export async function refuseStrangerAt(house: House, tx: Tx, personId: string, refusal: () => Refusal): Promise<void> {
  const { place } = house;
  if (place && !(await worksOnlyBelow(tx, personId, place.resellerId))) throw refusal();
}

/** In the words of a wrong password: whether it was right is not told here. */
const notHere = () => new Refusal('unauthorized', 'Incorrect email or password.');

export async function beginSession(
  house: House,
  tx: Tx,
  person: Pick<Person, 'id' | 'name'>,
  account: MembershipRow,
  from: Origin,
  methods: readonly Method[] = [],
): Promise<OpenedSession> {
  await refuseStrangerAt(house, tx, person.id, notHere);
  const { secret, fingerprint, now } = freshSecret(house);
  const id = house.ids.next('ses');
  const endsAt = new Date(now.getTime() + livesOf(account).wholeMs);
  const isHalf = methods.length > 0;
  const later = (ms: number) => new Date(now.getTime() + ms);
  const browser = from.browser.slice(0, peopleLimits.browserLength);
  await insertSession(tx, {
    id,
    personId: person.id,
    resellerId: account.reseller_id,
    fingerprint,
    createdAt: now,
    endsAt,
    awaitsFactorUntil: isHalf ? later(peopleLimits.halfLivesMs) : null,
    sudoUntil: isHalf ? null : later(peopleLimits.sudoMs),
    host: hostOf(house),
    address: from.address,
    browser,
  });
  await markWorkedIn(tx, person.id, account.reseller_id, now);
  const after = { browser, role: account.role, ...(isHalf ? { awaits: methods } : {}) };
  const change = { action: 'session.begin', objectType: 'session', objectId: id, after };
  await audit(house, tx, actorIn(from, account, person, id), change);
  return { sessionId: id, personId: person.id, secret, endsAt, ...(isHalf ? { methods } : {}) };
}

/** The same session with another secret, because what it may do has changed. */
export async function changeSecret(
  house: House,
  tx: Tx,
  session: ActingPerson,
  account: Pick<MembershipRow, 'reseller_id' | 'parent_id'>,
): Promise<OpenedSession> {
  const { secret, ...next } = freshSecret(house);
  const endsBy = new Date(next.now.getTime() + livesOf(account).wholeMs);
  const { sessionId, secretFingerprint: by } = session;
  const endsAt = await renewSession(tx, { id: sessionId, by, resellerId: account.reseller_id, endsBy }, next);
  if (!endsAt) throw sessionOver();
  return { sessionId, personId: session.id, secret, endsAt };
}

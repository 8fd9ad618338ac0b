import { everyTenant, type Tx } from '@namehold/base';
import { hashChosen } from '../accounts/chosen-password.ts';
import { type OpenedBy, opensEvenly } from '../accounts/password.ts';
import { audit } from '../audit/audit.ts';
import { type Actor, type House, hostOf } from '../house.ts';
import { freshSecret, guessOrigin, type OpenedSession, type Origin } from '../people/begin-session.ts';
import { unclaimedPasswords } from '../people/claim-account.sql.ts';
import { claimByMail, requireLasting } from '../people/claim-account.ts';
import { accountLogin, countGuess, forgiveGuess } from '../people/guessing.ts';
import { peopleLimits, sessionLives } from '../people/person.ts';
import { notSignedIn } from '../people/sign-in.ts';
import { actingCustomerId, scopesOfAccess } from './access.ts';
import {
  endCustomerSessions,
  findSigningCustomer,
  insertCustomerSession,
  lockVerifiedCustomer,
  type SigningCustomer,
  saveCustomerPassword,
} from './sign-in.sql.ts';

export interface AccountSignIn {
  readonly resellerId: string;
  readonly email: string;
  readonly password: string;
  readonly newPassword?: string | undefined;
  readonly isKept?: boolean | undefined;
}

/** A session, or a link that was mailed to the address of the account. */
export type AtAccount = OpenedSession | 'mailed';

/**
 * With an account named, who signs in is a customer of it; or, while nobody owns the account and the address is the account's own, its
 * first owner. Whatever is wrong, the answer is one, after the same statements and the same work.
 */
export async function signInAtAccount(house: House, from: Origin, given: AccountSignIn): Promise<AtAccount> {
  const login = accountLogin(given.resellerId, given.email);
  const origin = guessOrigin(house, from, login);
  await countGuess(house, login, origin);
  const db = house.db.as(everyTenant);
  const unclaimed = await unclaimedPasswords(db, given.resellerId, given.email);
  const customer = await findSigningCustomer(db, given.resellerId, given.email);
  const stored = unclaimed ?? customer;
  const by = await opensEvenly(stored, given.password, house.wall.now());
  if (!by) throw notSignedIn();
  await forgiveGuess(house, login, origin);
  if (unclaimed || !customer) {
    await claimByMail(house, from, given, stored!, by);
    return 'mailed';
  }
  return { ...(await openCustomer(house, from, customer, given, by)), login };
}

async function openCustomer(
  house: House,
  from: Origin,
  customer: SigningCustomer,
  given: AccountSignIn,
  by: OpenedBy,
): Promise<OpenedSession> {
  // At a brand's host there are no customers but its own.
  if (house.place && house.place.resellerId !== customer.reseller_id) throw notSignedIn();
  requireLasting(given, by);
  const hash =
    given.newPassword === undefined ? undefined : await hashChosen(given.newPassword, given.email, 'newPassword');
  const maker = by === 'temporary' ? customer.temp_password_maker : customer.password_maker;
  return house.db.transaction(everyTenant, async (tx) => {
    if (!(await lockVerifiedCustomer(tx, customer, by))) throw notSignedIn();
    if (hash !== undefined) {
      // A user of the account who leaves takes no customer's password along; a revoked key does.
      const password = { hash, maker: maker?.startsWith('key_') ? maker : null };
      await saveCustomerPassword(tx, customer.reseller_id, customer.id, password);
      await endCustomerSessions(tx, customer.id, {}, house.wall.now());
    }
    const how = { isKept: given.isKept ?? false, hasNewPassword: hash !== undefined, maker };
    return beginCustomerSession(house, tx, from, customer, how);
  });
}

const actorOf = (from: Pick<Actor, 'address' | 'requestId'>, customer: SigningCustomer, sessionId: string): Actor => ({
  resellerId: customer.reseller_id,
  keyId: null,
  person: { id: actingCustomerId(customer.id), name: customer.name, sessionId },
  customerId: customer.id,
  address: from.address,
  requestId: from.requestId,
  scopes: scopesOfAccess(customer.access),
  isOperator: false,
});

async function beginCustomerSession(
  house: House,
  tx: Tx,
  from: Origin,
  customer: SigningCustomer,
  how: { readonly isKept: boolean; readonly hasNewPassword: boolean; readonly maker: string | null },
): Promise<OpenedSession> {
  const { secret, fingerprint, now } = freshSecret(house);
  const id = house.ids.next('ses');
  const endsAt = new Date(now.getTime() + sessionLives.member.wholeMs);
  const browser = from.browser.slice(0, peopleLimits.browserLength);
  const whose = { customerId: customer.id, resellerId: customer.reseller_id };
  const sudoUntil = new Date(now.getTime() + peopleLimits.sudoMs);
  const where = { host: hostOf(house), address: from.address, browser };
  const session = {
    id,
    ...whose,
    fingerprint,
    createdAt: now,
    endsAt,
    isKept: how.isKept,
    sudoUntil,
    maker: how.maker,
    ...where,
  };
  await insertCustomerSession(tx, session, peopleLimits.sessions);
  const actor = actorOf(from, customer, id);
  if (how.hasNewPassword)
    await audit(house, tx, actor, { action: 'customer.password', objectType: 'customer', objectId: customer.id });
  const after = { browser, access: customer.access };
  await audit(house, tx, actor, { action: 'session.begin', objectType: 'session', objectId: id, after });
  return { sessionId: id, personId: actingCustomerId(customer.id), customerId: customer.id, secret, endsAt };
}

import { everyTenant, type Tx } from '@namehold/base';
import { hashChosen } from '../accounts/chosen-password.ts';
import { isPasswordOf } from '../accounts/password.ts';
import { audit } from '../audit/audit.ts';
import { badField, notFound, sessionOver } from '../errors.ts';
import type { ActingPerson, Actor, House } from '../house.ts';
import { freshSecret, type OpenedSession } from '../people/begin-session.ts';
import { accountLogin, countGuess, forgiveGuess } from '../people/guessing.ts';
import { peopleLimits, sessionLives } from '../people/person.ts';
import { proveSession, renewSession, type SessionRow } from '../people/session.sql.ts';
import {
  type CustomerSessionRow,
  endCustomerSessions,
  findOwnCustomerSession,
  findSignedCustomer,
  listCustomerSessions,
  lockVerifiedCustomer,
  type SigningCustomer,
  saveCustomerPassword,
} from './sign-in.sql.ts';

/** A customer in its session: the front door lets nobody else to these verbs. */
export type CustomerAtWork = Actor & { readonly person: ActingPerson; readonly customerId: string };

export interface OwnCustomerSession {
  readonly customer: SigningCustomer;
  readonly session: CustomerSessionRow;
  readonly idleEndsAt: Date;
}

export const idleMsOf = ({ is_kept }: { readonly is_kept: boolean }): number =>
  is_kept ? sessionLives.member.wholeMs : sessionLives.member.idleMs;

export async function readCustomerSession(
  house: House,
  of: { readonly customerId: string; readonly sessionId: string },
): Promise<OwnCustomerSession> {
  const db = house.db.as(everyTenant);
  const [customer, session] = await Promise.all([
    findSignedCustomer(db, of.customerId),
    findOwnCustomerSession(db, of.customerId, of.sessionId),
  ]);
  if (!customer || !session) throw sessionOver();
  return { customer, session, idleEndsAt: new Date(session.last_seen_at.getTime() + idleMsOf(session)) };
}

export const signCustomerOut = (house: House, actor: CustomerAtWork): Promise<void> =>
  endCustomerSession(house, actor, actor.person.sessionId);

export const readCustomerSessions = (house: House, actor: CustomerAtWork): Promise<SessionRow[]> =>
  listCustomerSessions(house.db.as(everyTenant), actor.customerId, house.wall.now());

/** One of its own; any other is not there. */
export async function endCustomerSession(house: House, actor: CustomerAtWork, id: string): Promise<void> {
  await house.db.transaction(everyTenant, async (tx) => {
    const ended = await endCustomerSessions(tx, actor.customerId, { only: id }, house.wall.now());
    if (ended === 0) throw notFound('session');
    await audit(house, tx, actor, { action: 'session.end', objectType: 'session', objectId: id });
  });
}

export async function endOtherCustomerSessions(house: House, actor: CustomerAtWork): Promise<number> {
  return house.db.transaction(everyTenant, async (tx) => {
    const { sessionId } = actor.person;
    const ended = await endCustomerSessions(tx, actor.customerId, { but: sessionId }, house.wall.now());
    const after = { ended };
    await audit(house, tx, actor, { action: 'session.end_others', objectType: 'session', objectId: sessionId, after });
    return ended;
  });
}

/** Who it is, once more, for what matters: by its password, all that a customer has. */
export async function proveCustomer(
  house: House,
  actor: CustomerAtWork,
  password: string | undefined,
): Promise<OpenedSession> {
  const customer = await requireRight(house, actor, password ?? '');
  const { sessionId } = actor.person;
  return house.db.transaction(everyTenant, async (tx) => {
    if (!(await lockVerifiedCustomer(tx, customer, 'own'))) throw sessionOver();
    const sudoUntil = new Date(house.wall.now().getTime() + peopleLimits.sudoMs);
    if (!(await proveSession(tx, sessionId, sudoUntil))) throw sessionOver();
    const after = { method: 'password' };
    await audit(house, tx, actor, { action: 'session.sudo', objectType: 'session', objectId: sessionId, after });
    return changeCustomerSecret(house, tx, actor);
  });
}

async function changeCustomerSecret(house: House, tx: Tx, actor: CustomerAtWork): Promise<OpenedSession> {
  const { id: personId, sessionId, secretFingerprint: by } = actor.person;
  const { secret, ...next } = freshSecret(house);
  const endsAt = await renewSession(tx, { id: sessionId, by, resellerId: actor.resellerId, endsBy: null }, next);
  if (!endsAt) throw sessionOver();
  return { sessionId, personId, customerId: actor.customerId, secret, endsAt };
}

const wrongPassword = () => badField('password', 'The current password is incorrect.', 'wrong');

async function requireRight(house: House, actor: CustomerAtWork, password: string): Promise<SigningCustomer> {
  const customer = await findSignedCustomer(house.db.as(everyTenant), actor.customerId);
  if (!customer) throw sessionOver();
  const login = accountLogin(customer.reseller_id, customer.email);
  const from = { address: actor.address, known: actor.person.sessionId };
  await countGuess(house, login, from);
  if (!(await isPasswordOf(customer.password_hash, password))) throw wrongPassword();
  await forgiveGuess(house, login, from);
  return customer;
}

/** Every other session ends with it: who knew the old one is out. */
export async function changeCustomerPassword(
  house: House,
  actor: CustomerAtWork,
  order: { readonly password: string; readonly newPassword: string },
): Promise<OpenedSession> {
  const customer = await requireRight(house, actor, order.password);
  const hash = await hashChosen(order.newPassword, customer.email, 'newPassword');
  return house.db.transaction(everyTenant, async (tx) => {
    if (!(await lockVerifiedCustomer(tx, customer, 'own'))) throw wrongPassword();
    // Whoever made the password before may be the one who changes it now.
    await saveCustomerPassword(tx, actor.resellerId, customer.id, { hash, maker: customer.password_maker });
    const opened = await changeCustomerSecret(house, tx, actor);
    await endCustomerSessions(tx, customer.id, { but: opened.sessionId }, house.wall.now());
    await audit(house, tx, actor, { action: 'customer.password', objectType: 'customer', objectId: customer.id });
    return opened;
  });
}

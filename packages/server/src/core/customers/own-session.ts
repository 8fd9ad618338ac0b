import { everyTenant } from '@namehold/base';
import { hashPassword, isPasswordOf } from '../accounts/password.ts';
import { audit } from '../audit/audit.ts';
import { badField, notFound } from '../errors.ts';
import type { ActingPerson, Actor, House } from '../house.ts';
import { freshSecret, type OpenedSession } from '../people/begin-session.ts';
import { countGuess, forgiveGuess } from '../people/guessing.ts';
import { sessionLives } from '../people/person.ts';
import { renewSession } from '../people/session.sql.ts';
import {
  type CustomerSessionRow,
  endCustomerSessions,
  findOwnCustomerSession,
  findSignedCustomer,
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
  if (!customer || !session) throw notFound('session');
  return { customer, session, idleEndsAt: new Date(session.last_seen_at.getTime() + idleMsOf(session)) };
}

export async function signCustomerOut(house: House, actor: CustomerAtWork): Promise<void> {
  await house.db.transaction(everyTenant, async (tx) => {
    const { sessionId } = actor.person;
    await endCustomerSessions(tx, actor.customerId, { only: sessionId }, house.wall.now());
    await audit(house, tx, actor, { action: 'session.end', objectType: 'session', objectId: sessionId });
  });
}

/** Every other session ends with it: who knew the old one is out. */
export async function changeCustomerPassword(
  house: House,
  actor: CustomerAtWork,
  order: { readonly password: string; readonly newPassword: string },
): Promise<OpenedSession> {
  const customer = await findSignedCustomer(house.db.as(everyTenant), actor.customerId);
  if (!customer) throw notFound('session');
  await countGuess(house, customer.email);
  if (!(await isPasswordOf(customer.password_hash, order.password)))
    throw badField('password', 'is not the present one', 'wrong');
  await forgiveGuess(house, customer.email);
  const hash = await hashPassword(order.newPassword);
  const { id: personId, sessionId } = actor.person;
  return house.db.transaction(everyTenant, async (tx) => {
    await saveCustomerPassword(tx, actor.resellerId, customer.id, hash);
    await endCustomerSessions(tx, customer.id, { but: sessionId }, house.wall.now());
    await audit(house, tx, actor, { action: 'customer.password', objectType: 'customer', objectId: customer.id });
    const { secret, ...next } = freshSecret(house);
    const endsAt = await renewSession(tx, { id: sessionId, resellerId: actor.resellerId, endsBy: null }, next);
    return { sessionId, personId, customerId: customer.id, secret, endsAt };
  });
}

import { everyTenant } from '@namehold/base';
import { audit } from '../audit/audit.ts';
import { badField, notFound, Refusal, sessionOver } from '../errors.ts';
import type { ActingPerson, Actor, House } from '../house.ts';
import { changeSecret, type OpenedSession, refuseStrangerAt } from './begin-session.ts';
import { claimForMember } from './claim-account.ts';
import { findReset } from './factor-reset.sql.ts';
import { findPerson, listMemberships, markWorkedIn, type PersonWithPassword } from './person.sql.ts';
import { livesOf, type MembershipRow, type Person } from './person.ts';
import { endSessions, findOwnSession, listSessions, type SessionRow } from './session.sql.ts';

/** Somebody in a session, as these verbs are handed it: the front door lets nobody else to them. */
export type PersonAtWork = Actor & { readonly person: ActingPerson };

export async function requirePerson(house: House, actor: PersonAtWork): Promise<PersonWithPassword> {
  const person = await findPerson(house.db.as(everyTenant), actor.person.id);
  if (!person) throw notFound('person');
  return person;
}

export interface OwnSession {
  readonly person: Person;
  readonly session: SessionRow;
  readonly idleEndsAt: Date;
  readonly account: MembershipRow;
  readonly accounts: readonly MembershipRow[];
  /** When the second factors of the person are removed, as somebody else asked. */
  readonly factorsEndAt: Date | null;
}

export async function readSession(
  house: House,
  of: { readonly personId: string; readonly sessionId: string },
): Promise<OwnSession> {
  const db = house.db.as(everyTenant);
  const [person, session, accounts, reset] = await Promise.all([
    findPerson(db, of.personId),
    findOwnSession(db, of.personId, of.sessionId),
    listMemberships(db, of.personId),
    findReset(db, of.personId),
  ]);
  const account = accounts.find((each) => each.reseller_id === session?.reseller_id);
  if (!person || !session || !account) throw sessionOver();
  const idleEndsAt = new Date(session.last_seen_at.getTime() + livesOf(account).idleMs);
  return { person, session, idleEndsAt, account, accounts, factorsEndAt: reset?.due_at ?? null };
}

const worksElsewhere = () =>
  new Refusal('conflict', 'You also belong to other accounts. Sign in at the main address of the service.');

/** Work goes on in another account. With the password of an account that nobody owns yet, and its address, one becomes its owner. */
export async function switchAccount(
  house: House,
  actor: PersonAtWork,
  order: { readonly resellerId: string; readonly password?: string | undefined },
): Promise<OpenedSession> {
  const person = await requirePerson(house, actor);
  const { resellerId, password } = order;
  const db = house.db.as(everyTenant);
  const isMember = async () => (await listMemberships(db, person.id)).some((each) => each.reseller_id === resellerId);
  if (password !== undefined && !(await isMember())) await claim(house, actor, person, resellerId, password);
  return house.db.transaction(everyTenant, async (tx) => {
    const account = (await listMemberships(tx, person.id)).find((each) => each.reseller_id === resellerId);
    if (!account) throw badField('reseller', 'You are not a member of this account.', 'not_found');
    await refuseStrangerAt(house, tx, person.id, worksElsewhere);
    const now = house.wall.now();
    const opened = await changeSecret(house, tx, actor.person, account);
    await markWorkedIn(tx, person.id, resellerId, now);
    const there = { ...actor, resellerId, isOperator: account.parent_id === null };
    const after = { from_reseller_id: actor.resellerId, role: account.role };
    const change = { action: 'session.switch', objectType: 'session', objectId: actor.person.sessionId, after };
    await audit(house, tx, there, change);
    return opened;
  });
}

async function claim(house: House, actor: PersonAtWork, person: Person, resellerId: string, password: string) {
  try {
    await claimForMember(house, actor, person, { resellerId, email: person.email, password });
  } catch (error) {
    // The session is good; what is wrong is a field.
    if (error instanceof Refusal && error.code === 'unauthorized')
      throw badField('reseller', 'You are not a member of this account, or the password is incorrect.', 'not_found');
    throw error;
  }
}

export async function signOut(house: House, actor: PersonAtWork): Promise<void> {
  await endOne(house, actor, actor.person.sessionId);
}

export const readMySessions = (house: House, actor: PersonAtWork): Promise<SessionRow[]> =>
  listSessions(house.db.as(everyTenant), actor.person.id, house.wall.now());

export async function endOtherSessions(house: House, actor: PersonAtWork): Promise<number> {
  return house.db.transaction(everyTenant, async (tx) => {
    const { id, sessionId } = actor.person;
    const ended = await endSessions(tx, id, { but: sessionId }, house.wall.now());
    const after = { ended };
    await audit(house, tx, actor, { action: 'session.end_others', objectType: 'session', objectId: sessionId, after });
    return ended;
  });
}

/** One of the person's own; any other is not there. */
export async function endOne(house: House, actor: PersonAtWork, id: string): Promise<void> {
  await house.db.transaction(everyTenant, async (tx) => {
    if ((await endSessions(tx, actor.person.id, { only: id }, house.wall.now())) === 0) throw notFound('session');
    await audit(house, tx, actor, { action: 'session.end', objectType: 'session', objectId: id });
  });
}

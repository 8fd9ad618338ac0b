import { everyTenant, type Tx } from '@namehold/base';
import { audit } from '../audit/audit.ts';
import { badField, notFound } from '../errors.ts';
import type { Actor, House } from '../house.ts';
import { findHand } from '../keys/hand.sql.ts';
import { newSecret } from '../keys/secret.ts';
import { readEmail } from '../reference/email.ts';
import { ValueProblem } from '../reference/value-problem.ts';
import { endCodes, endInvitation, endRecoveryCodes, insertCode, listInvitations, type PersonCode } from './code.sql.ts';
import { deleteFactors } from './factor.sql.ts';
import { countInvitation } from './guessing.ts';
import { mailCode } from './mail-code.ts';
import { countMembers, lockAccount } from './member.sql.ts';
import { findPersonByEmail } from './person.sql.ts';
import { peopleLimits, type Role, scopesOf } from './person.ts';
import { refuseBeyondOwn } from './within-own.ts';

export interface MadeCode {
  readonly code: string;
  readonly row: PersonCode;
  readonly email: string;
  readonly expiresAt: Date;
}

export interface NewMember {
  readonly email: string;
  readonly role: Role;
  readonly scopes?: readonly string[] | undefined;
}

/** Null: nobody but the mailbox gets to see it. */
export const shownCode = ({ code, row }: Pick<MadeCode, 'code' | 'row'>): string | null =>
  row.is_mailed ? null : code;

/** A code by which somebody becomes a member of the actor's account. Whoever is a person already needs its own password beside it. */
export async function invitePerson(house: House, actor: Actor, member: NewMember): Promise<MadeCode> {
  const email = checkedEmail(member.email);
  const scopes = scopesOf(member.role, member.scopes);
  const { row, secret } = draftCode(house, { purpose: 'invite', email, person_id: null });
  const { resellerId } = actor;
  // Whoever runs the service vouches for the address and hands the code over; of a user's invitation only the mailbox sees it.
  const isMailed = house.mailer !== undefined && actor.person !== undefined;
  if (isMailed) await countInvitation(house, email);
  const invited = await house.db.transaction(everyTenant, async (tx) => {
    if (!(await lockAccount(tx, resellerId))) throw badField('reseller', 'Reseller not found.', 'not_found');
    await refuseBeyondOwn(tx, actor, scopes);
    await endCodes(tx, { email, resellerId }, row.created_at);
    await refuseMany(tx, resellerId, row.created_at);
    const made = { hand: await findHand(tx, actor), made_by: actor.person?.id ?? null };
    const invited = { ...row, ...made, reseller_id: resellerId, role: member.role, scopes };
    if (!isMailed) await insertCode(tx, invited, house.vault.fingerprint(secret));
    const stored = isMailed ? await mailCode(house, tx, invited, secret) : invited;
    const after = { email, role: member.role, scopes };
    await audit(house, tx, actor, { action: 'person.invite', objectType: 'person_code', objectId: row.id, after });
    return stored;
  });
  return { code: secret, row: invited, email, expiresAt: row.expires_at };
}

async function refuseMany(tx: Tx, resellerId: string, now: Date): Promise<void> {
  const { members, invitations } = peopleLimits;
  if ((await listInvitations(tx, resellerId, now)).length >= invitations)
    throw badField(
      'email',
      `An account can have at most ${invitations} open invitations. Withdraw one first.`,
      'too_many',
    );
  if ((await countMembers(tx, resellerId)) >= members)
    throw badField('email', `An account can have at most ${members} users. Remove one first.`, 'too_many');
}

export async function readInvitations(house: House, actor: Actor): Promise<PersonCode[]> {
  return listInvitations(house.db.as(everyTenant), actor.resellerId, house.wall.now());
}

export async function withdrawInvitation(house: House, actor: Actor, id: string): Promise<void> {
  await house.db.transaction(everyTenant, async (tx) => {
    const ended = await endInvitation(tx, actor.resellerId, id, house.wall.now());
    if (!ended) throw notFound('invitation');
    const before = { email: ended.email, role: ended.role, scopes: ended.scopes };
    await audit(house, tx, actor, { action: 'person.uninvite', objectType: 'person_code', objectId: id, before });
  });
}

/** A code for a new password. The operator's alone to make: it opens every account that the person is a member of. */
export async function recoverPerson(
  house: House,
  actor: Actor,
  given: string,
  dropsFactors = false,
): Promise<MadeCode> {
  const email = checkedEmail(given);
  return house.db.transaction(everyTenant, async (tx) => {
    const person = await findPersonByEmail(tx, email);
    if (!person) throw badField('email', 'No user has this email address.', 'not_found');
    const { row, secret } = draftCode(house, { purpose: 'recover', email: person.email, person_id: person.id });
    await endRecoveryCodes(tx, person.id, row.created_at);
    await insertCode(tx, row, house.vault.fingerprint(secret));
    if (dropsFactors) await deleteFactors(tx, person.id);
    const after = { email: person.email, ...(dropsFactors ? { factors: 'removed' } : {}) };
    await audit(house, tx, actor, { action: 'person.recover', objectType: 'person', objectId: person.id, after });
    return { code: secret, row, email: person.email, expiresAt: row.expires_at };
  });
}

/** A code and its row, not stored yet. */
export function draftCode(
  house: House,
  about: Pick<PersonCode, 'purpose' | 'email' | 'person_id'>,
  livesMs = peopleLimits.codeLivesMs,
): { row: PersonCode; secret: string } {
  const now = house.wall.now();
  const row = {
    ...about,
    id: house.ids.next('code'),
    reseller_id: null,
    role: null,
    scopes: null,
    hand: null,
    made_by: null,
    is_mailed: false,
    claims: false,
    created_at: now,
    expires_at: new Date(now.getTime() + livesMs),
  };
  return { row, secret: newSecret(house.vault).secret };
}

function checkedEmail(text: string): string {
  try {
    return readEmail(text.trim());
  } catch (error) {
    if (error instanceof ValueProblem) throw badField('email', error.message, error.code);
    throw error;
  }
}

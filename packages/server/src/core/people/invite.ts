import { everyTenant } from '@namehold/base';
import { findReseller } from '../accounts/account.sql.ts';
import { audit } from '../audit/audit.ts';
import { badField } from '../errors.ts';
import type { Actor, House } from '../house.ts';
import { newSecret } from '../keys/secret.ts';
import { readEmail } from '../reference/email.ts';
import { ValueProblem } from '../reference/value-problem.ts';
import { endCodes, insertCode, type PersonCode } from './code.sql.ts';
import { findPersonByEmail } from './person.sql.ts';
import { peopleLimits, type Role, scopesOf } from './person.ts';

export interface MadeCode {
  readonly code: string;
  readonly email: string;
  readonly expiresAt: Date;
}

export interface NewMember {
  readonly email: string;
  readonly role: Role;
  readonly scopes?: readonly string[] | undefined;
}

/** A code by which somebody becomes a member of the actor's account. Whoever is a person already needs its own password beside it. */
export async function invitePerson(house: House, actor: Actor, member: NewMember): Promise<MadeCode> {
  const email = checkedEmail(member.email);
  const scopes = scopesOf(member.role, member.scopes);
  const { row, secret } = draft(house, { purpose: 'invite', email, person_id: null });
  const { resellerId } = actor;
  await house.db.transaction(everyTenant, async (tx) => {
    if (!(await findReseller(tx, resellerId, resellerId)))
      throw badField('reseller', 'reseller not found', 'not_found');
    await endCodes(tx, { email, resellerId }, row.created_at);
    const invited = { ...row, reseller_id: resellerId, role: member.role, scopes };
    await insertCode(tx, invited, house.vault.fingerprint(secret));
    const after = { email, role: member.role, scopes };
    await audit(house, tx, actor, { action: 'person.invite', objectType: 'person_code', objectId: row.id, after });
  });
  return { code: secret, email, expiresAt: row.expires_at };
}

/** A code for a new password. The operator's alone to make: it opens every account that the person is a member of. */
export async function recoverPerson(house: House, actor: Actor, given: string): Promise<MadeCode> {
  const email = checkedEmail(given);
  return house.db.transaction(everyTenant, async (tx) => {
    const person = await findPersonByEmail(tx, email);
    if (!person) throw badField('email', 'nobody signs in with this address', 'not_found');
    const { row, secret } = draft(house, { purpose: 'recover', email: person.email, person_id: person.id });
    await endCodes(tx, { email, resellerId: null }, row.created_at);
    await insertCode(tx, row, house.vault.fingerprint(secret));
    const after = { email: person.email };
    await audit(house, tx, actor, { action: 'person.recover', objectType: 'person', objectId: person.id, after });
    return { code: secret, email: person.email, expiresAt: row.expires_at };
  });
}

function draft(
  house: House,
  about: Pick<PersonCode, 'purpose' | 'email' | 'person_id'>,
): { row: PersonCode; secret: string } {
  const now = house.wall.now();
  const row = {
    ...about,
    id: house.ids.next('code'),
    reseller_id: null,
    role: null,
    scopes: null,
    created_at: now,
    expires_at: new Date(now.getTime() + peopleLimits.codeLivesMs),
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

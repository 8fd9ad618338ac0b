import { everyTenant, type Tx } from '@namehold/base';
import { audit } from '../audit/audit.ts';
import { clockworkFor } from '../domains/system-actor.ts';
import { notFound, Refusal } from '../errors.ts';
import type { Actor, House } from '../house.ts';
import { minuteText, tellOfAccess, tellPerson } from '../notices/tell.ts';
import { deleteFactors, readFactors } from './factor.sql.ts';
import {
  deleteReset,
  type FactorReset,
  findReset,
  insertReset,
  isOnlyAccount,
  takeDueResets,
} from './factor-reset.sql.ts';
import { lockMember } from './members.ts';
import type { PersonAtWork } from './own-session.ts';
import { lockPerson } from './person.sql.ts';
import { peopleLimits } from './person.ts';
import { hasSecond } from './prove.ts';
import { endSessions } from './session.sql.ts';

const atOnce = 100;

/**
 * Passkeys, authenticator and recovery codes of a member go, a day from now. Until then the person sees it on every page, is told by mail,
 * and can keep them: whoever has stolen the session of an owner does not open the accounts of the others by it. Who belongs to other
 * accounts too is the operator's to help, since its factors guard those as well.
 */
export async function resetFactors(house: House, actor: Actor, personId: string): Promise<FactorReset> {
  const now = house.wall.now();
  return house.db.transaction(everyTenant, async (tx) => {
    const member = await lockMember(tx, actor, personId);
    if (actor.person?.id === personId)
      throw new Refusal('conflict', 'Remove your own two-factor authentication at /me.');
    if (!hasSecond(await readFactors(tx, personId, null)))
      throw new Refusal('conflict', 'The user has no two-factor authentication to remove.');
    if (!(await isOnlyAccount(tx, personId, actor.resellerId)))
      throw new Refusal(
        'conflict',
        'The user also signs in to other accounts. Only the operator can remove two-factor authentication.',
      );
    const due_at = new Date(now.getTime() + peopleLimits.factorResetMs);
    const asked_by = actor.person?.name ?? '';
    const { resellerId: reseller_id } = actor;
    const reset = { person_id: personId, reseller_id, asked_by, created_at: now, due_at };
    // Asking again neither hastens nor delays it, and is not told again.
    if (!(await insertReset(tx, reset))) return (await findReset(tx, personId))!;
    const after = { email: member.email, due_at };
    await audit(house, tx, actor, { action: 'person.reset_factors', objectType: 'person', objectId: personId, after });
    const until = minuteText(due_at);
    const what = {
      en: `Your passkeys and authenticator will be removed on ${until}. To keep them, sign in and cancel the removal before then`,
      id: `Kunci sandi (passkey) dan autentikator Anda akan dihapus pada ${until}. Untuk mempertahankannya, masuk dan batalkan penghapusan sebelum waktu itu`,
    };
    const label = asked_by || null;
    await tellPerson(house, tx, actor, { to: member, what, label });
    return reset;
  });
}

/** The person itself says that it wants them. */
export async function keepFactors(house: House, actor: PersonAtWork): Promise<void> {
  const { id } = actor.person;
  await house.db.transaction(everyTenant, async (tx) => {
    const reset = await deleteReset(tx, id);
    if (!reset) throw notFound('reset of your second factors');
    const there = { ...actor, resellerId: reset.reseller_id };
    await audit(house, tx, there, { action: 'person.keep_factors', objectType: 'person', objectId: id });
    const what = {
      en: 'The removal of two-factor authentication was cancelled',
      id: 'Penghapusan autentikasi dua faktor dibatalkan',
    };
    await tellOfAccess(house, tx, there, { resellerId: reset.reseller_id, what, label: actor.person.name });
  });
}

/** What nobody has stopped within the day. Who has left, or has joined another account, keeps what it has. */
export async function carryOutResets(house: House): Promise<void> {
  await house.db.transaction(everyTenant, async (tx) => {
    for (const reset of await takeDueResets(tx, house.wall.now(), atOnce)) await carryOut(house, tx, reset);
  });
}

async function carryOut(house: House, tx: Tx, { person_id, reseller_id }: FactorReset): Promise<void> {
  const person = await lockPerson(tx, person_id);
  if (!person || !(await isOnlyAccount(tx, person_id, reseller_id))) return;
  await deleteFactors(tx, person_id);
  await endSessions(tx, person_id, {}, house.wall.now());
  const actor = clockworkFor({ reseller_id }, 'factor-reset');
  await audit(house, tx, actor, { action: 'person.factors_removed', objectType: 'person', objectId: person_id });
  const what = {
    en: 'Two-factor authentication of a user was removed',
    id: 'Autentikasi dua faktor seorang pengguna telah dihapus',
  };
  await tellOfAccess(house, tx, actor, { resellerId: reseller_id, what, label: person.email });
}

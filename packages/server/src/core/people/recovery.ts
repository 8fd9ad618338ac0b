import { everyTenant, type Tx } from '@namehold/base';
import { audit } from '../audit/audit.ts';
import { clockworkFor } from '../domains/system-actor.ts';
import type { Actor, House } from '../house.ts';
import { tokenMark } from '../notices/notice.ts';
import { notify } from '../notices/notify.ts';
import { minuteText, signerOf } from '../notices/tell.ts';
import { endRecoveryCodes, insertCode } from './code.sql.ts';
import { countWish } from './guessing.ts';
import { draftCode } from './invite.ts';
import { findPersonByEmail, listMemberships } from './person.sql.ts';
import { peopleLimits } from './person.ts';
import { insertWish, takeWishes } from './recovery.sql.ts';

const atOnce = 50;

/**
 * Somebody forgot its password. What is written down is the address, whether anybody has it or not: who asks gets the same answer after the
 * same statements, and whoever has the address gets a mail a moment later. False: this installation sends no mail.
 */
export async function wishRecovery(house: House, from: Pick<Actor, 'address'>, email: string): Promise<boolean> {
  await countWish(house, email, from.address);
  if (!house.mailer) return false;
  const wish = { id: house.ids.next('wish'), email, created_at: house.wall.now() };
  await house.db.transaction(everyTenant, (tx) => insertWish(tx, wish));
  return true;
}

/** A link that is good once, as one that the operator makes; it stands for the password alone, never for a second factor. */
export async function answerWishes(house: House): Promise<void> {
  await house.db.transaction(everyTenant, async (tx) => {
    for (const { email } of await takeWishes(tx, atOnce)) await mailLink(house, tx, email);
  });
}

async function mailLink(house: House, tx: Tx, email: string): Promise<void> {
  const person = await findPersonByEmail(tx, email);
  const [account] = person && !person.disabled_at ? await listMemberships(tx, person.id) : [];
  if (!person || !account) return;
  const about = { purpose: 'recover', email: person.email, person_id: person.id } as const;
  const { row, secret } = draftCode(house, about, peopleLimits.mailedCodeLivesMs);
  // Anybody can request a link, so it does not end a code that the operator gave the user.
  await endRecoveryCodes(tx, person.id, row.created_at, { onlyMailed: true });
  await insertCode(tx, { ...row, is_mailed: true }, house.vault.fingerprint(secret));
  const { reseller_id } = account;
  const change = { action: 'person.recovery_mail', objectType: 'person', objectId: person.id };
  await audit(house, tx, clockworkFor({ reseller_id }, row.id), change);
  const facts = { link: house.pages.welcome(tokenMark), until: minuteText(row.expires_at) };
  const told = { kind: 'password_recovery', facts, token: secret } as const;
  await notify(house, tx, { ...told, resellerId: reseller_id, to: signerOf(person) });
}

import { badField } from '../errors.ts';
import { appendEvent } from '../events/append.ts';
import { type Actor, type House, writeWide } from '../house.ts';
import { findHand } from '../keys/hand.sql.ts';
import { tellOfAccess } from '../notices/tell.ts';
import { lockReseller, setResellerPassword } from './account.sql.ts';
import { auditBoth } from './audit-both.ts';
import { newTemporaryPassword } from './password.ts';

/** For the own account or a direct child, for three days of wall time; a second one ends the first. */
export async function issueResellerPassword(
  house: House,
  actor: Actor,
  id: string,
): Promise<{ id: string; password: string; expiresAt: Date }> {
  const made = await newTemporaryPassword(house.ids, house.wall.now());
  return writeWide(house, actor, async (tx) => {
    if (!(await lockReseller(tx, actor.resellerId, id))) throw badField('reseller', 'Reseller not found.', 'not_found');
    const hand = id === actor.resellerId ? await findHand(tx, actor) : null;
    await setResellerPassword(tx, id, made, { hand, maker: actor.keyId });
    await auditBoth(house, tx, actor, id, {
      action: 'reseller.temp_password',
      objectType: 'reseller',
      objectId: id,
      after: { expires_at: made.expiresAt },
    });
    const what = { en: 'A temporary password was created', id: 'Kata sandi sementara telah dibuat' };
    await tellOfAccess(house, tx, actor, { resellerId: id, what, label: null });
    await appendEvent(house, tx, {
      resellerId: id,
      type: 'account.temp_password_made',
      objectId: id,
      requestId: actor.requestId,
      payload: { reseller_id: id, expires_at: made.expiresAt, by_parent: id !== actor.resellerId },
    });
    return { id, password: made.password, expiresAt: made.expiresAt };
  });
}

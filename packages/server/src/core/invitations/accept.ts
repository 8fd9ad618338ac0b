import { everyTenant } from '@namehold/base';
import { opensWith } from '../accounts/password.ts';
import { audit } from '../audit/audit.ts';
import { Refusal } from '../errors.ts';
import { appendEvent } from '../events/append.ts';
import type { Actor, House } from '../house.ts';
import { addKey, type CreatedKey, type NewKey } from '../keys/create.ts';
import { checkScopes, normaliseWhitelist } from '../keys/key.ts';
import { tellOfAccess } from '../notices/tell.ts';
import { countSecretGuess, forgiveSecretGuess } from '../people/guessing.ts';
import { countMiss, findOpenInvitation, lockVerifiedInvitation, markAccepted } from './invitation.sql.ts';

export interface Acceptance extends NewKey {
  readonly token: string;
  readonly password: string;
}

/** Whatever is wrong, the answer is one: used, ended, never made, or not the password. */
const refused = () => new Refusal('unauthorized', 'The invitation or the password is not valid.');

/** The first key of an invited account: invitation and password together, once. */
export async function acceptInvitation(
  house: House,
  from: Pick<Actor, 'address' | 'requestId'>,
  order: Acceptance,
): Promise<CreatedKey> {
  // What is wrong with the key itself is told first: it must not cost a try.
  normaliseWhitelist(order.whitelist);
  checkScopes(order.scopes ?? ['full']);
  const now = house.wall.now();
  const db = house.db.as(everyTenant);
  const invitation = await findOpenInvitation(db, house.vault.fingerprint(order.token), now);
  if (!invitation) throw refused();
  const { id, reseller_id: resellerId, parent_id: parentId } = invitation;
  if (!(await house.db.transaction(everyTenant, (tx) => countMiss(tx, id)))) throw refused();
  await countSecretGuess(house, 'account-password', resellerId);
  const by = await opensWith(invitation, order.password, now);
  if (!by) throw refused();
  await forgiveSecretGuess(house, 'account-password', resellerId);
  const actor: Actor = { ...from, resellerId, keyId: null, scopes: [], isOperator: false };
  return house.db.transaction(everyTenant, async (tx) => {
    if (!(await lockVerifiedInvitation(tx, invitation, by))) throw refused();
    const { label, whitelist, scopes, expiresAt } = order;
    const key = await addKey(house, tx, actor, resellerId, { label, whitelist, scopes, expiresAt });
    if (!(await markAccepted(tx, id, { at: now, address: from.address, keyId: key.id }))) throw refused();
    const what = {
      en: 'A new API key was created through an invitation',
      id: 'Kunci API baru telah dibuat melalui undangan',
    };
    await tellOfAccess(house, tx, actor, { resellerId, what, label: key.label });
    const payload = { reseller_id: resellerId, invitation_id: id, key_id: key.id, address: from.address };
    for (const side of [resellerId, parentId]) {
      await audit(house, tx, actor, {
        action: 'invitation.accept',
        objectType: 'invitation',
        objectId: id,
        after: payload,
        resellerId: side,
      });
    }
    // In the order of their ids, as every writer that needs two of these counters takes them.
    for (const side of [resellerId, parentId].sort((a, b) => Number(a) - Number(b))) {
      await appendEvent(house, tx, {
        resellerId: side,
        type: 'invitation.accepted',
        objectId: id,
        requestId: from.requestId,
        payload,
      });
    }
    return key;
  });
}

import { allTenants } from '@namehold/postgres';
import { type OpenedBy, opensWith } from '../accounts/password.ts';
import type { Actor, AppContext } from '../app-context.ts';
import { audit } from '../audit/audit.ts';
import { Refusal } from '../errors.ts';
import { appendEvent } from '../events/append.ts';
import { addKey, type CreatedKey, type NewKey } from '../keys/create.ts';
import { checkScopes, normaliseWhitelist } from '../keys/key.ts';
import { notifyAccessChange } from '../notices/notify-recipients.ts';
import { countSecretGuess, resetSecretGuesses } from '../users/guessing.ts';
import { countMiss, findOpenInvitation, lockVerifiedInvitation, markAccepted } from './invitation.sql.ts';

interface Acceptance extends NewKey {
  readonly token: string;
  readonly password: string;
}

/** The same message for a used, ended or unknown invitation and for a wrong password. */
const refused = () => new Refusal('unauthorized', 'The invitation or the password is not valid.');

/** The key ends with the key that made the invitation, else with the key that set the password. A user is named if no key took part. */
function originOf(
  invitation: { readonly maker: string | null; readonly temp_password_maker: string | null },
  by: OpenedBy,
): string | null {
  const makers = [invitation.maker, by === 'temporary' ? invitation.temp_password_maker : null];
  return makers.find((maker) => maker?.startsWith('key_')) ?? invitation.maker;
}

/** The first key of an invited account: needs invitation and password together, once. */
export async function acceptInvitation(
  ctx: AppContext,
  from: Pick<Actor, 'address' | 'requestId'>,
  order: Acceptance,
): Promise<CreatedKey> {
  // Errors in the key itself are reported first: they must not cost a try.
  normaliseWhitelist(order.whitelist);
  checkScopes(order.scopes ?? ['full']);
  const now = ctx.wall.now();
  const db = ctx.db.as(allTenants);
  const invitation = await findOpenInvitation(db, ctx.vault.fingerprint(order.token), now);
  if (!invitation) throw refused();
  const { id, reseller_id: resellerId, parent_id: parentId } = invitation;
  if (!(await ctx.db.transaction(allTenants, (tx) => countMiss(tx, id)))) throw refused();
  await countSecretGuess(ctx, 'account-password', resellerId);
  const by = await opensWith(invitation, order.password, now, from);
  if (!by) throw refused();
  await resetSecretGuesses(ctx, 'account-password', resellerId);
  const actor: Actor = { ...from, resellerId, keyId: null, scopes: [], isOperator: false };
  return ctx.db.transaction(allTenants, async (tx) => {
    if (!(await lockVerifiedInvitation(tx, invitation, by))) throw refused();
    const { label, whitelist, scopes, expiresAt } = order;
    const issuedBy = originOf(invitation, by);
    const key = await addKey(ctx, tx, actor, resellerId, { label, whitelist, scopes, expiresAt }, issuedBy);
    if (!(await markAccepted(tx, id, { at: now, address: from.address, keyId: key.id }))) throw refused();
    const what = {
      en: 'A new API key was created through an invitation',
      id: 'Kunci API baru telah dibuat melalui undangan',
    };
    await notifyAccessChange(ctx, tx, actor, { resellerId, topic: 'keys', what, label: key.label });
    const payload = { reseller_id: resellerId, invitation_id: id, key_id: key.id, address: from.address };
    for (const side of [resellerId, parentId]) {
      await audit(ctx, tx, actor, {
        action: 'invitation.accept',
        objectType: 'invitation',
        objectId: id,
        after: { ...payload, issued_by: issuedBy },
        resellerId: side,
      });
    }
    // In the order of their ids, like every writer that needs two of these counters.
    for (const side of [resellerId, parentId].sort((a, b) => Number(a) - Number(b))) {
      await appendEvent(ctx, tx, {
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

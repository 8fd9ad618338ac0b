import { type Actor, type AppContext, write } from '../app-context.ts';
import { declare } from '../domains/buy/declare-extra.ts';
import type { Contact } from '../model/contact.ts';
import type { Extra, ExtraClass } from '../model/tld.ts';
import { checkExtra } from '../tlds/extra.ts';
import { placeContactUpdates } from './propagate.ts';

/** Replaces the declaration of one class; those of others stay. Registries that know the contact are updated. */
export async function setContactExtra(
  ctx: AppContext,
  actor: Actor,
  customerId: string,
  id: string,
  kind: ExtraClass,
  sent: Extra,
): Promise<Contact> {
  const declaration = checkExtra(kind, sent);
  const updates: string[] = [];
  const contact = await write(ctx, actor, async (tx) => {
    updates.length = 0;
    const { before, after } = await declare(ctx, tx, actor, { customerId, id, kind, declaration });
    if (after.fingerprint !== before.fingerprint) updates.push(...(await placeContactUpdates(ctx, tx, actor, id)));
    return after;
  });
  for (const operationId of updates) void ctx.engine.start(operationId);
  return contact;
}

import type { Tx } from '@namehold/base';
import { type Actor, type AppContext, write } from '../app-context.ts';
import { audit } from '../audit/audit.ts';
import { isAnother } from '../customers/read.ts';
import { notFound } from '../errors.ts';
import type { ExtraClass } from '../model/tld.ts';
import { checkExtra, type Extra } from '../tlds/extra.ts';
import { lockContact, updateContact } from './contact.sql.ts';
import { type Contact, contactFingerprint } from './contact.ts';
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

interface Declared {
  readonly customerId: string;
  readonly id: string;
  readonly kind: ExtraClass;
  readonly declaration: Extra;
}

/** In the transaction of the caller: a change of the contact itself, or an order that names it. */
export async function declare(
  ctx: AppContext,
  tx: Tx,
  actor: Actor,
  { customerId, id, kind, declaration }: Declared,
): Promise<{ before: Contact; after: Contact }> {
  const before = isAnother(actor, customerId) ? undefined : await lockContact(tx, actor.resellerId, customerId, id);
  if (!before) throw notFound('contact');
  const others = Object.entries(before.extra).filter(([key]) => !key.startsWith(`${kind}_`));
  const content = {
    ...before,
    eligibility_criteria: [...new Set([...before.eligibility_criteria, kind])].sort(),
    extra: { ...Object.fromEntries(others), ...declaration },
  };
  const fingerprint = contactFingerprint(content);
  if (fingerprint === before.fingerprint) return { before, after: before };
  const after = await updateContact(tx, id, { ...content, fingerprint }, ctx.clock.now());
  await audit(ctx, tx, actor, { action: 'contact.extra', objectType: 'contact', objectId: id, before, after });
  return { before, after };
}

import type { Tx } from '@namehold/postgres';
import { isAnother } from '../../actors.ts';
import type { Actor, AppContext } from '../../app-context.ts';
import { audit } from '../../audit/audit.ts';
import { notFound } from '../../errors.ts';
import { type Contact, contactFingerprint } from '../../model/contact.ts';
import type { Extra } from '../../model/tld.ts';
import { lockContact, updateContact } from '../../tables/contact.sql.ts';

interface Declared {
  readonly customerId: string;
  readonly id: string;
  /** Name of the fields. */
  readonly name: string;
  readonly declaration: Extra;
}

/** In the transaction of the caller: a change of the contact itself, or an order that names it. */
export async function declare(
  ctx: AppContext,
  tx: Tx,
  actor: Actor,
  { customerId, id, name, declaration }: Declared,
): Promise<{ before: Contact; after: Contact }> {
  const before = isAnother(actor, customerId) ? undefined : await lockContact(tx, actor.resellerId, customerId, id);
  if (!before) throw notFound('contact');
  const others = Object.entries(before.extra).filter(([key]) => !key.startsWith(`${name}_`));
  const content = {
    ...before,
    eligibility_criteria: [...new Set([...before.eligibility_criteria, name])].sort(),
    extra: { ...Object.fromEntries(others), ...declaration },
  };
  const fingerprint = contactFingerprint(content);
  if (fingerprint === before.fingerprint) return { before, after: before };
  const after = await updateContact(tx, id, { ...content, fingerprint }, ctx.clock.now());
  await audit(ctx, tx, actor, { action: 'contact.extra', objectType: 'contact', objectId: id, before, after });
  return { before, after };
}

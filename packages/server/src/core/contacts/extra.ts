import { audit } from '../audit/audit.ts';
import { notFound } from '../errors.ts';
import { type Actor, type House, write } from '../house.ts';
import { checkExtra, type Extra } from '../tlds/extra.ts';
import type { ExtraClass } from '../tlds/tld.ts';
import { lockContact, updateContact } from './contact.sql.ts';
import { type Contact, contactFingerprint } from './contact.ts';

/** Replaces the declaration of one class; those of others stay. */
export async function setContactExtra(
  house: House,
  actor: Actor,
  customerId: string,
  id: string,
  kind: ExtraClass,
  sent: Extra,
): Promise<Contact> {
  const declaration = checkExtra(kind, sent);
  return write(house, actor, async (tx) => {
    const before = await lockContact(tx, actor.resellerId, customerId, id);
    if (!before) throw notFound('contact');
    const others = Object.entries(before.extra).filter(([key]) => !key.startsWith(`${kind}_`));
    const content = {
      ...before,
      eligibility_criteria: [...new Set([...before.eligibility_criteria, kind])].sort(),
      extra: { ...Object.fromEntries(others), ...declaration },
    };
    const after = await updateContact(
      tx,
      id,
      { ...content, fingerprint: contactFingerprint(content) },
      house.clock.now(),
    );
    await audit(house, tx, actor, { action: 'contact.extra', objectType: 'contact', objectId: id, before, after });
    return after;
  });
}

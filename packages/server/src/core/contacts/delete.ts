import { isAnother } from '../actors.ts';
import { type Actor, type AppContext, write } from '../app-context.ts';
import { audit } from '../audit/audit.ts';
import { notFound, Refusal } from '../errors.ts';
import { contactInUse, deleteContactRow, lockContact } from '../tables/contact.sql.ts';

export async function deleteContact(
  ctx: AppContext,
  actor: Actor,
  customerId: string,
  id: string,
): Promise<{ id: string }> {
  return write(ctx, actor, async (tx) => {
    const before = isAnother(actor, customerId) ? undefined : await lockContact(tx, actor.resellerId, customerId, id);
    if (!before) throw notFound('contact');
    const use = await contactInUse(tx, actor.resellerId, id);
    if (use?.is_ordered)
      throw new Refusal('in_use', `An unfinished change of ${use.name} uses this contact. Wait until it is finished.`);
    if (use)
      throw new Refusal('in_use', `The contact is in use by ${use.name}. Assign another contact to the domain first.`);
    await deleteContactRow(tx, actor.resellerId, id, ctx.clock.now());
    await audit(ctx, tx, actor, { action: 'contact.delete', objectType: 'contact', objectId: id, before });
    return { id };
  });
}

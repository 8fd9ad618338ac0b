import { allTenants } from '@namehold/postgres';
import { type Actor, type AppContext, write } from '../app-context.ts';
import { declare } from '../domains/buy/declare-extra.ts';
import { badField } from '../errors.ts';
import type { Contact } from '../model/contact.ts';
import type { Extra } from '../model/tld.ts';
import { allFields } from '../tlds/all-fields.ts';
import { checkExtra, refuseUnknownFields } from '../tlds/extra.ts';
import { fieldsFor, readCriteria } from './eligibility.ts';
import { placeContactUpdates } from './propagate.ts';

/** Replaces the declaration for one TLD; those for others stay. Registries that know the contact are updated. */
export async function setContactExtra(
  ctx: AppContext,
  actor: Actor,
  customerId: string,
  id: string,
  text: string,
  sent: Extra,
): Promise<Contact> {
  const criteria = await readCriteria(ctx, text);
  const fields = await fieldsFor(ctx, ctx.db.as(allTenants), criteria);
  if (!fields) throw badField('eligibility', `Contacts need no additional fields for .${criteria}.`);
  refuseUnknownFields(await allFields(ctx, ctx.db.as(allTenants)), fields, sent);
  const declaration = checkExtra(fields, sent);
  const updates: string[] = [];
  const contact = await write(ctx, actor, async (tx) => {
    updates.length = 0;
    const { before, after } = await declare(ctx, tx, actor, { customerId, id, name: fields.name, declaration });
    if (after.fingerprint !== before.fingerprint) updates.push(...(await placeContactUpdates(ctx, tx, actor, id)));
    return after;
  });
  for (const operationId of updates) void ctx.engine.start(operationId);
  return contact;
}

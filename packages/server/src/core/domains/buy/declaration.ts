import type { Reader, Tx } from '@namehold/postgres';
import type { Actor, AppContext } from '../../app-context.ts';
import { shareCustomer } from '../../customers/customer.sql.ts';
import { badField } from '../../errors.ts';
import type { Extra, TldRules } from '../../model/tld.ts';
import type { TldFields } from '../../ports/tld-fields.ts';
import { checkExtra, contactField, fieldsOf } from '../../tlds/extra.ts';
import { findContactExtra, ownContacts } from './check-order.sql.ts';
import { declare } from './declare-extra.ts';

/** The contact that carries the fields: the registrant, or another one that the domain names. Null: the domain itself carries them. */
function carrierOf(fields: TldFields, extra: Extra, registrant: string | null): string | null {
  if (fields.carrier === 'domain') return null;
  return (fields.isReferencedByDomain ? extra[contactField(fields)] : undefined) ?? registrant;
}

/** The contact that the domain itself must reference; null: none. */
export function declarantOf(
  ctx: AppContext,
  rules: Pick<TldRules, 'extra_schema'>,
  extra: Extra,
  registrant: string | null,
): string | null {
  const fields = fieldsOf(ctx, rules);
  return fields?.isReferencedByDomain ? carrierOf(fields, extra, registrant) : null;
}

/** The fields of the order, over the earlier declarations of its contacts. */
export async function checkDeclaration(
  db: Reader,
  actor: Actor,
  fields: TldFields,
  order: { readonly customerId: string; readonly registrant: string | null; readonly extra: Extra },
): Promise<Extra> {
  if (fields.carrier === 'domain') return checkExtra(fields, order.extra);
  const own = order.registrant === null ? {} : ((await findContactExtra(db, order.registrant)) ?? {});
  const field = contactField(fields);
  const named = Object.hasOwn(fields.schema.properties, field) ? (order.extra[field] ?? own[field])?.trim() : undefined;
  if (!named) return checkExtra(fields, { ...own, ...order.extra });
  const isOwn = /^[0-9]{1,18}$/.test(named) && (await isOwnContact(db, actor, order.customerId, named));
  if (!isOwn)
    throw badField(
      `extra.${field}`,
      `Contact ${named.slice(0, 20)} is not a contact of customer ${order.customerId}.`,
      'not_found',
    );
  const declared = (await findContactExtra(db, named)) ?? {};
  return checkExtra(fields, { ...own, ...declared, ...order.extra, [field]: named });
}

const isOwnContact = async (db: Reader, actor: Actor, customerId: string, id: string): Promise<boolean> =>
  (await ownContacts(db, actor.resellerId, customerId, [id])).length === 1;

/** In transaction A. Registries keep the declaration on the contact, so a declaration in an order is stored on the contact too. */
export async function declareOnContact(
  ctx: AppContext,
  tx: Tx,
  actor: Actor,
  fields: TldFields | null,
  parties: {
    readonly customerId: string;
    readonly contacts: { readonly registrant: string | null };
    readonly extra: Extra;
  } | null,
): Promise<void> {
  const id = fields && parties && carrierOf(fields, parties.extra, parties.contacts.registrant);
  if (!fields || !parties || !id) return;
  const { [contactField(fields)]: _, ...declaration } = parties.extra;
  // Locks the customer before its contact, in the same order as the deletion of a customer.
  if (!(await shareCustomer(tx, actor.resellerId, parties.customerId)))
    throw badField('customer', 'Customer not found.', 'not_found');
  await declare(ctx, tx, actor, { customerId: parties.customerId, id, name: fields.name, declaration });
}

/** A new registrant must have its own declaration: the declaration of the former registrant does not apply to it. */
export async function requireDeclared(
  ctx: AppContext,
  db: Reader,
  rules: TldRules,
  tld: string,
  registrant: string | null,
): Promise<void> {
  const fields = fieldsOf(ctx, rules);
  if (!fields || fields.carrier === 'domain' || registrant === null) return;
  try {
    checkExtra(fields, (await findContactExtra(db, registrant)) ?? {});
  } catch {
    throw badField(
      'registrant',
      `Contact ${registrant} has no declaration for .${tld} yet. Set its extra fields first.`,
      'required',
    );
  }
}

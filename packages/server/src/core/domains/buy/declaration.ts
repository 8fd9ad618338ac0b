import type { Reader, Tx } from '@namehold/base';
import type { Actor, AppContext } from '../../app-context.ts';
import { shareCustomer } from '../../customers/customer.sql.ts';
import { badField } from '../../errors.ts';
import type { Extra, ExtraClass, TldRules } from '../../model/tld.ts';
import { checkExtra } from '../../tlds/extra.ts';
import { findContactExtra, ownContacts } from './check-order.sql.ts';
import { declare } from './declare-extra.ts';

/**
 * Eligibility for a domain is declared on a contact. .us requires it of the registrant only; under .asia the domain names the contact
 * that declares it.
 */
const carrierOf = (extra: Extra, registrant: string | null): string | null => extra.asia_contact_id ?? registrant;

/** The contact that the domain itself must reference; null: none. */
export const declarantOf = (
  { extra_schema }: Pick<TldRules, 'extra_schema'>,
  extra: Extra,
  registrant: string | null,
): string | null => (extra_schema === 'asia' ? carrierOf(extra, registrant) : null);

const contactField = (kind: ExtraClass) => `${kind}_contact_id` as const;

/** The fields of the order, over the earlier declarations of its contacts. */
export async function checkDeclaration(
  db: Reader,
  actor: Actor,
  kind: ExtraClass,
  order: { readonly customerId: string; readonly registrant: string | null; readonly extra: Extra },
): Promise<Extra> {
  const own = order.registrant === null ? {} : ((await findContactExtra(db, order.registrant)) ?? {});
  const field = contactField(kind);
  const named = (order.extra[field] ?? own[field])?.trim();
  if (!named) return checkExtra(kind, { ...own, ...order.extra });
  const isOwn = /^[0-9]{1,18}$/.test(named) && (await isOwnContact(db, actor, order.customerId, named));
  if (!isOwn)
    throw badField(
      `extra.${field}`,
      `Contact ${named.slice(0, 20)} is not a contact of customer ${order.customerId}.`,
      'not_found',
    );
  const declared = (await findContactExtra(db, named)) ?? {};
  return checkExtra(kind, { ...own, ...declared, ...order.extra, [field]: named });
}

const isOwnContact = async (db: Reader, actor: Actor, customerId: string, id: string): Promise<boolean> =>
  (await ownContacts(db, actor.resellerId, customerId, [id])).length === 1;

/** In transaction A. Registries keep the declaration on the contact, so a declaration in an order is stored on the contact too. */
export async function declareOnContact(
  ctx: AppContext,
  tx: Tx,
  actor: Actor,
  kind: ExtraClass | null,
  parties: {
    readonly customerId: string;
    readonly contacts: { readonly registrant: string | null };
    readonly extra: Extra;
  } | null,
): Promise<void> {
  const id = parties && carrierOf(parties.extra, parties.contacts.registrant);
  if (!kind || !parties || !id) return;
  const { [contactField(kind)]: _, ...declaration } = parties.extra;
  // Locks the customer before its contact, in the same order as the deletion of a customer.
  if (!(await shareCustomer(tx, actor.resellerId, parties.customerId)))
    throw badField('customer', 'Customer not found.', 'not_found');
  await declare(ctx, tx, actor, { customerId: parties.customerId, id, kind, declaration });
}

/** A new registrant must have its own declaration: the declaration of the former registrant does not apply to it. */
export async function requireDeclared(
  db: Reader,
  rules: TldRules,
  tld: string,
  registrant: string | null,
): Promise<void> {
  const kind = rules.extra_schema;
  if (!kind || registrant === null) return;
  try {
    checkExtra(kind, (await findContactExtra(db, registrant)) ?? {});
  } catch {
    throw badField(
      'registrant',
      `Contact ${registrant} has no declaration for .${tld} yet. Set its extra fields first.`,
      'required',
    );
  }
}

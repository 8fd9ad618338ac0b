import type { Tx } from '@namehold/postgres';
import type { AppContext } from '../../app-context.ts';
import { Refusal } from '../../errors.ts';
import { type ContactRole, contactRoles, type Domain, type Roles } from '../../model/domain.ts';
import type { MoveRequest } from '../../model/operation-kinds.ts';
import type { TldRules } from '../../model/tld.ts';
import { listContacts } from '../../tables/contact.sql.ts';
import { contactsOf } from '../../tables/contacts-of.sql.ts';
import { fieldsOf } from '../../tlds/extra.ts';
import { findSame, insertHiddenCopy } from './contacts.sql.ts';

/** The contacts of the domain at its new customer. Idempotent: equal data give the same contact. */
export async function contactsThen(
  ctx: AppContext,
  tx: Tx,
  domain: Domain,
  request: MoveRequest,
  rules: TldRules,
): Promise<Roles> {
  return request.contacts === 'old'
    ? copiesOf(ctx, tx, domain, request)
    : { registrant: null, admin: null, tech: null, billing: null, ...(await defaultFor(ctx, tx, request, rules)) };
}

async function copiesOf(ctx: AppContext, tx: Tx, domain: Domain, request: MoveRequest): Promise<Roles> {
  const owner = { resellerId: request.new_reseller_id, customerId: request.new_customer_id };
  const present = await contactsOf(tx, domain);
  const copied: Record<ContactRole, string | null> = { registrant: null, admin: null, tech: null, billing: null };
  for (const role of contactRoles) {
    const source = present[role];
    if (!source) continue;
    copied[role] =
      (await findSame(tx, owner, source.fingerprint)) ?? (await insertHiddenCopy(tx, owner, source, ctx.clock.now()));
  }
  return copied;
}

/** The oldest active contact that qualifies, in every role that the TLD uses. */
export async function defaultFor(
  ctx: AppContext,
  tx: Tx,
  request: Pick<MoveRequest, 'name' | 'new_reseller_id' | 'new_customer_id'>,
  rules: TldRules,
): Promise<Partial<Roles>> {
  const fields = fieldsOf(ctx, rules);
  const declared = fields?.carrier === 'contact' ? fields.name : undefined;
  const { rows } = await listContacts(
    tx,
    request.new_reseller_id,
    request.new_customer_id,
    { status: 'Active', declared },
    { limit: 1, offset: 0 },
  );
  const [first] = rows;
  if (!first) {
    const need = declared ? ` with the declaration of .${declared}` : '';
    throw new Refusal(
      'conflict',
      `Customer ${request.new_customer_id} has no active contact${need} to become registrant of ${request.name}. Create one first.`,
    );
  }
  const used = contactRoles.filter((role) => !rules.contacts.unused.includes(role));
  return Object.fromEntries(used.map((role) => [role, first.id]));
}

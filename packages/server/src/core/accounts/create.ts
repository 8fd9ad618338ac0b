import { violatedConstraint } from '@namehold/postgres';
import { type Actor, type AppContext, write } from '../app-context.ts';
import { badField, Refusal } from '../errors.ts';
import { findCurrency } from '../reference/currency.ts';
import { type PartyInput, readParty } from '../reference/party.ts';
import { insertChild } from './account.sql.ts';
import type { Reseller } from './account.ts';
import { auditBoth } from './audit-both.ts';
import { hashChosen } from './chosen-password.ts';

interface NewReseller extends PartyInput {
  readonly password: string;
  readonly sellingCurrency: string;
}

/** A child of the caller. It has no key yet: the operator's command line makes one, or the child itself once it can sign in. */
export async function createReseller(ctx: AppContext, actor: Actor, order: NewReseller): Promise<Reseller> {
  const party = readParty(order);
  const currency = readCurrency(order.sellingCurrency);
  // It creates the first owner of the account.
  const passwordHash = await hashChosen(order.password, party.email, 'password', actor);
  try {
    return await write(ctx, actor, async (tx) => {
      const made = await insertChild(tx, {
        ...party,
        parent_id: actor.resellerId,
        selling_currency: currency,
        password_hash: passwordHash,
        created_at: ctx.clock.now(),
      });
      const change = { action: 'reseller.create', objectType: 'reseller', objectId: made.id, after: made };
      await auditBoth(ctx, tx, actor, made.id, change);
      return made;
    });
  } catch (error) {
    if (violatedConstraint(error) === 'reseller_email') throw resellerEmailTaken();
    throw error;
  }
}

export function readCurrency(text: string): string {
  const currency = findCurrency(text);
  if (!currency) throw badField('sellingCurrency', 'Must be an ISO 4217 currency code such as USD.');
  return currency.symbol;
}

export function resellerEmailTaken(): Refusal {
  const message = 'Another reseller under the same parent already uses this email address.';
  return new Refusal('already_exists', `email: ${message}`, { errors: [{ field: 'email', code: 'taken', message }] });
}

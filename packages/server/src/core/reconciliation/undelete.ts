import { type Tx, violatedConstraint } from '@namehold/postgres';
import type { Actor, AppContext } from '../app-context.ts';
import { audit } from '../audit/audit.ts';
import { Refusal } from '../errors.ts';
import { undeleteContactsOf } from '../tables/contact.sql.ts';
import { deletedChain, findOwner, livingDomainsOf, undeleteCustomerRow, undeleteResellerRow } from './undelete.sql.ts';

interface Undeleted {
  readonly noun: 'reseller' | 'customer' | 'contact';
  readonly id: string;
  /** The reseller whose audit log records it. */
  readonly resellerId: string;
}

/**
 * Restores the accounts that the subject of a difference belongs to (`domain 5001`, `reseller 1002`, `account 12`). Returns what was
 * restored.
 */
export async function undelete(ctx: AppContext, tx: Tx, actor: Actor, subject: string): Promise<string[]> {
  const [noun, id] = subject.split(' ') as [string, string];
  const owner = await findOwner(tx, noun, id);
  if (!owner) throw new Refusal('conflict', `${subject} no longer exists. Run namehold verify.`);
  const back = await undeleteOwner(tx, owner.reseller_id, owner.customer_id).catch(asTaken);
  for (const { noun: objectType, id: objectId, resellerId } of back)
    await audit(ctx, tx, actor, { action: `${objectType}.undelete`, objectType, objectId, resellerId });
  return back.map((each) => `${each.noun} ${each.id}`);
}

async function undeleteOwner(tx: Tx, resellerId: string, customerId: string | null): Promise<Undeleted[]> {
  const back: Undeleted[] = [];
  for (const id of await deletedChain(tx, resellerId)) {
    await undeleteResellerRow(tx, id);
    back.push({ noun: 'reseller', id, resellerId: id });
  }
  if (customerId === null) return back;
  if (await undeleteCustomerRow(tx, resellerId, customerId))
    back.push({ noun: 'customer', id: customerId, resellerId });
  for (const domainId of await livingDomainsOf(tx, customerId))
    for (const id of await undeleteContactsOf(tx, domainId)) back.push({ noun: 'contact', id, resellerId });
  return back;
}

/** Another account may use the address of a deleted one. */
function asTaken(error: unknown): never {
  const constraint = violatedConstraint(error);
  if (constraint !== 'customer_email' && constraint !== 'reseller_email') throw error;
  const noun = constraint === 'customer_email' ? 'customer' : 'reseller';
  throw new Refusal(
    'conflict',
    `Another ${noun} now uses the email address of the deleted one. Change that address first.`,
  );
}

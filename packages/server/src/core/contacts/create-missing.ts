import { allTenants } from '@namehold/postgres';
import { systemActor } from '../actors.ts';
import type { AppContext } from '../app-context.ts';
import { findCustomer } from '../customers/customer.sql.ts';
import { Refusal } from '../errors.ts';
import { partyInputOf } from '../reference/party.ts';
import { addContact } from './create.ts';
import { clearMissingContact, customersWithoutContact } from './propagate.sql.ts';

const perRun = 200;

/** The first contact of customers that are older than this feature. */
export async function createMissingContacts(ctx: AppContext): Promise<number> {
  const owed = await customersWithoutContact(ctx.db.as(allTenants), perRun);
  for (const { customer_id, reseller_id } of owed) {
    await ctx.db.transaction(allTenants, async (tx) => {
      await clearMissingContact(tx, customer_id);
      const customer = await findCustomer(tx, reseller_id, customer_id);
      if (!customer) return;
      try {
        await addContact(ctx, tx, systemActor, reseller_id, customer_id, partyInputOf(customer));
      } catch (error) {
        // Older data may fail today's validation; then the reseller must create the contact.
        if (!(error instanceof Refusal)) throw error;
        ctx.log.warn({ customer_id, why: error.message }, 'creating the first contact of a customer failed');
      }
    });
  }
  if (owed.length > 0) ctx.log.info({ contacts: owed.length }, 'created the first contacts of customers');
  return owed.length;
}

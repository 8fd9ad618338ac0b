import { everyTenant } from '@namehold/base';
import { systemActor } from '../accounts/first-accounts.ts';
import { findCustomer } from '../customers/customer.sql.ts';
import { Refusal } from '../errors.ts';
import type { House } from '../house.ts';
import { partyInputOf } from '../reference/party.ts';
import { addContact } from './create.ts';
import { owedContacts, settleOwed } from './owed.sql.ts';

const perRun = 200;

/** The first contact of customers who were there before customers got one. */
export async function makeOwedContacts(house: House): Promise<number> {
  const owed = await owedContacts(house.db.as(everyTenant), perRun);
  for (const { customer_id, reseller_id } of owed) {
    await house.db.transaction(everyTenant, async (tx) => {
      await settleOwed(tx, customer_id);
      const customer = await findCustomer(tx, reseller_id, customer_id);
      if (!customer) return;
      try {
        await addContact(house, tx, systemActor, reseller_id, customer_id, partyInputOf(customer));
      } catch (error) {
        // Older data may not pass today's rules; then the reseller makes the contact, as it would have had to before.
        if (!(error instanceof Refusal)) throw error;
        house.log.warn({ customer_id, why: error.message }, 'a customer has no first contact');
      }
    });
  }
  return owed.length;
}

import { audit } from '../audit/audit.ts';
import { notFound, Refusal } from '../errors.ts';
import { type Actor, type House, write } from '../house.ts';
import { customerInUse, deleteCustomerRows, lockCustomer } from './customer.sql.ts';

/** A customer with active orders stays. What was done for a deleted one can still be read in the audit log and the ledger. */
export async function deleteCustomer(house: House, actor: Actor, id: string): Promise<{ id: string }> {
  return write(house, actor, async (tx) => {
    const before = await lockCustomer(tx, actor.resellerId, id);
    if (!before) throw notFound('customer');
    const use = await customerInUse(tx, id);
    if (use) {
      const more = use.domains > 1 ? ` and ${use.domains - 1} more` : '';
      throw new Refusal('in_use', `the customer has active orders: ${use.name}${more}; delete or move them first`);
    }
    await deleteCustomerRows(tx, actor.resellerId, id, house.clock.now());
    await audit(house, tx, actor, { action: 'customer.delete', objectType: 'customer', objectId: id, before });
    return { id };
  });
}

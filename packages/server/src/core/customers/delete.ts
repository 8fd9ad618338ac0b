import { formatMoney, money } from '@namehold/base';
import type { Tx } from '@namehold/postgres';
import { type Actor, type AppContext, write } from '../app-context.ts';
import { audit } from '../audit/audit.ts';
import { notFound, Refusal } from '../errors.ts';
import { owedByCustomer, readCustomerBalance } from '../ledger/ledger.sql.ts';
import { customerInUse, deleteCustomerRows, findMoveTo, lockCustomerForDeletion } from './customer.sql.ts';
import type { Customer } from './customer.ts';

/** A customer with active orders, money or open bills cannot be deleted. Its history stays readable in the audit log and the ledger. */
export async function deleteCustomer(ctx: AppContext, actor: Actor, id: string): Promise<{ id: string }> {
  return write(ctx, actor, async (tx) => {
    const before = await lockCustomerForDeletion(tx, actor.resellerId, id);
    if (!before) throw notFound('customer');
    const use = await customerInUse(tx, id);
    if (use) {
      const more = use.domains > 1 ? ` and ${use.domains - 1} more` : '';
      throw new Refusal(
        'in_use',
        `The customer has active orders: ${use.name}${more}. Delete or move the domains and cancel waiting orders first.`,
      );
    }
    const moving = await findMoveTo(tx, actor.resellerId, id);
    if (moving !== null)
      throw new Refusal('in_use', `${moving} is being moved to this customer. Wait until the move is finished.`);
    await refuseWithMoney(tx, before);
    await deleteCustomerRows(tx, actor.resellerId, id, ctx.clock.now());
    await audit(ctx, tx, actor, { action: 'customer.delete', objectType: 'customer', objectId: id, before });
    return { id };
  });
}

async function refuseWithMoney(tx: Tx, { id, reseller_id, currency }: Customer): Promise<void> {
  const { bill, bills } = await owedByCustomer(tx, reseller_id, id);
  if (bill !== null) {
    const more = bills > 1 ? ` and ${bills - 1} more` : '';
    throw new Refusal('in_use', `The customer has open bills: ${bill}${more}. Pay or cancel them first.`, {
      facts: { transaction_id: bill },
    });
  }
  const { available } = await readCustomerBalance(tx, reseller_id, id, currency);
  if (available === 0n) return;
  if (available < 0n)
    throw new Refusal(
      'in_use',
      `The customer owes ${formatMoney(money(-available, currency))} ${currency} after a chargeback. A deposit settles it.`,
    );
  const balance = { amount: formatMoney(money(available, currency)), currency };
  throw new Refusal(
    'in_use',
    `The customer has a balance of ${balance.amount} ${currency}. Pay it out and record a debit note first.`,
    { facts: { balance } },
  );
}

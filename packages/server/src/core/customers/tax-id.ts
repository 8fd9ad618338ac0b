import { audit } from '../audit/audit.ts';
import { notFound } from '../errors.ts';
import { type Actor, type House, write } from '../house.ts';
import { findTaxId, lockCustomer, setTaxId } from './customer.sql.ts';

/** Null: a private person. */
export async function readTaxId(house: House, actor: Actor, id: string): Promise<string | null> {
  const found = await findTaxId(house.db.as(actor.resellerId), actor.resellerId, id);
  if (!found) throw notFound('customer');
  return found.tax_id;
}

/** For documents that come later; issued ones keep what they show. */
export async function changeTaxId(
  house: House,
  actor: Actor,
  id: string,
  taxId: string | null,
): Promise<string | null> {
  return write(house, actor, async (tx) => {
    if (!(await lockCustomer(tx, actor.resellerId, id))) throw notFound('customer');
    const before = await findTaxId(tx, actor.resellerId, id);
    await setTaxId(tx, actor.resellerId, id, taxId);
    await audit(house, tx, actor, {
      action: 'customer.tax_id',
      objectType: 'customer',
      objectId: id,
      before: before ?? null,
      after: { tax_id: taxId },
    });
    return taxId;
  });
}

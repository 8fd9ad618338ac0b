import { type Actor, type AppContext, write } from '../app-context.ts';
import { audit } from '../audit/audit.ts';
import { notFound } from '../errors.ts';
import { findTaxId, lockCustomer, setTaxId } from './customer.sql.ts';

/** Null: a private individual. */
export async function readTaxId(ctx: AppContext, actor: Actor, id: string): Promise<string | null> {
  const found = await findTaxId(ctx.db.as(actor.resellerId), actor.resellerId, id);
  if (!found) throw notFound('customer');
  return found.tax_id;
}

/** For later documents; issued ones stay unchanged. */
export async function changeTaxId(
  ctx: AppContext,
  actor: Actor,
  id: string,
  taxId: string | null,
): Promise<string | null> {
  return write(ctx, actor, async (tx) => {
    if (!(await lockCustomer(tx, actor.resellerId, id))) throw notFound('customer');
    const before = await findTaxId(tx, actor.resellerId, id);
    await setTaxId(tx, actor.resellerId, id, taxId);
    await audit(ctx, tx, actor, {
      action: 'customer.tax_id',
      objectType: 'customer',
      objectId: id,
      before: before ?? null,
      after: { tax_id: taxId },
    });
    return taxId;
  });
}

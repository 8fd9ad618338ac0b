import type { Actor, AppContext } from '../app-context.ts';
import { Refusal } from '../errors.ts';
import { findInvoice } from './invoice.sql.ts';
import { readInvoice } from './list.ts';
import { findLetterhead } from './settings.sql.ts';

/** In a worker: fonts and images take time. */
export async function printInvoice(ctx: AppContext, actor: Actor, id: string): Promise<Uint8Array> {
  const invoice = await readInvoice(ctx, actor, id);
  const { resellerId, customerId } = actor;
  const db = ctx.db.as(resellerId);
  const corrected =
    invoice.corrects_id === null ? undefined : await findInvoice(db, resellerId, invoice.corrects_id, customerId);
  const { footer, logo } = await findLetterhead(db, invoice.reseller_id);
  if (!ctx.workers) throw new Refusal('unavailable', 'PDF documents can only be created by a running service.');
  return ctx.workers.print(actor, { invoice, correctsNumber: corrected?.number ?? null, footer, logo });
}

import { Refusal } from '../errors.ts';
import type { Actor, House } from '../house.ts';
import { findInvoice } from './invoice.sql.ts';
import { readInvoice } from './list.ts';
import { findLetterhead } from './settings.sql.ts';

/** Beside the main thread: fonts and pictures take their time. */
export async function printInvoice(house: House, actor: Actor, id: string): Promise<Uint8Array> {
  const invoice = await readInvoice(house, actor, id);
  const { resellerId, customerId } = actor;
  const db = house.db.as(resellerId);
  const corrected =
    invoice.corrects_id === null ? undefined : await findInvoice(db, resellerId, invoice.corrects_id, customerId);
  const { footer, logo } = await findLetterhead(db, invoice.reseller_id);
  if (!house.workshop) throw new Refusal('unavailable', 'PDF documents can only be created by a running service.');
  return house.workshop.print(actor, { invoice, correctsNumber: corrected?.number ?? null, footer, logo });
}

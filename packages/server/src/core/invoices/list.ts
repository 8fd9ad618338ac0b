import type { Actor, AppContext } from '../app-context.ts';
import { badField, notFound } from '../errors.ts';
import type { Invoice } from '../model/invoice.ts';
import type { Listed, Page } from '../page.ts';
import { findInvoice, type InvoiceFilter, selectInvoices } from './invoice.sql.ts';

interface WantedInvoices extends Omit<InvoiceFilter, 'isOverdueOn' | 'recipientId'> {
  readonly isOverdue?: boolean | undefined;
}

export async function listInvoices(
  ctx: AppContext,
  actor: Actor,
  { isOverdue, ...filter }: WantedInvoices,
  page: Page,
): Promise<Listed<Invoice>> {
  if (filter.customerId && filter.resellerId)
    throw badField('resellerId', 'A document has one buyer: send either a customer or a sub-reseller.');
  if (filter.isReceived && (filter.customerId || filter.resellerId))
    throw badField(
      filter.customerId ? 'customerId' : 'resellerId',
      'This filter is for documents that you sent, not for those that you received.',
    );
  const isOverdueOn = isOverdue ? ctx.clock.now().toISOString().slice(0, 10) : undefined;
  const { resellerId, customerId: recipientId } = actor;
  return selectInvoices(ctx.db.as(resellerId), resellerId, { ...filter, isOverdueOn, recipientId }, page);
}

export async function readInvoice(ctx: AppContext, actor: Actor, id: string): Promise<Invoice> {
  const invoice = await findInvoice(ctx.db.as(actor.resellerId), actor.resellerId, id, actor.customerId);
  if (!invoice) throw notFound('invoice');
  return invoice;
}

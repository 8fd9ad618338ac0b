import { z } from 'zod';
import type { AppContext } from '../../../../core/app-context.ts';
import { draftPurchase } from '../../../../core/domains/buy/draft-purchase.ts';
import type { Purchase, PurchaseOrder } from '../../../../core/domains/buy/purchase.ts';
import { sell } from '../../../../core/domains/orders/sell.ts';
import type { Operation } from '../../../../core/model/operation.ts';
import type { DomainKind } from '../../../../core/model/operation-kinds.ts';
import type { Invoicing } from '../../../../core/quotes/draft.ts';
import { badParameter } from '../../../errors.ts';
import type { Caller } from '../../../route.ts';
import { dryRunView, showDryRun } from '../../quotes/quote-view.ts';
import { orderView, runAndAnswer } from '../operation-answer.ts';
import { showWaiting, waitingView } from './waiting-view.ts';

/** The response of a billable call: the fields of the order, or with dry_run=true the price and what would happen. */
export const orderOrDryRun = z.union([orderView, waitingView, dryRunView]);

/** The result of a billable call: ordered, waiting, or a dry run. */
export async function answerPurchase<K extends DomainKind, Order extends PurchaseOrder, Checked>(
  ctx: AppContext,
  caller: Caller,
  purchase: Purchase<K, Order, Checked>,
  order: Order,
  options: {
    readonly invoicing: Invoicing;
    readonly isDryRun: boolean;
    readonly show?: (operation: Operation) => unknown;
  },
) {
  const { invoicing, isDryRun, show } = options;
  if (caller.customerId !== undefined && invoicing !== 'pay')
    throw badParameter('invoice_option', 'Must be pay_invoice, because you pay from your balance.');
  if (isDryRun) return showDryRun(await draftPurchase(ctx, caller, purchase, order, invoicing));
  const ordered = await sell(ctx, caller, purchase, order, invoicing);
  return ordered.kind === 'waits' ? showWaiting(ordered.waiting) : runAndAnswer(ctx, caller, ordered.operationId, show);
}

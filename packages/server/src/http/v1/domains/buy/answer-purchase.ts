import { z } from 'zod';
import { draftPurchase } from '../../../../core/domains/buy/draft-purchase.ts';
import { orderPurchase } from '../../../../core/domains/buy/order-purchase.ts';
import type { Purchase, PurchaseOrder } from '../../../../core/domains/buy/purchase.ts';
import type { House } from '../../../../core/house.ts';
import type { DomainKind } from '../../../../core/operations/kinds.ts';
import type { Operation } from '../../../../core/operations/operation.ts';
import type { Caller } from '../../../route.ts';
import { dryRunView, showDryRun } from '../../quotes/quote-view.ts';
import { orderView, runAndAnswer } from '../operation-answer.ts';

/** What a billable call answers: the fields of the order, or with dry_run=true those that say what it would cost and what would happen. */
export const orderOrDryRun = z.union([orderView, dryRunView]);

/** The answer of every billable call: ordered and run, or only said. */
export async function answerPurchase<K extends DomainKind, Order extends PurchaseOrder, Checked>(
  house: House,
  caller: Caller,
  purchase: Purchase<K, Order, Checked>,
  order: Order,
  options: { readonly isDryRun: boolean; readonly show?: (operation: Operation) => unknown },
) {
  if (options.isDryRun) return showDryRun(await draftPurchase(house, caller, purchase, order));
  return runAndAnswer(house, caller, await orderPurchase(house, caller, purchase, order), options.show);
}

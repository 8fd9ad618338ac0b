import type { AppContext } from '../../../core/app-context.ts';
import type { Security } from '../../../core/model/account-security.ts';
import type { Operation } from '../../../core/model/operation.ts';
import { showSecurity } from '../account/security.ts';
import { showPrivacyPurchase } from '../domains/buy/privacy.ts';
import { showChildHost, showUpdate } from '../domains/change/update-answer.ts';
import { showDeletion } from '../domains/end/delete.ts';
import { showOrder } from '../domains/operation-answer.ts';

/** Operations whose calls return more than the order. A repeated request must get the same response. */
const shows: Readonly<Record<string, (operation: Operation, ctx: AppContext) => unknown>> = {
  delete: showDeletion,
  update: showUpdate,
  child_host: showChildHost,
  buy_privacy: showPrivacyPurchase,
  account_security: (operation) => showSecurity(operation.outcome as unknown as Security),
};

export function showOf(ctx: AppContext, kind: string): (operation: Operation) => unknown {
  const show = shows[kind] ?? showOrder;
  return (operation) => show(operation, ctx);
}

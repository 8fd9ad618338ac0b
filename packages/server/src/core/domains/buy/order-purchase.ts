import { formatMoney, type Money, type Tx, violatedConstraint } from '@namehold/base';
import { audit } from '../../audit/audit.ts';
import { Refusal } from '../../errors.ts';
import type { Actor, House } from '../../house.ts';
import { hold } from '../../ledger/hold.ts';
import type { DomainKind } from '../../operations/kinds.ts';
import { asInProgress, placeOperation } from '../../operations/order.ts';
import { draftQuote } from '../../quotes/draft.ts';
import { passPriceGuard } from '../../quotes/guard.ts';
import type { Purchase, PurchaseOrder } from './purchase.ts';

/** Orders whatever is sold: checked, then placed in one transaction. Answers with the id of the operation to be run. */
export async function orderPurchase<K extends DomainKind, Order extends PurchaseOrder, Checked>(
  house: House,
  actor: Actor,
  purchase: Purchase<K, Order, Checked>,
  order: Order,
): Promise<string> {
  const { kind } = purchase.workflow;
  const checked = await purchase.check(house, actor, order);
  try {
    house.point(`${kind}:before-order`);
    return await house.db.transaction(actor.resellerId, (tx) => place(house, tx, actor, purchase, order, checked));
  } catch (error) {
    // The same words as for a name that is taken anywhere: who is on the platform is nobody's business.
    if (violatedConstraint(error) === 'domain_name_once') throw new Refusal('domain_not_available');
    asInProgress(error);
  } finally {
    house.point(`${kind}:after-order`);
  }
}

/** Transaction A: price, operation, guard, hold, audit. From its commit on nothing can be forgotten. */
async function place<K extends DomainKind, Order extends PurchaseOrder, Checked>(
  house: House,
  tx: Tx,
  actor: Actor,
  purchase: Purchase<K, Order, Checked>,
  order: Order,
  before: Checked,
): Promise<string> {
  const now = house.clock.now();
  const { resellerId } = actor;
  const checked = purchase.checkLocked ? await purchase.checkLocked(house, tx, actor, order, before) : before;
  const [draft, { domainId, isNew, registryId }] = await Promise.all([
    draftQuote(tx, { ...purchase.price(order, checked, now), resellerId, at: now }),
    purchase.subject(tx, actor, order, checked, now),
  ]);
  const request = purchase.request(order, checked, now);
  return placeOperation<K>(house, tx, actor, {
    kind: purchase.workflow.kind,
    domainId,
    isNewDomain: isNew,
    registryId,
    request,
    ...(purchase.secrets ? { secrets: purchase.secrets(order) } : {}),
    async transactionId(operationId) {
      await passPriceGuard(tx, { resellerId, operationId, now }, draft, order.guard);
      const { levels, cost, bill, years } = draft;
      return hold(house, tx, {
        levels,
        operationId,
        domainId,
        years,
        ...bill,
        ...(cost ? { registryCost: cost } : {}),
      });
    },
    alongside: (id) =>
      Promise.all([
        audit(house, tx, actor, {
          action: `domain.${draft.kind}`,
          objectType: 'domain',
          objectId: domainId,
          after: { ...request, operation_id: id, total: show(draft.total) },
        }),
        purchase.placed?.(tx, order, checked, id, now),
      ]),
  });
}

const show = (total: Money): string => `${formatMoney(total)} ${total.currency}`;

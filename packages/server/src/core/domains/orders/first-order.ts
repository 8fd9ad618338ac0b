import { money, type Tx } from '@namehold/base';
import { Refusal } from '../../errors.ts';
import type { House } from '../../house.ts';
import type { DomainKind } from '../../operations/kinds.ts';
import type { PurchaseOrder } from '../buy/purchase.ts';
import { sealedFor, type Waiting } from './waiting.ts';
import { findUnpaidOrder, lockName } from './waiting-order.sql.ts';

interface SecondOrder {
  readonly resellerId: string;
  readonly customerId?: string | undefined;
  /** Orders for a domain that its customer has name it. */
  readonly domainId?: string | null | undefined;
  readonly kind: DomainKind;
  readonly order: PurchaseOrder;
  readonly domainName: string;
}

/** What an order says, but for how its name is written and what it may cost. */
const contentOf = (order: object): string => JSON.stringify({ ...order, domainName: null, guard: null });

/**
 * The same order for a new domain sent twice is one order: the one that waits already. Another order for the same name is refused until the first is
 * paid, run or cancelled. Undefined: it is the first. Until the transaction ends no other order of the customer for the name comes in between.
 */
export async function firstOrder(
  house: House,
  tx: Tx,
  second: SecondOrder,
): Promise<Omit<Waiting, 'price' | 'warnings'> | undefined> {
  const { resellerId, customerId, domainName } = second;
  if (customerId === undefined || (second.domainId ?? null) !== null) return undefined;
  await lockName(tx, resellerId, customerId, domainName);
  const first = await findUnpaidOrder(tx, resellerId, customerId, domainName);
  if (!first) return undefined;
  const recorded = JSON.parse(house.vault.open(first.order_sealed, sealedFor(first.transaction_id))) as object;
  if (first.kind !== second.kind || contentOf(recorded) !== contentOf(second.order))
    throw new Refusal(
      'conflict',
      `order ${first.transaction_id} for ${domainName} already waits for its payment: pay, execute or cancel it first`,
      { facts: { transaction_id: first.transaction_id, domain_id: first.domain_id } },
    );
  return {
    transactionId: first.transaction_id,
    domainId: first.domain_id,
    domainName,
    customerId: first.customer_id,
    customerPrice: money(BigInt(first.amount), first.currency),
    expiresAt: first.expires_at,
  };
}

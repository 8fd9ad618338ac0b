import { money, type Tx } from '@namehold/base';
import { Refusal } from '../../errors.ts';
import type { House } from '../../house.ts';
import type { DomainKind } from '../../operations/kinds.ts';
import type { PurchaseOrder } from '../buy/purchase.ts';
import { sealedFor, type Waiting } from './waiting.ts';
import { findOrdersOfKind, findUnpaidOrder, lockName, type UnpaidOrder } from './waiting-order.sql.ts';

interface SecondOrder {
  readonly resellerId: string;
  readonly customerId?: string | undefined;
  /** Orders for a domain that its customer has name it. */
  readonly domainId?: string | null | undefined;
  readonly kind: DomainKind;
  readonly order: PurchaseOrder;
  readonly domainName: string;
}

interface First {
  readonly row: UnpaidOrder;
  readonly isSame: boolean;
}

/** What an order says, but for how its domain is named and what it may cost. */
const notContent = ['domainName', 'domain', 'customerId', 'guard'];
const contentOf = (order: object): string =>
  JSON.stringify(Object.entries(order).filter(([key, value]) => !notContent.includes(key) && value !== undefined));

/** The expiry that a renewal was ordered with. One of an earlier term can never run, and is in nobody's way. */
const termOf = (order: object): unknown => ('currentDate' in order ? order.currentDate : undefined);

/**
 * The same order sent twice is one order: the one that waits already. Another order for the same name is refused until the first is paid, run or
 * cancelled; for a domain that the customer has, another order of the same kind and term. Undefined: it is the first. Until the transaction ends no
 * other order of the customer for the name comes in between.
 */
export async function firstOrder(
  house: House,
  tx: Tx,
  second: SecondOrder,
): Promise<Omit<Waiting, 'price' | 'warnings'> | undefined> {
  const first = await findFirst(house, tx, second);
  if (!first) return undefined;
  if (!first.isSame) throw stillWaits(first.row, second.domainName);
  const { transaction_id, domain_id, customer_id, amount, currency, expires_at } = first.row;
  return {
    transactionId: transaction_id,
    domainId: domain_id,
    domainName: second.domainName,
    customerId: customer_id,
    customerPrice: money(BigInt(amount), currency),
    expiresAt: expires_at,
  };
}

/** An order that runs at once and leaves its bill open would be a second open bill for the same thing. */
export async function refuseSecondBill(house: House, tx: Tx, second: SecondOrder): Promise<void> {
  const first = await findFirst(house, tx, second);
  if (first) throw stillWaits(first.row, second.domainName);
}

async function findFirst(house: House, tx: Tx, second: SecondOrder): Promise<First | undefined> {
  const { resellerId, customerId, domainName, kind, order } = second;
  if (customerId === undefined) return undefined;
  await lockName(tx, resellerId, customerId, domainName);
  const domainId = second.domainId ?? null;
  if (domainId === null) {
    const row = await findUnpaidOrder(tx, resellerId, customerId, domainName);
    return row && { row, isSame: row.kind === kind && contentOf(recorded(house, row)) === contentOf(order) };
  }
  for (const row of await findOrdersOfKind(tx, { resellerId, customerId, domainId, kind })) {
    const before = recorded(house, row);
    if (termOf(before) === termOf(order)) return { row, isSame: contentOf(before) === contentOf(order) };
  }
  return undefined;
}

const recorded = (house: House, row: UnpaidOrder): object =>
  JSON.parse(house.vault.open(row.order_sealed, sealedFor(row.transaction_id))) as object;

const stillWaits = ({ transaction_id, domain_id }: UnpaidOrder, domainName: string): Refusal =>
  new Refusal(
    'conflict',
    `Order ${transaction_id} for ${domainName} is already waiting for payment. Pay, execute or cancel it first.`,
    { facts: { transaction_id, domain_id } },
  );

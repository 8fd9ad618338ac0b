import { money } from '@namehold/base';
import type { Tx } from '@namehold/postgres';
import type { AppContext } from '../../app-context.ts';
import { Refusal } from '../../errors.ts';
import type { DomainKind } from '../../model/operation-kinds.ts';
import { findOpenOperation } from '../../operations/operation.sql.ts';
import { inProgress } from '../../operations/order.ts';
import type { PurchaseOrder } from '../buy/purchase.ts';
import { encryptionContextOf, type Waiting } from './waiting.ts';
import { findHeldName, findOrdersOfKind, findUnpaidOrder, lockName, type UnpaidOrder } from './waiting-order.sql.ts';

interface SecondOrder {
  readonly resellerId: string;
  readonly customerId?: string | undefined;
  /** Set for an order for a domain that its customer already has. */
  readonly domainId?: string | null | undefined;
  readonly kind: DomainKind;
  readonly order: PurchaseOrder;
  readonly domainName: string;
}

type Placed = Omit<SecondOrder, 'order'>;

interface First {
  readonly row: UnpaidOrder;
  readonly isSame: boolean;
}

/** The content of an order, without the form in which its domain is given and without its price limit. */
const notContent = ['domainName', 'domain', 'customerId', 'guard'];
const contentOf = (order: object): string =>
  JSON.stringify(Object.entries(order).filter(([key, value]) => !notContent.includes(key) && value !== undefined));

/** The expiry date with which a renewal was ordered. An order for an earlier term can never run, so it blocks nothing. */
const termOf = (order: object): unknown => ('currentDate' in order ? order.currentDate : undefined);

/**
 * The same order sent twice is one order: the one that waits already. Another order for the same domain is refused until the first is
 * paid, run or cancelled; for a domain that the customer has, another order of the same kind and term. Undefined: it is the first. A
 * lock excludes concurrent orders of the customer for the domain until the transaction ends.
 */
export async function firstOrder(
  ctx: AppContext,
  tx: Tx,
  second: SecondOrder,
): Promise<Omit<Waiting, 'price' | 'warnings'> | undefined> {
  const first = await findFirst(ctx, tx, second);
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

/**
 * For an order that runs at once: the refusal if an equal order waits for payment, which would be left behind as a second open bill. A
 * lock excludes concurrent waiting orders of the customer for the domain until the transaction ends.
 */
export async function refusalOfDuplicate(ctx: AppContext, tx: Tx, second: SecondOrder): Promise<Refusal | undefined> {
  const first = await findFirst(ctx, tx, second);
  return first && stillWaits(first.row, second.domainName);
}

/** For an order that starts to wait: an equal order may have been placed since it was checked. The domain name is locked already. */
export async function refusePlaced(tx: Tx, { resellerId, customerId, domainId, domainName, kind }: Placed) {
  if (domainId) {
    const open = await findOpenOperation(tx, domainId);
    if (open?.kind === kind) throw inProgress(open);
    return;
  }
  const heldAs = customerId && (await findHeldName(tx, resellerId, customerId, domainName));
  if (!heldAs) return;
  if (kind === 'register') throw new Refusal('domain_not_available');
  throw new Refusal('operation_in_progress', `${domainName} is already ordered, as domain ${heldAs}.`, {
    facts: { domainId: heldAs },
    retryAfterSeconds: 60,
  });
}

async function findFirst(ctx: AppContext, tx: Tx, second: SecondOrder): Promise<First | undefined> {
  const { resellerId, customerId, domainName, kind, order } = second;
  if (customerId === undefined) return undefined;
  const domainId = second.domainId ?? null;
  // The statements are sent together and run in sequence, so the second sees what was committed before the lock was granted.
  const locked = lockName(tx, resellerId, customerId, domainName);
  if (domainId === null) {
    const [row] = await Promise.all([findUnpaidOrder(tx, resellerId, customerId, domainName), locked]);
    return row && { row, isSame: row.kind === kind && contentOf(recorded(ctx, row)) === contentOf(order) };
  }
  const [rows] = await Promise.all([findOrdersOfKind(tx, { resellerId, customerId, domainId, kind }), locked]);
  for (const row of rows) {
    const before = recorded(ctx, row);
    if (termOf(before) === termOf(order)) return { row, isSame: contentOf(before) === contentOf(order) };
  }
  return undefined;
}

const recorded = (ctx: AppContext, row: UnpaidOrder): object =>
  JSON.parse(ctx.vault.open(row.order_sealed, encryptionContextOf(row.transaction_id))) as object;

const stillWaits = ({ transaction_id, domain_id }: UnpaidOrder, domainName: string): Refusal =>
  new Refusal(
    'conflict',
    `Order ${transaction_id} for ${domainName} is already waiting for payment. Pay it, run it without payment, or cancel it first.`,
    { facts: { transaction_id, domain_id } },
  );

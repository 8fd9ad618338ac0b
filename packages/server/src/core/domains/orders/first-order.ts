import { money, type Tx } from '@namehold/base';
import type { AppContext } from '../../app-context.ts';
import { Refusal } from '../../errors.ts';
import type { DomainKind } from '../../operations/kinds.ts';
import { findOpenOperation } from '../../operations/operation.sql.ts';
import { inProgress } from '../../operations/order.ts';
import type { PurchaseOrder } from '../buy/purchase.ts';
import { encryptionContextOf, type Waiting } from './waiting.ts';
import { findHeldName, findOrdersOfKind, findUnpaidOrder, lockName, type UnpaidOrder } from './waiting-order.sql.ts';

interface SecondOrder {
  readonly resellerId: string;
  readonly customerId?: string | undefined;
  /** Orders for a domain that its customer has name it. */
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
 * Before an order that runs at once: the refusal of it where an equal order waits for payment. It would leave that order behind as a second open
 * bill. Until the transaction ends no order of the customer for the name can begin to wait.
 */
export async function refusalOfSecond(ctx: AppContext, tx: Tx, second: SecondOrder): Promise<Refusal | undefined> {
  const first = await findFirst(ctx, tx, second);
  return first && stillWaits(first.row, second.domainName);
}

/** Before an order begins to wait: an equal order may have been placed since it was checked. The name is locked already. */
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
  // The statements leave together and run one after the other: the second sees what was committed before the lock was granted.
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
    `Order ${transaction_id} for ${domainName} is already waiting for payment. Pay, execute or cancel it first.`,
    { facts: { transaction_id, domain_id } },
  );

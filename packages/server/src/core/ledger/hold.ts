import { formatMoney, money } from '@namehold/base';
import type { Reader, Tx } from '@namehold/postgres';
import type { AppContext } from '../app-context.ts';
import { Refusal } from '../errors.ts';
import { findSuspendedLevel, holdPurchase } from './ledger.sql.ts';
import type { Bill, Purchase } from './ledger.ts';

/** The buyer's transaction, and that of its customer where one is billed. */
export interface Held {
  readonly transactionId: string;
  readonly billId: string | null;
}

/**
 * Holds the price at every level of the buyer's chain, or at none, and returns the buyer's transaction id. A second hold for the same
 * operation returns the id of the first.
 */
export async function hold(ctx: Pick<AppContext, 'clock'>, tx: Tx, purchase: Purchase): Promise<string> {
  return (await holdBilled(ctx, tx, purchase)).transactionId;
}

/** The same, with the level of the buyer's customer if it is billed. */
export async function holdBilled(ctx: Pick<AppContext, 'clock'>, tx: Tx, purchase: Purchase): Promise<Held> {
  const result = await holdPurchase(tx, ctx.clock.now(), purchase);
  if (result.transaction_id !== null) return { transactionId: result.transaction_id, billId: result.bill_id };
  if (result.inactive_place !== null) throw inactive(result.inactive_place);
  if (result.lacking_place === 0) throw new InsufficientBalance(purchase.bill!, BigInt(result.missing ?? 0));
  const own = purchase.levels[0]!;
  if (result.lacking_place === 1) {
    const missing = {
      amount: formatMoney(money(BigInt(result.missing ?? 0), own.amount.currency)),
      currency: own.amount.currency,
    };
    throw new Refusal(
      'insufficient_funds',
      `The balance does not cover this purchase of ${formatMoney(own.amount)} ${own.amount.currency}: ${missing.amount} ${missing.currency} is missing.`,
      { facts: { missing } },
    );
  }
  // The parent's figures are not disclosed to the buyer.
  throw new Refusal(
    'insufficient_funds',
    'Your parent reseller cannot cover this purchase at the moment. Nothing was charged.',
    {
      facts: { missing: null, lacking: 'parent' },
    },
  );
}

/** The balance of the customer does not cover its bill. */
export class InsufficientBalance extends Refusal {
  readonly lacking: bigint;
  constructor({ customerId, amount }: Pick<Bill, 'customerId' | 'amount'>, lacking: bigint) {
    const missing = { amount: formatMoney(money(lacking, amount.currency)), currency: amount.currency };
    super(
      'insufficient_funds',
      `The balance of customer ${customerId} does not cover ${formatMoney(amount)} ${amount.currency}: ${missing.amount} ${missing.currency} is missing. Add money to it first. Nothing was charged.`,
      { facts: { missing, lacking: 'customer' } },
    );
    this.lacking = lacking;
  }
}

/** Refuses like a hold if this account or one above it is not active. Does not check the balance. */
export async function refuseInactiveChain(db: Reader, resellerId: string): Promise<void> {
  const level = await findSuspendedLevel(db, resellerId);
  if (level !== null) throw inactive(level);
}

/** The buyer does not learn which account above it is inactive, or why. */
function inactive(level: number): Refusal {
  const isOwn = level === 1;
  const whose = isOwn ? 'This account' : 'An account above yours';
  return new Refusal(
    'account_suspended',
    `${whose} is not active, so no paid orders are possible. Nothing was charged.`,
    { facts: { suspended: isOwn ? 'own' : 'parent' } },
  );
}

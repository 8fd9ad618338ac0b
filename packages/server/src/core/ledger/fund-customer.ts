import { formatMoney } from '@namehold/base';
import { audit } from '../audit/audit.ts';
import { appendEvent } from '../events/append.ts';
import { type Actor, type House, writeWide } from '../house.ts';
import { type Charge, positiveMoney, postMoney } from './fund.ts';
import { addCustomerReceipts } from './ledger.sql.ts';
import type { Transaction } from './ledger.ts';

/** A customer as its reseller has just read it; who it belongs to has been checked by that read. */
export interface ChargedCustomer {
  readonly customerId: string;
  /** In which its balance is kept. */
  readonly currency: string;
}

export async function fundCustomer(
  house: House,
  actor: Actor,
  customer: ChargedCustomer,
  charge: Charge,
): Promise<Transaction> {
  return changeCustomer(house, actor, customer, charge, { posting: 'fund', receipts: 1n });
}

export async function debitCustomer(
  house: House,
  actor: Actor,
  customer: ChargedCustomer,
  charge: Charge & { readonly subtractTotalReceipts?: boolean },
): Promise<Transaction> {
  const receipts = charge.subtractTotalReceipts ? -1n : 0n;
  return changeCustomer(house, actor, customer, charge, { posting: 'debit', receipts });
}

async function changeCustomer(
  house: House,
  actor: Actor,
  { customerId, currency }: ChargedCustomer,
  charge: Charge,
  kind: { readonly posting: 'fund' | 'debit'; readonly receipts: bigint },
): Promise<Transaction> {
  const amount = positiveMoney(charge.amount, currency);
  const { resellerId } = actor;
  const { posting } = kind;
  return writeWide(house, actor, async (tx) => {
    const transaction = await postMoney(house, tx, {
      posting,
      funderId: resellerId,
      resellerId,
      customerId,
      amount,
      description: charge.description,
    });
    if (kind.receipts !== 0n) await addCustomerReceipts(tx, resellerId, customerId, amount.amount * kind.receipts);
    const action = posting === 'fund' ? 'customer.fund' : 'customer.debit_note';
    await audit(house, tx, actor, { action, objectType: 'transaction', objectId: transaction.id, after: transaction });
    await appendEvent(house, tx, {
      resellerId,
      type: posting === 'fund' ? 'customer.funded' : 'customer.debited',
      objectId: customerId,
      requestId: actor.requestId,
      payload: {
        transaction_id: transaction.id,
        amount: { amount: formatMoney(amount), currency: amount.currency },
      },
    });
    return transaction;
  });
}

import type { Actor } from '../../app-context.ts';
import { Refusal } from '../../errors.ts';
import { InsufficientBalance } from '../../ledger/hold.ts';

/** Refusals of a customer's order in the customer's terms. They reveal nothing about the balance or status of the reseller. */
export async function inCustomersTerms<T>(
  { customerId }: Pick<Actor, 'customerId'>,
  work: () => Promise<T>,
): Promise<T> {
  if (customerId === undefined) return work();
  try {
    return await work();
  } catch (error) {
    throw error instanceof Refusal ? withReported(error) : error;
  }
}

function withReported(error: Refusal): Refusal {
  const nothing = 'Nothing was charged.';
  if (error instanceof InsufficientBalance) {
    const { missing } = error.details.facts as { missing: { amount: string; currency: string } };
    return new Refusal(
      'insufficient_funds',
      `Your balance is ${missing.currency} ${missing.amount} too low for this purchase. ${nothing}`,
      { facts: { missing, lacking: 'own' } },
    );
  }
  if (error.code === 'insufficient_funds')
    return new Refusal('insufficient_funds', `Your provider cannot process this order at the moment. ${nothing}`, {
      facts: { missing: null, lacking: 'parent' },
    });
  if (error.code === 'account_suspended')
    return new Refusal('account_suspended', `Your provider does not accept orders at the moment. ${nothing}`, {
      facts: { suspended: 'parent' },
    });
  if (error.code === 'price_not_set')
    return new Refusal('price_not_set', 'Your provider has no price for this. Please contact your provider.');
  return error;
}

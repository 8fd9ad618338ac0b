import { z } from 'zod';
import type { Balance } from '../../../core/ledger/ledger.ts';
import { moneyNumber, moneyView, showMoney } from './money-view.ts';

/** The contract's balance: a bare number. Held money, credit and currency are in the funds. */
export const balanceView = z.number();
export const showBalance = (balance: Balance): number => moneyNumber(balance.available);
export const balanceExample = 350;

export const fundsView = z
  .object({
    balance: moneyView.describe('What can be spent without credit; below zero where credit is in use.'),
    held: moneyView.describe('Set aside for orders that are under way.'),
    credit_limit: moneyView.describe('How far the balance may go below zero.'),
    currency: z.string(),
  })
  .meta({ id: 'Funds', description: 'What can be spent.' });

export function showFunds(balance: Balance): z.output<typeof fundsView> {
  return {
    balance: showMoney(balance.available),
    held: showMoney(balance.held),
    credit_limit: showMoney(balance.creditLimit),
    currency: balance.available.currency,
  };
}

export const fundsExample: z.output<typeof fundsView> = {
  balance: { amount: '350.00', currency: 'USD' },
  held: { amount: '11.50', currency: 'USD' },
  credit_limit: { amount: '0.00', currency: 'USD' },
  currency: 'USD',
};

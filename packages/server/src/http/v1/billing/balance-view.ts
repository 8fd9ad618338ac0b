import { z } from 'zod';
import type { Balance } from '../../../core/ledger/ledger.ts';
import { moneyNumber, moneyView, showMoney } from './money-view.ts';

/** The balance of the contract is a number without currency. Holds, credit and currency are in the funds. */
export const balanceView = z.number();
export const showBalance = (balance: Balance): number => moneyNumber(balance.available);
export const balanceExample = 350;

export const fundsView = z
  .object({
    balance: moneyView.describe('Available without credit. Negative if credit is used.'),
    held: moneyView.describe('Held for open orders.'),
    credit_limit: moneyView.describe('How far below zero the balance can go.'),
    currency: z.string(),
  })
  .meta({ id: 'Funds', description: 'The available balance.' });

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

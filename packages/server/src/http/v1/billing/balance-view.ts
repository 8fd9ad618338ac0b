import { formatMoney } from '@namehold/base';
import { z } from 'zod';
import type { Balance } from '../../../core/ledger/ledger.ts';
import { moneyView, showMoney } from './money-view.ts';

export const balanceView = z.object({
  balance: z.string().describe('What can be spent without credit; below zero where credit is in use.'),
  currency: z.string(),
  held: moneyView.describe('Set aside for orders that are under way.'),
  credit_limit: moneyView.describe('How far the balance may go below zero.'),
});

export function showBalance(balance: Balance): z.output<typeof balanceView> {
  return {
    balance: formatMoney(balance.available),
    currency: balance.available.currency,
    held: showMoney(balance.held),
    credit_limit: showMoney(balance.creditLimit),
  };
}

export const balanceExample: z.output<typeof balanceView> = {
  balance: '350.00',
  currency: 'USD',
  held: { amount: '11.50', currency: 'USD' },
  credit_limit: { amount: '0.00', currency: 'USD' },
};

import { z } from 'zod';
import { balanceOf } from '../../../core/ledger/balance.ts';
import { route } from '../../route.ts';
import { balanceExample, balanceView, showBalance } from '../billing/balance-view.ts';

export const accountBalanceRoute = route({
  method: 'GET',
  path: '/account/balance',
  area: 'account',
  style: 'contract',
  summary: 'Read the balance',
  description: 'What can be spent, what is held for orders under way, and the credit limit.',
  input: z.object({}),
  output: balanceView,
  errors: [],
  example: { output: balanceExample },
  answer: async (house, caller) => showBalance(await balanceOf(house, caller, caller.resellerId)),
});

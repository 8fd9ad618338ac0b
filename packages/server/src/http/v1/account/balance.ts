import { z } from 'zod';
import { balanceOf } from '../../../core/ledger/balance.ts';
import { route } from '../../route.ts';
import {
  balanceExample,
  balanceView,
  fundsExample,
  fundsView,
  showBalance,
  showFunds,
} from '../billing/balance-view.ts';

export const accountBalanceRoute = route({
  method: 'GET',
  path: '/account/balance',
  area: 'account',
  style: 'contract',
  summary: 'Read the balance',
  description: 'The available balance as a number without currency. `GET /account/funds` has more details.',
  input: z.object({}),
  output: balanceView,
  errors: [],
  example: { output: balanceExample },
  answer: async (ctx, caller) => showBalance(await balanceOf(ctx, caller, caller.resellerId)),
});

export const accountFundsRoute = route({
  method: 'GET',
  path: '/account/funds',
  area: 'account',
  style: 'own',
  summary: 'Read the funds',
  description: 'The available balance, the money held for open orders, and the credit limit.',
  input: z.object({}),
  output: fundsView,
  errors: [],
  example: { output: fundsExample },
  answer: async (ctx, caller) => showFunds(await balanceOf(ctx, caller, caller.resellerId)),
});

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
  description: 'What can be spent, as a bare number. `GET /account/funds` has the rest.',
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
  description: 'What can be spent, what is held for orders under way, and the credit limit.',
  input: z.object({}),
  output: fundsView,
  errors: [],
  example: { output: fundsExample },
  answer: async (ctx, caller) => showFunds(await balanceOf(ctx, caller, caller.resellerId)),
});

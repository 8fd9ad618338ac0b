import { z } from 'zod';
import { balanceOf } from '../../../core/ledger/balance.ts';
import { id } from '../../field.ts';
import { route } from '../../route.ts';
import {
  balanceExample,
  balanceView,
  fundsExample,
  fundsView,
  showBalance,
  showFunds,
} from '../billing/balance-view.ts';

const input = z.object({ reseller_id: id('Id of the sub-reseller.') });

export const resellerBalanceRoute = route({
  method: 'GET',
  path: '/resellers/{reseller_id}/balance',
  area: 'billing',
  style: 'contract',
  summary: 'Read the balance of a sub-reseller',
  description: 'The available balance of a direct sub-reseller, as a number without currency.',
  input,
  output: balanceView,
  errors: ['not_found'],
  example: { input: { reseller_id: '1001' }, output: balanceExample },
  answer: async (ctx, caller, { reseller_id }) => showBalance(await balanceOf(ctx, caller, reseller_id)),
});

export const resellerFundsRoute = route({
  method: 'GET',
  path: '/resellers/{reseller_id}/funds',
  area: 'billing',
  style: 'own',
  summary: 'Read the funds of a sub-reseller',
  description: 'The available balance of a direct sub-reseller, its money on hold, and its credit limit.',
  input,
  output: fundsView,
  errors: ['not_found'],
  example: { input: { reseller_id: '1001' }, output: fundsExample },
  answer: async (ctx, caller, { reseller_id }) => showFunds(await balanceOf(ctx, caller, reseller_id)),
});

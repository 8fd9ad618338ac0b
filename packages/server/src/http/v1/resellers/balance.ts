import { z } from 'zod';
import { balanceOf } from '../../../core/ledger/balance.ts';
import { id } from '../../field.ts';
import { route } from '../../route.ts';
import { balanceExample, balanceView, showBalance } from '../billing/balance-view.ts';

export const resellerBalanceRoute = route({
  method: 'GET',
  path: '/resellers/{reseller_id}/balance',
  area: 'billing',
  style: 'contract',
  summary: 'Read the balance of a sub-reseller',
  description: 'What a direct sub-reseller can spend, what is held for it, and its credit limit.',
  input: z.object({ reseller_id: id('Id of the sub-reseller.') }),
  output: balanceView,
  errors: ['not_found'],
  example: { input: { reseller_id: '1001' }, output: balanceExample },
  answer: async (house, caller, input) => showBalance(await balanceOf(house, caller, input.reseller_id)),
});

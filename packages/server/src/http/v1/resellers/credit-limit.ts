import { z } from 'zod';
import { setCreditLimit } from '../../../core/ledger/credit-limit.ts';
import { amount, id } from '../../field.ts';
import { route } from '../../route.ts';
import { moneyView, showMoney } from '../billing/money-view.ts';

const limitView = z.object({ credit_limit: moneyView });
const showLimit = (limit: Parameters<typeof showMoney>[0]): z.output<typeof limitView> => ({
  credit_limit: showMoney(limit),
});

export const setCreditLimitRoute = route({
  method: 'PUT',
  path: '/resellers/{reseller_id}/credit_limit',
  sudo: true,
  area: 'billing',
  style: 'own',
  summary: 'Set the credit limit of a sub-reseller',
  description: 'How far the balance of a direct sub-reseller can go below zero.',
  input: z.object({ reseller_id: id('Id of the sub-reseller.'), credit_limit: amount('In its selling currency.') }),
  output: limitView,
  errors: ['not_found', 'conflict'],
  example: {
    input: { reseller_id: '1001', credit_limit: '500.00' },
    output: { credit_limit: { amount: '500.00', currency: 'USD' } },
  },
  render: showLimit,
  answer: async (ctx, caller, input) =>
    showLimit(await setCreditLimit(ctx, caller, input.reseller_id, input.credit_limit)),
});

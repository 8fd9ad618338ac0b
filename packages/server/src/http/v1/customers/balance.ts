import { z } from 'zod';
import type { AppContext } from '../../../core/app-context.ts';
import { readPayer } from '../../../core/customers/read.ts';
import { customerBalance } from '../../../core/ledger/balance.ts';
import type { Balance } from '../../../core/ledger/ledger.ts';
import { id } from '../../field.ts';
import { type Caller, route } from '../../route.ts';
import {
  balanceExample,
  balanceView,
  fundsExample,
  fundsView,
  showBalance,
  showFunds,
} from '../billing/balance-view.ts';

const input = z.object({ customer_id: id('Id of the customer.') });

async function fundsOf(ctx: AppContext, caller: Caller, id: string): Promise<Balance> {
  const { id: customerId, currency } = await readPayer(ctx, caller, id);
  return customerBalance(ctx.db.as(caller.resellerId), caller.resellerId, customerId, currency);
}

export const customerBalanceRoute = route({
  method: 'GET',
  path: '/customers/{customer_id}/balance',
  customer: 'read',
  area: 'billing',
  style: 'contract',
  summary: 'Read the balance of a customer',
  description: 'Unused payments of a customer, as a number without currency.',
  input,
  output: balanceView,
  errors: ['not_found'],
  example: { input: { customer_id: '2001' }, output: balanceExample },
  answer: async (ctx, caller, { customer_id }) => showBalance(await fundsOf(ctx, caller, customer_id)),
});

export const customerFundsRoute = route({
  method: 'GET',
  path: '/customers/{customer_id}/funds',
  customer: 'read',
  area: 'billing',
  style: 'own',
  summary: 'Read the funds of a customer',
  description:
    'Unused payments of a customer, and the part that is held for open orders, with the currency. A customer has no credit.',
  input,
  output: fundsView,
  errors: ['not_found'],
  example: { input: { customer_id: '2001' }, output: fundsExample },
  answer: async (ctx, caller, { customer_id }) => showFunds(await fundsOf(ctx, caller, customer_id)),
});

import { money } from '@namehold/base';
import { z } from 'zod';
import { readCustomer } from '../../../core/customers/read.ts';
import { customerBalance } from '../../../core/ledger/balance.ts';
import { id } from '../../field.ts';
import { route } from '../../route.ts';
import { balanceExample, balanceView, showBalance } from '../billing/balance-view.ts';

export const customerBalanceRoute = route({
  method: 'GET',
  path: '/customers/{customer_id}/balance',
  area: 'billing',
  style: 'contract',
  summary: 'Read the balance of a customer',
  description: 'What a customer has paid in and not used.',
  input: z.object({ customer_id: id('Id of the customer.') }),
  output: balanceView,
  errors: ['not_found'],
  example: { input: { customer_id: '2001' }, output: balanceExample },
  async answer(house, caller, input) {
    const { id: customerId, currency } = await readCustomer(house, caller, input.customer_id);
    const db = house.db.as(caller.resellerId);
    const available = await customerBalance(db, caller.resellerId, customerId, currency);
    const none = money(0n, currency);
    return showBalance({ available, held: none, creditLimit: none });
  },
});

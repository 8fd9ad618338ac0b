import type { z } from 'zod';
import { flag, id } from '../../field.ts';
import type { Route } from '../../route.ts';
import { notYet } from '../not-yet.ts';

const transaction_id = id('The order.');

/** Orders that wait for a customer's payment; today every order runs at once and bills no customer. */
const order = (verb: string, summary: string, input: z.ZodRawShape = {}, example: Record<string, unknown> = {}) =>
  notYet({
    path: `/customers/{customer_id}/transactions/${verb}`,
    area: 'billing',
    summary,
    instead: 'Every order is made with invoice_option=no_invoice and runs at once, so none waits.',
    input: { transaction_id, ...input },
    example: { transaction_id: '7001', ...example },
  });

export const waitingOrderRoutes: readonly Route[] = [
  order('cancel', 'Cancelling a waiting order'),
  order(
    'execute',
    'Running a waiting order',
    { cancel_invoice: flag('Its invoice is cancelled.') },
    { cancel_invoice: true },
  ),
  order(
    'pay',
    'Paying an invoice',
    { subtract_balance: flag('From the balance of the customer.') },
    { subtract_balance: true },
  ),
  order('pay_add_only', 'Paying and running a waiting order'),
  order('retry', 'Trying an order again'),
];

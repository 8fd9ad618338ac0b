import { z } from 'zod';
import { orderLimits } from '../../../core/domains/orders/wait.ts';
import { badField, Refusal } from '../../../core/errors.ts';
import { ledgerLimits } from '../../../core/ledger/ledger.ts';
import { expectDeposit, expectPayment } from '../../../core/payments/expect.ts';
import { amount, id, list, text } from '../../field.ts';
import { route } from '../../route.ts';
import { keepPayment, paymentExample, paymentNow, paymentView, showPayment } from './payment-view.ts';

const wire: Readonly<Record<string, string>> = {
  customerId: 'customer_id',
  payerId: 'reseller_id',
  billIds: 'transaction_id',
};

/** Replaces field names of the core by those of the API. */
async function withWireNames<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    const bad = error instanceof Refusal ? error.details.errors?.[0] : undefined;
    const name = bad && wire[bad.field];
    throw bad && name ? badField(name, bad.message, bad.code) : error;
  }
}

export const provider = text({ max: 40, about: 'Payment method. Default: bank_transfer.', example: 'bank_transfer' });
export const defaultProvider = 'bank_transfer';

export const expectPaymentRoute = route({
  method: 'POST',
  path: '/payments',
  area: 'billing',
  style: 'own',
  summary: 'Create an expected payment',
  description:
    'Creates a reference for a payment by a customer or a direct sub-reseller: a deposit, or open bills, which are paid when the money arrives.',
  input: z.object({
    provider: provider.optional(),
    customer_id: id('The customer that pays.').optional(),
    reseller_id: id('The sub-reseller that pays.').optional(),
    amount: amount('For a deposit, in the currency of the payer.').optional(),
    transaction_id: list({
      max: orderLimits.billsPerCall,
      about: 'Open bills of the customer; their sum is the amount.',
      example: ['7001'],
      entry: { pattern: '^[0-9]{1,18}$' },
    }).optional(),
    description: text({ max: ledgerLimits.descriptionLength, about: 'Text for the statement.' }).optional(),
  }),
  output: paymentView,
  errors: ['invalid_argument', 'conflict'],
  example: {
    first: 'requires payment details: `PUT /account/payment_providers/bank_transfer`',
    input: { customer_id: '2001', amount: '150.00' },
    output: paymentExample,
  },
  render: keepPayment,
  now: paymentNow,
  answer: async (ctx, caller, input) => {
    const order = {
      provider: input.provider ?? defaultProvider,
      customerId: input.customer_id,
      payerId: input.reseller_id,
      amount: input.amount,
      billIds: input.transaction_id,
      description: input.description,
    };
    return showPayment(ctx, caller, await withWireNames(() => expectPayment(ctx, caller, order)));
  },
});

export const expectDepositRoute = route({
  method: 'POST',
  path: '/account/deposits',
  area: 'billing',
  style: 'own',
  summary: 'Announce a deposit to the parent account',
  description: 'Creates a reference for a payment to the parent account.',
  input: z.object({ provider: provider.optional(), amount: amount('In your selling currency.') }),
  output: paymentView,
  errors: ['invalid_argument', 'conflict'],
  example: {
    first: 'the parent account must have set its payment details',
    input: { amount: '150.00' },
    output: { ...paymentExample, reseller_id: '1', customer_id: null, payer_id: '1000' },
  },
  render: keepPayment,
  now: paymentNow,
  answer: async (ctx, caller, input) => {
    const order = { provider: input.provider ?? defaultProvider, amount: input.amount };
    return showPayment(ctx, caller, await expectDeposit(ctx, caller, order));
  },
});

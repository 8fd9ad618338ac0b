import { z } from 'zod';
import { paymentAccounts, setPaymentAccount } from '../../../core/payments/account.ts';
import type { PaymentAccount } from '../../../core/payments/payment.sql.ts';
import { paymentLimits } from '../../../core/payments/payment.ts';
import { text } from '../../field.ts';
import { route } from '../../route.ts';
import { instantText } from '../../wire.ts';
import { provider } from './expect.ts';

const accountView = z
  .object({
    provider: z.string().describe('The provider.'),
    details: z.string().describe('Instructions for payers.'),
    has_secret: z.boolean().describe('Whether the provider can send signed notifications.'),
    updated_at: z.string().describe('Last change.'),
  })
  .meta({ id: 'PaymentProvider', description: 'A payment method of the account.' });

const show = (a: PaymentAccount): z.output<typeof accountView> => ({
  provider: a.provider,
  details: a.details,
  has_secret: a.secret_sealed !== null,
  updated_at: instantText(a.updated_at),
});

const example: z.output<typeof accountView> = {
  provider: 'bank_transfer',
  details: 'Example Bank, account 1234567890, Example Reseller',
  has_secret: false,
  updated_at: '2026-11-15T09:00:00Z',
};

export const setProviderRoute = route({
  method: 'PUT',
  path: '/account/payment_providers/{provider}',
  sudo: true,
  area: 'account',
  style: 'own',
  summary: 'Set a payment method',
  description:
    'Instructions for payers, and the secret with which the provider signs its notifications. Without a new secret, the current one stays.',
  input: z.object({
    provider,
    details: text({
      max: paymentLimits.detailsLength,
      about: 'Instructions for payers, for example bank and account number.',
      example: example.details,
    }),
    secret: text({ max: 500, min: 16, about: 'Signing secret of the provider. It is never shown again.' }).optional(),
  }),
  output: accountView,
  errors: ['not_found', 'invalid_argument'],
  example: { input: { provider: 'bank_transfer', details: example.details }, output: example },
  render: show,
  answer: async (ctx, caller, input) => show(await setPaymentAccount(ctx, caller, input)),
});

export const listProvidersRoute = route({
  method: 'GET',
  path: '/account/payment_providers',
  area: 'account',
  style: 'own',
  summary: 'List payment methods',
  description: 'The configured providers. Secrets are never shown.',
  input: z.object({}),
  output: z.array(accountView),
  errors: [],
  example: { output: [example] },
  answer: async (ctx, caller) => (await paymentAccounts(ctx, caller)).map(show),
});

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
    details: z.string().describe('What payers are shown.'),
    has_secret: z.boolean().describe('Whether the provider can send signed notices.'),
    updated_at: z.string().describe('When it was last set.'),
  })
  .meta({ id: 'PaymentProvider', description: 'A way in which the account is paid.' });

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
  summary: 'Set how the account is paid',
  description:
    'What payers are shown, and the secret that the provider signs its notices with; without one the present stays.',
  input: z.object({
    provider,
    details: text({
      max: paymentLimits.detailsLength,
      about: 'What payers are shown: a bank, the number of an account.',
      example: example.details,
    }),
    secret: text({ max: 500, min: 16, about: 'What the provider signs with; never shown again.' }).optional(),
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
  summary: 'Read how the account is paid',
  description: 'The providers that are set up; secrets are never shown.',
  input: z.object({}),
  output: z.array(accountView),
  errors: [],
  example: { output: [example] },
  answer: async (ctx, caller) => (await paymentAccounts(ctx, caller)).map(show),
});

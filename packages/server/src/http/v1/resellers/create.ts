import { z } from 'zod';
import { createReseller } from '../../../core/accounts/create.ts';
import { route } from '../../route.ts';
import { currencyCode } from '../common/currency-field.ts';
import { company, partyExample, partyFields, partyOf } from '../common/party-fields.ts';
import { password } from '../common/password-field.ts';
import { resellerExample, resellerView, showReseller } from './reseller-view.ts';

export const createResellerRoute = route({
  method: 'POST',
  path: '/resellers',
  area: 'resellers',
  // Its password creates the first owner of the account, who has full rights there.
  scope: 'full',
  style: 'contract',
  cost: 10,
  summary: 'Create a sub-reseller',
  description:
    'Creates a reseller below the calling one. It pays and sells in `selling_currency`, which cannot change. Its first owner signs in with its address and `password`. The password must not be the address or a very common one (`too_easy`). The operator creates its first API key.',
  input: z.object({
    ...partyFields,
    company,
    password,
    selling_currency: currencyCode('ISO 4217 currency code.'),
  }),
  output: resellerView,
  errors: ['already_exists'],
  example: {
    input: {
      ...partyExample,
      email: 'sub@reseller.example',
      password: 'correct horse battery',
      selling_currency: 'USD',
    },
    output: { ...resellerExample, reseller_id: '1001', parent_reseller_id: '1000', email: 'sub@reseller.example' },
  },
  render: showReseller,
  async answer(ctx, caller, input) {
    const order = { ...partyOf(input), password: input.password, sellingCurrency: input.selling_currency };
    return showReseller(await createReseller(ctx, caller, order));
  },
});

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
  // Its password makes the first owner of the account, who may do everything there.
  scope: 'full',
  style: 'contract',
  cost: 10,
  summary: 'Create a sub-reseller',
  description:
    'Makes a reseller below the calling one. It pays and sells in `selling_currency`, which stays. With its address and `password` its first owner signs in: neither the address nor one that is tried first everywhere is taken (`too_easy`). Its first API key is made by the operator.',
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

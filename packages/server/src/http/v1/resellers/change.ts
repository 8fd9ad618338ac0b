import { z } from 'zod';
import { changeReseller } from '../../../core/accounts/change.ts';
import { id } from '../../field.ts';
import { route } from '../../route.ts';
import { currencyCode } from '../common/currency-field.ts';
import { company, partyFields, partyOf } from '../common/party-fields.ts';
import { resellerExample, resellerView, showReseller } from './reseller-view.ts';

export const changeResellerRoute = route({
  method: 'PUT',
  path: '/resellers/{reseller_id}',
  sudo: true,
  area: 'resellers',
  style: 'contract',
  cost: 10,
  summary: 'Change a reseller',
  description:
    'Replaces name, address and telephone numbers of the calling reseller or of a direct sub-reseller. An omitted optional field is emptied. The currency must be sent and cannot change. A changed email address needs the scope `full`, because security notices go to it. The previous address and the owners of the account are notified.',
  input: z.object({
    reseller_id: id('Id of the reseller.'),
    ...partyFields,
    company,
    selling_currency: currencyCode('The currency of the account.'),
  }),
  output: resellerView,
  errors: ['not_found', 'already_exists'],
  example: {
    input: {
      reseller_id: '1000',
      name: resellerExample.name,
      company: resellerExample.company,
      email: resellerExample.email,
      address_line_1: resellerExample.address_line_1,
      city: resellerExample.city,
      state: resellerExample.state,
      country_code: resellerExample.country_code,
      zipcode: resellerExample.zipcode,
      tel_cc_no: resellerExample.tel_cc_no,
      tel_no: resellerExample.tel_no,
      selling_currency: 'USD',
    },
    output: resellerExample,
  },
  render: showReseller,
  async answer(ctx, caller, input) {
    const order = { ...partyOf(input), sellingCurrency: input.selling_currency };
    return showReseller(await changeReseller(ctx, caller, input.reseller_id, order));
  },
});

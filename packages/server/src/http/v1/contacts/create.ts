import { z } from 'zod';
import { createContact } from '../../../core/contacts/create.ts';
import { route } from '../../route.ts';
import { contactPartyFields, partyExample, partyOf } from '../common/party-fields.ts';
import { customer_id, eligibility_criteria, extra } from './contact-fields.ts';
import { contactExample, contactView, showContact } from './contact-view.ts';

export const createContactRoute = route({
  method: 'POST',
  path: '/customers/{customer_id}/contacts',
  customer: 'manage',
  area: 'contacts',
  style: 'contract',
  summary: 'Create a contact',
  description:
    'Creates a contact of the customer. For the same data the existing contact is returned. Names can be in any script; a Latin form is derived if possible.',
  input: z.object({
    customer_id,
    ...contactPartyFields,
    eligibility_criteria: eligibility_criteria.optional(),
    extra: extra.optional(),
  }),
  output: contactView,
  errors: ['not_found'],
  example: { input: { customer_id: '2001', ...partyExample }, output: contactExample },
  render: showContact,
  async answer(ctx, caller, input) {
    const order = { ...partyOf(input), eligibility: input.eligibility_criteria, extra: input.extra };
    return showContact(await createContact(ctx, caller, input.customer_id, order));
  },
});

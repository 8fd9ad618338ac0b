import { z } from 'zod';
import { setContactExtra } from '../../../core/contacts/extra.ts';
import { route } from '../../route.ts';
import { contact_id, customer_id, eligibility_criteria, extra } from './contact-fields.ts';
import { contactExample, contactView, showContact } from './contact-view.ts';

export const contactExtraRoute = route({
  method: 'PUT',
  path: '/customers/{customer_id}/contacts/{contact_id}/extra',
  customer: 'manage',
  area: 'contacts',
  style: 'contract',
  summary: 'Set additional registry data of a contact',
  description:
    'Sets what the contact declares for a TLD. It is checked against the schema that GET /v1/tlds/{name} publishes. Declarations for other TLDs stay.',
  input: z.object({
    customer_id,
    contact_id,
    eligibility_criteria,
    extra,
  }),
  output: contactView,
  errors: ['not_found'],
  example: {
    input: {
      customer_id: '2001',
      contact_id: '3001',
      eligibility_criteria: 'us',
      extra: 'us_purpose=P1&us_category=C11',
    },
    output: { ...contactExample, eligibility_criteria: ['us'], extra: { us_purpose: 'P1', us_category: 'C11' } },
  },
  render: showContact,
  answer: async (ctx, caller, input) =>
    showContact(
      await setContactExtra(ctx, caller, input.customer_id, input.contact_id, input.eligibility_criteria, input.extra),
    ),
});

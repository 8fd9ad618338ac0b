import { z } from 'zod';
import { readDefaultContact } from '../../../core/contacts/defaults.ts';
import { route } from '../../route.ts';
import { customer_id, eligibility_criteria } from './contact-fields.ts';
import { contactExample, contactView, showContact } from './contact-view.ts';

const roleView = contactView.nullable();

export const defaultContactsRoute = route({
  method: 'GET',
  path: '/customers/{customer_id}/contacts/default',
  customer: 'read',
  area: 'contacts',
  style: 'contract',
  summary: "Read a customer's default contacts",
  description:
    'The contact for each role if an order names none: the oldest active one that qualifies. null: there is none.',
  input: z.object({ customer_id, eligibility_criteria: eligibility_criteria.optional() }),
  output: z.object({
    registrant_contact: roleView,
    admin_contact: roleView,
    tech_contact: roleView,
    billing_contact: roleView,
  }),
  errors: ['not_found'],
  example: {
    input: { customer_id: '2001' },
    output: {
      registrant_contact: contactExample,
      admin_contact: contactExample,
      tech_contact: contactExample,
      billing_contact: contactExample,
    },
  },
  async answer(ctx, caller, input) {
    const found = await readDefaultContact(ctx, caller, input.customer_id, input.eligibility_criteria);
    const shown = found ? showContact(found) : null;
    return { registrant_contact: shown, admin_contact: shown, tech_contact: shown, billing_contact: shown };
  },
});

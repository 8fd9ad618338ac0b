import { z } from 'zod';
import { readContact } from '../../../core/contacts/read.ts';
import { route } from '../../route.ts';
import { contact_id, customer_id } from './contact-fields.ts';
import { contactExample, contactView, showContact } from './contact-view.ts';

export const readContactRoute = route({
  method: 'GET',
  path: '/customers/{customer_id}/contacts/{contact_id}',
  area: 'contacts',
  style: 'contract',
  summary: 'Read a contact',
  description: 'One contact of the customer.',
  input: z.object({ customer_id, contact_id }),
  output: contactView,
  errors: ['not_found'],
  example: { input: { customer_id: '2001', contact_id: '3001' }, output: contactExample },
  answer: async (house, caller, input) =>
    showContact(await readContact(house, caller, input.customer_id, input.contact_id)),
});

import { z } from 'zod';
import { readReachableContact } from '../../../core/contacts/read.ts';
import { route } from '../../route.ts';
import { instantOrNull } from '../../wire.ts';
import { contact_id, customer_id } from './contact-fields.ts';
import { contactExample, contactView, showContact } from './contact-view.ts';

const reachableView = contactView
  .extend({
    email_verified_at: z.string().nullable().describe('When the recipient confirmed the address. Null: not confirmed.'),
    email_bounced_at: z.string().nullable().describe('When mail to it began to bounce. Null: it does not bounce.'),
  })
  .meta({ id: 'ReachableContact', description: 'A contact, with the status of its email address.' });

export const readContactRoute = route({
  method: 'GET',
  path: '/customers/{customer_id}/contacts/{contact_id}',
  customer: 'read',
  area: 'contacts',
  style: 'contract',
  summary: 'Read a contact',
  description: 'One contact of the customer.',
  input: z.object({ customer_id, contact_id }),
  output: reachableView,
  errors: ['not_found'],
  example: {
    input: { customer_id: '2001', contact_id: '3001' },
    output: { ...contactExample, email_verified_at: null, email_bounced_at: null },
  },
  async answer(ctx, caller, input) {
    const { contact, address } = await readReachableContact(ctx, caller, input.customer_id, input.contact_id);
    return {
      ...showContact(contact),
      email_verified_at: instantOrNull(address?.verified_at),
      email_bounced_at: instantOrNull(address?.bounced_at),
    };
  },
});

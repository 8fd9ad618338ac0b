import { z } from 'zod';
import { changeContact } from '../../../core/contacts/change.ts';
import { route } from '../../route.ts';
import { contactPartyFields, partyExample, partyOf } from '../common/party-fields.ts';
import { contact_id, customer_id } from './contact-fields.ts';
import { contactExample, contactView, showContact } from './contact-view.ts';

export const changeContactRoute = route({
  method: 'PUT',
  path: '/customers/{customer_id}/contacts/{contact_id}',
  area: 'contacts',
  style: 'contract',
  summary: 'Change a contact',
  description:
    'Replaces name, address and telephones: an optional field that is left out is emptied. What the contact declares for .us or .asia stays.',
  input: z.object({ customer_id, contact_id, ...contactPartyFields }),
  output: contactView,
  errors: ['not_found'],
  example: { input: { customer_id: '2001', contact_id: '3001', ...partyExample }, output: contactExample },
  render: showContact,
  answer: async (house, caller, input) =>
    showContact(await changeContact(house, caller, input.customer_id, input.contact_id, partyOf(input))),
});

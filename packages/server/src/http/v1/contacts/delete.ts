import { z } from 'zod';
import { deleteContact } from '../../../core/contacts/delete.ts';
import { route } from '../../route.ts';
import { contact_id, customer_id } from './contact-fields.ts';

const show = (deleted: { id: string }) => ({ contact_id: deleted.id, deleted: true as const });

export const deleteContactRoute = route({
  method: 'DELETE',
  path: '/customers/{customer_id}/contacts/{contact_id}',
  customer: 'manage',
  area: 'contacts',
  style: 'contract',
  summary: 'Delete a contact',
  description: 'Deletes a contact that no domain uses.',
  input: z.object({ customer_id, contact_id }),
  output: z.object({ contact_id: z.string(), deleted: z.literal(true) }),
  errors: ['not_found', 'in_use'],
  example: {
    input: { customer_id: '2001', contact_id: '3001' },
    output: { contact_id: '3001', deleted: true },
    first: 'no domain may use the contact',
  },
  render: show,
  answer: async (ctx, caller, input) => show(await deleteContact(ctx, caller, input.customer_id, input.contact_id)),
});

import { z } from 'zod';
import { checkValidity } from '../../../core/contacts/validity.ts';
import { route } from '../../route.ts';
import { contact_id, customer_id, eligibility_criteria } from './contact-fields.ts';

export const contactValidityRoute = route({
  method: 'GET',
  path: '/customers/{customer_id}/contacts/{contact_id}/validity/{eligibility_criteria}',
  customer: 'read',
  area: 'contacts',
  style: 'contract',
  summary: 'Check a contact against a TLD',
  description: 'Whether the contact satisfies the requirements of the TLD for a registrant, and what is missing.',
  input: z.object({ customer_id, contact_id, eligibility_criteria }),
  output: z.object({
    contact_id: z.string(),
    eligibility_criteria: z.string(),
    valid: z.boolean(),
    problems: z.array(z.object({ field: z.string(), code: z.string(), problem: z.string() })),
  }),
  errors: ['not_found'],
  example: {
    input: { customer_id: '2001', contact_id: '3001', eligibility_criteria: 'us' },
    output: {
      contact_id: '3001',
      eligibility_criteria: 'us',
      valid: false,
      problems: [{ field: 'extra.us_purpose', code: 'required', problem: 'is required for .us' }],
    },
  },
  async answer(ctx, caller, input) {
    const found = await checkValidity(ctx, caller, input.customer_id, input.contact_id, input.eligibility_criteria);
    return {
      contact_id: found.contactId,
      eligibility_criteria: found.criteria,
      valid: found.problems.length === 0,
      problems: found.problems.map(({ field, code, message }) => ({ field, code, problem: message })),
    };
  },
});

import { z } from 'zod';
import { searchContacts } from '../../../core/contacts/list.ts';
import { badField } from '../../../core/errors.ts';
import { contactStatuses } from '../../../core/model/contact.ts';
import { tldName } from '../../../core/tlds/read.ts';
import { oneOf } from '../../field.ts';
import { listAnswer, pageOf, paging } from '../../page.ts';
import { route } from '../../route.ts';
import { creationRange, ids, partySearchFields, searchOf } from '../common/search-fields.ts';
import { customer_id, eligibility_criteria } from './contact-fields.ts';
import { contactExample, contactView, showContact } from './contact-view.ts';

export const listContactsRoute = route({
  method: 'GET',
  path: '/customers/{customer_id}/contacts',
  customer: 'read',
  area: 'contacts',
  style: 'contract',
  isList: true,
  summary: "List or search a customer's contacts",
  description:
    'Contacts of the customer, oldest first. With `eligibility_criteria`, only those that qualify for the TLD. If there is none, the call is refused, so that panels create a contact.',
  input: z.object({
    ...paging,
    customer_id,
    contact_id: ids('Only these contacts.').optional(),
    status: oneOf(contactStatuses, 'Only contacts in this status.').optional(),
    name: partySearchFields.name,
    company: partySearchFields.company,
    email: partySearchFields.email,
    eligibility_criteria: eligibility_criteria.optional(),
    ...creationRange,
  }),
  output: z.array(contactView),
  errors: ['not_found'],
  example: { input: { customer_id: '2001', limit: 10 }, output: [contactExample] },
  async answer(ctx, caller, input) {
    const search = { ...searchOf(input), ids: input.contact_id, eligibility: input.eligibility_criteria };
    const { rows, total } = await searchContacts(ctx, caller, input.customer_id, search, pageOf(input));
    // The only list of the contract that is refused without a match: panels create a suitable contact only after this error. The status is
    // not 404, because panels drop the text of a 404.
    const wanted = input.eligibility_criteria && tldName(input.eligibility_criteria);
    if (wanted && total === 0)
      throw badField('eligibility', `No contact of this customer qualifies for .${wanted}. Create one.`, 'no_match');
    return listAnswer(rows.map(showContact), total);
  },
});

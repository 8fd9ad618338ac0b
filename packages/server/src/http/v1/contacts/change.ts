import { z } from 'zod';
import { changeContact, draftContactChange } from '../../../core/contacts/change.ts';
import { route } from '../../route.ts';
import { contactPartyFields, partyExample, partyOf } from '../common/party-fields.ts';
import {
  consentOf,
  registrantChangeDraftView,
  registrantChangeFields,
  showRegistrantChangeDraft,
} from '../domains/change/registrant-change.ts';
import { acceptedView, orderView, runAndAnswer } from '../domains/operation-answer.ts';
import { contact_id, customer_id } from './contact-fields.ts';
import { contactExample, contactView, showContact } from './contact-view.ts';

export const changeContactRoute = route({
  method: 'PUT',
  path: '/customers/{customer_id}/contacts/{contact_id}',
  sudo: true,
  customer: 'manage',
  area: 'contacts',
  style: 'contract',
  accepted: acceptedView,
  summary: 'Change a contact',
  description:
    'Replaces name, address and telephone numbers. An omitted optional field is emptied. Declarations for .us or .asia stay. If the contact is the registrant of gTLD domains, another name, company or email address is a change of registrant. It is made at once if you are the designated agent of both parties. Otherwise the answer is 202, and nothing changes until both have confirmed by mail. `dry_run` returns which applies. If the contact is the registrant of active domains, another name, company or email address also needs the scope `domains:write`. It is refused while one of these domains is locked or suspended.',
  input: z.object({ customer_id, contact_id, ...contactPartyFields, ...registrantChangeFields }),
  // The answer to a repeated request with the same Idempotency-Key, after a change that had to wait is done.
  output: z.union([contactView, registrantChangeDraftView, orderView]),
  errors: ['not_found', 'conflict', 'domain_blocked'],
  example: { input: { customer_id: '2001', contact_id: '3001', ...partyExample }, output: contactExample },
  render: showContact,
  async answer(ctx, caller, input) {
    const change = {
      customerId: input.customer_id,
      id: input.contact_id,
      party: partyOf(input),
      consent: consentOf(caller, input),
    };
    if (input.dry_run) return showRegistrantChangeDraft(await draftContactChange(ctx, caller, change));
    const changed = await changeContact(ctx, caller, change);
    return 'contact' in changed ? showContact(changed.contact) : runAndAnswer(ctx, caller, changed.operationId);
  },
});

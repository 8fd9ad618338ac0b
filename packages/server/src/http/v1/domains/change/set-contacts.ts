import { z } from 'zod';
import { type Contacts, draftContacts, setContacts } from '../../../../core/domains/change/set-contacts.ts';
import { setPendingContacts } from '../../../../core/domains/change/set-pending-contacts.ts';
import type { Domain } from '../../../../core/model/domain.ts';
import { asText, FieldRefusal, field } from '../../../field.ts';
import { type Caller, route } from '../../../route.ts';
import { expectedVersion } from '../../common/if-match.ts';
import { contactId, customerCheck, domain_id } from '../buy/order-fields.ts';
import { changeRoute, type Where } from './change-route.ts';
import {
  consentOf,
  registrantChangeDraftView,
  registrantChangeFields,
  showRegistrantChangeDraft,
} from './registrant-change.ts';
import { contactIdsView } from './update-answer.ts';

const fields = {
  registrant_contact_id: contactId('registrant'),
  admin_contact_id: contactId('admin'),
  tech_contact_id: contactId('tech'),
  billing_contact_id: contactId('billing'),
};
const given = {
  registrant_contact_id: '3001',
  admin_contact_id: '3001',
  tech_contact_id: '3002',
  billing_contact_id: '3001',
};

type Input = Record<keyof typeof fields, string | null>;

const contactsOf = (input: Input): Contacts => ({
  registrant: input.registrant_contact_id,
  admin: input.admin_contact_id,
  tech: input.tech_contact_id,
  billing: input.billing_contact_id,
});

const orderOf = (caller: Caller, where: Where, input: Input & Parameters<typeof consentOf>[1]) => ({
  ...where,
  contacts: contactsOf(input),
  consent: consentOf(caller, input),
  expected: expectedVersion(caller),
});

export const setContactsRoute = changeRoute({
  method: 'PUT',
  path: '/contacts',
  customer: 'manage',
  sudo: true,
  summary: 'Assign the contacts',
  description:
    'Assigns all four roles. Contacts must belong to the customer of the domain. For a gTLD domain, a registrant with another name, company or email address is a change of registrant. It is made at once if you are the designated agent of both parties. Otherwise the answer is 202, and the change waits until both have confirmed by mail. `dry_run` returns which applies. With If-Match, the change is made only if the contacts are as you read them; otherwise 412.',
  fields: { ...fields, ...registrantChangeFields },
  view: z.union([contactIdsView, registrantChangeDraftView]),
  errors: ['precondition_failed'],
  example: { input: given, output: { domain_id: '5001', ...given } },
  draft: async (ctx, caller, where, input) =>
    input.dry_run
      ? showRegistrantChangeDraft(await draftContacts(ctx, caller, orderOf(caller, where, input)))
      : undefined,
  order: (ctx, caller, where, input) => setContacts(ctx, caller, orderOf(caller, where, input)),
});

const one = (about: string) =>
  field({ type: 'integer', enum: [1], description: about }, (value) => {
    if (asText(value).trim() !== '1') throw new FieldRefusal('Must be 1.');
    return 1;
  });

export function showContactIds(domain: Domain): z.output<typeof contactIdsView> {
  return {
    domain_id: domain.id,
    registrant_contact_id: domain.registrant_contact_id,
    admin_contact_id: domain.admin_contact_id,
    tech_contact_id: domain.tech_contact_id,
    billing_contact_id: domain.billing_contact_id,
  };
}

export const setPendingContactsRoute = route({
  method: 'PUT',
  path: '/domains/{domain_id}/contacts-pending',
  area: 'domains',
  style: 'contract',
  summary: 'Assign the contacts of a pending domain',
  description:
    'For a domain that is not registered here yet. It has an unpaid order, a registration in the queue or under review, or a pending transfer in. The registry gets the contacts when it has approved the registration, or when the transfer is completed.',
  input: z.object({
    domain_id,
    customer_id: customerCheck,
    ...fields,
    is_domain_pending: one('Declares that the domain is pending.'),
    is_trans_execute_queue: one('Declares that its transaction is queued.'),
  }),
  output: contactIdsView,
  errors: ['not_found', 'conflict'],
  example: {
    input: { domain_id: '5001', ...given, is_domain_pending: 1, is_trans_execute_queue: 1 },
    output: { domain_id: '5001', ...given },
    first: 'the registration must be under review by the registry',
  },
  render: showContactIds,
  answer: async (ctx, caller, input) =>
    showContactIds(await setPendingContacts(ctx, caller, input.domain_id, input.customer_id, contactsOf(input))),
});

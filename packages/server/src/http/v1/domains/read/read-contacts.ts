import { z } from 'zod';
import { contactsVersion } from '../../../../core/domains/change/set-contacts.ts';
import { requireDomain } from '../../../../core/domains/find.ts';
import { versionOf } from '../../../../core/version.ts';
import { route } from '../../../route.ts';
import { withVersion } from '../../common/if-match.ts';
import { domain_id } from '../buy/order-fields.ts';
import { showContactIds } from '../change/set-contacts.ts';
import { contactIdsView } from '../change/update-answer.ts';

export const readContacts = route({
  method: 'GET',
  path: '/domains/{domain_id}/contacts',
  customer: 'read',
  area: 'domains',
  style: 'own',
  hasETag: true,
  summary: 'Read the contacts of a domain',
  description: 'The contacts of the domain, by role. `ETag` is their version, for If-Match.',
  input: z.object({ domain_id }),
  output: contactIdsView,
  errors: ['not_found'],
  example: {
    input: { domain_id: '5001' },
    output: {
      domain_id: '5001',
      registrant_contact_id: '3001',
      admin_contact_id: '3001',
      tech_contact_id: '3002',
      billing_contact_id: '3001',
    },
  },
  async answer(ctx, caller, input) {
    const domain = await requireDomain(ctx, caller, input.domain_id);
    return withVersion(showContactIds(domain), versionOf(contactsVersion(domain)));
  },
});

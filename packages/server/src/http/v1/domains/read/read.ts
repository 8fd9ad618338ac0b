import { z } from 'zod';
import { readShownDomain } from '../../../../core/domains/read.ts';
import { route } from '../../../route.ts';
import { contactExample } from '../../contacts/contact-view.ts';
import { noForwarding } from '../../forwarding/simple-view.ts';
import { customerCheck, domain_id } from '../buy/order-fields.ts';
import { detailView, fields, showDetail } from './domain-detail.ts';
import { domainExample } from './domain-example.ts';
import { raaExample } from './section-views.ts';

export const detailExample = {
  ...domainExample,
  registrant_contact: contactExample,
  admin_contact: contactExample,
  adm_contact: contactExample,
  tech_contact: contactExample,
  billing_contact: contactExample,
  dns: { A: [], AAAA: [], CNAME: [], MX: [], NS: [], TXT: [], SRV: [] },
  cns: [{ hostname: 'ns1.example-shop.com', ip: '192.0.2.53' }],
  dnssec: [],
  raa_verification: raaExample,
  domain_forwarding: noForwarding,
  email_forwarding: [],
};

export const readDomain = route({
  method: 'GET',
  path: '/domains/{domain_id}',
  customer: 'read',
  area: 'domains',
  style: 'contract',
  summary: 'Read a domain',
  description:
    'Everything about one domain, or the sections in `fields`: a single section is returned flat, several under their names. A domain that left stays readable as a tombstone with reason and date.',
  input: z.object({ domain_id, fields: fields.optional(), customer_id: customerCheck }),
  output: detailView,
  errors: ['not_found', 'invalid_argument'],
  example: { input: { domain_id: '5001', fields: ['All'] }, output: detailExample },
  async answer(ctx, caller, input) {
    const shown = await readShownDomain(ctx, caller, input.domain_id, input.customer_id);
    return showDetail(ctx, shown, input.fields);
  },
});

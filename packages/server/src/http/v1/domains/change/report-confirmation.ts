import { z } from 'zod';
import { requireDomain } from '../../../../core/domains/find.ts';
import {
  type ReportedConfirmation,
  reportConfirmedRegistrant,
} from '../../../../core/verification/report-confirmed-registrant.ts';
import { instant, text } from '../../../field.ts';
import { route } from '../../../route.ts';
import { instantText } from '../../../wire.ts';
import { customerCheck, domain_id } from '../buy/order-fields.ts';

const reportedView = z.object({ domain_id: z.string(), email: z.string(), confirmed_at: z.string() });
const showReported = ({ domainId, address, at }: ReportedConfirmation): z.output<typeof reportedView> => ({
  domain_id: domainId,
  email: address,
  confirmed_at: instantText(at),
});

export const reportConfirmation = route({
  method: 'PUT',
  path: '/domains/{domain_id}/raa_verification',
  area: 'domains',
  style: 'own',
  summary: 'Report that the registrant confirmed the email address',
  description:
    "For resellers that verify their registrants themselves. It has the same effect as the registrant's click on the link in our mail, for every domain with this address. 409 with `manages_registrants` false: the operator has not assigned the verification to you. 409 otherwise: the registrant has another address.",
  input: z.object({
    domain_id,
    customer_id: customerCheck,
    email: text({ max: 254, about: 'The address.', example: 'sari@example-shop.com' }),
    confirmed_at: instant('When it was confirmed.'),
  }),
  output: reportedView,
  errors: ['not_found', 'conflict'],
  example: {
    input: { domain_id: '5001', email: 'sari@example-shop.com', confirmed_at: '2026-11-16T09:00:00Z' },
    output: { domain_id: '5001', email: 'sari@example-shop.com', confirmed_at: '2026-11-16T09:00:00Z' },
    first: 'the operator must have assigned the verification of registrants to you',
  },
  render: showReported,
  async answer(ctx, caller, input) {
    const domain = await requireDomain(ctx, caller, input.domain_id, input.customer_id);
    const { email, confirmed_at: at } = input;
    return showReported(await reportConfirmedRegistrant(ctx, caller, domain, { address: email, at }));
  },
});

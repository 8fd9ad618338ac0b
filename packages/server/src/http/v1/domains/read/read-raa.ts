import { z } from 'zod';
import { requireDomain } from '../../../../core/domains/find.ts';
import { contactsOf } from '../../../../core/tables/contacts-of.sql.ts';
import { route } from '../../../route.ts';
import { customerCheck, domain_id } from '../buy/order-fields.ts';
import { raaExample, raaView, showRaa } from './section-views.ts';

export const readRaaVerification = route({
  method: 'GET',
  path: '/domains/{domain_id}/raa_verification',
  customer: 'read',
  area: 'domains',
  style: 'contract',
  summary: 'Read the verification of the registrant',
  description:
    "Status of the registrant's confirmation by email: NotRequired, Pending, Verified, or Suspended because it is missing.",
  input: z.object({ domain_id, customer_id: customerCheck }),
  output: raaView,
  errors: ['not_found'],
  example: { input: { domain_id: '5001' }, output: raaExample },
  async answer(ctx, caller, input) {
    const domain = await requireDomain(ctx, caller, input.domain_id, input.customer_id);
    const { registrant } = await contactsOf(ctx.db.as(caller.resellerId), domain);
    return showRaa(domain, registrant?.email ?? null, ctx.config.verifyRegistrants !== 'off');
  },
});

import { z } from 'zod';
import { requireDomain } from '../../../../core/domains/find.ts';
import { Refusal } from '../../../../core/errors.ts';
import { resendConfirmations } from '../../../../core/registrant-change/request-confirmations.ts';
import { type SentAgain, sendLinkAgain } from '../../../../core/verification/request-verification.ts';
import { oneOf } from '../../../field.ts';
import { route } from '../../../route.ts';
import { customerCheck, domain_id } from '../buy/order-fields.ts';

export const sentView = z
  .object({ domain_id: z.string(), sent: z.boolean().describe('The mail is being sent.') })
  .meta({ id: 'SentAgain', description: 'A mail was sent again.' });
export const showSent = ({ domainId }: SentAgain) => ({ domain_id: domainId, sent: true });
const example = {
  input: { domain_id: '5001' },
  output: { domain_id: '5001', sent: true },
  first: 'the confirmation of the registrant must be pending',
};

export const resendRaaVerification = route({
  method: 'POST',
  path: '/domains/{domain_id}/raa_verification/resend',
  customer: 'manage',
  area: 'domains',
  style: 'contract',
  summary: 'Resend the verification mail to the registrant',
  description:
    'Sends a mail with a new link; earlier links stay valid. 409 if no confirmation is pending, or after five mails a day.',
  input: z.object({ domain_id, customer_id: customerCheck }),
  output: sentView,
  errors: ['not_found', 'conflict'],
  example,
  render: showSent,
  async answer(ctx, caller, input) {
    const domain = await requireDomain(ctx, caller, input.domain_id, input.customer_id);
    return showSent(await sendLinkAgain(ctx, caller, domain));
  },
});

export const resendIrtpVerification = route({
  method: 'POST',
  path: '/domains/{domain_id}/irtp_verification/resend',
  customer: 'manage',
  area: 'domains',
  style: 'contract',
  summary: 'Resend the confirmation request for a change of registrant',
  description:
    'If a change of registrant waits for confirmations: sends new links to the parties that have not confirmed. Otherwise: sends the mail in which a new registrant confirms the address. Only by email. 409 if neither is pending, or after five mails a day. After a registration or transfer, use `raa_verification/resend`.',
  input: z.object({
    domain_id,
    customer_id: customerCheck,
    type: oneOf(['email', 'sms'], 'Channel of the message.').optional(),
  }),
  output: sentView,
  errors: ['not_found', 'conflict', 'not_available_yet'],
  example,
  render: showSent,
  async answer(ctx, caller, input) {
    const domain = await requireDomain(ctx, caller, input.domain_id, input.customer_id);
    if (input.type === 'sms') throw new Refusal('not_available_yet', 'SMS is not supported. Use type=email.');
    const result = await resendConfirmations(ctx, caller, domain);
    return showSent(result ?? (await sendLinkAgain(ctx, caller, domain, 'change')));
  },
});

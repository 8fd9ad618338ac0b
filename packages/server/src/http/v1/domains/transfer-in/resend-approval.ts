import { z } from 'zod';
import { resendTransferNotice } from '../../../../core/domains/transfer-in/resend-transfer-notice.ts';
import { route } from '../../../route.ts';
import { customerCheck, domain_id, ownerCheckName } from '../buy/order-fields.ts';
import { sentView, showSent } from '../change/resend-verification.ts';

export const resendApproval = route({
  method: 'POST',
  path: '/domains/{domain_id}/transfer/resend_approval_email',
  area: 'domains',
  style: 'contract',
  summary: 'Resend the mail about a pending transfer in',
  description:
    'The registrant is notified again that the transfer is pending (`transfer_started`). The mail requests no approval: the auth code is the authorisation, and the current registrar notifies whom it must. 409 if no transfer in is pending at the registry, or after five mails a day.',
  input: z.object({ domain_id, customer_id: customerCheck }),
  bodyName: ownerCheckName,
  output: sentView,
  errors: ['not_found', 'conflict'],
  example: {
    input: { domain_id: '5001' },
    output: { domain_id: '5001', sent: true },
    first: 'a transfer in must be pending at the registry',
  },
  render: showSent,
  answer: async (ctx, caller, input) =>
    showSent(await resendTransferNotice(ctx, caller, input.domain_id, input.customer_id)),
});

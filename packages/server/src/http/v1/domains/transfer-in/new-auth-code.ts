import { z } from 'zod';
import { sendNewAuthCode } from '../../../../core/domains/transfer-in/new-auth-code.ts';
import { text } from '../../../field.ts';
import { route } from '../../../route.ts';
import { operationErrors } from '../buy/order-errors.ts';
import { customerCheck, domain_id } from '../buy/order-fields.ts';
import { acceptedView, orderExample, orderView, runAndAnswer } from '../operation-answer.ts';

export const newAuthCodeRoute = route({
  method: 'PUT',
  path: '/domains/{domain_id}/transfer/auth_code',
  area: 'domains',
  style: 'own',
  accepted: acceptedView,
  secret: true,
  summary: 'Send another auth code for a transfer in',
  description:
    'For an order whose auth code the registry refused: it continues with this code, without another charge. Without another code within 14 days, the order ends and its money is released. While it waits, it does not reserve the domain. If another order has the domain by then, the code is refused with `domain_not_available`.',
  input: z.object({
    domain_id,
    customer_id: customerCheck,
    auth_code: text({ max: 255, about: 'The auth code from the current registrar.' }),
  }),
  output: orderView,
  errors: [...operationErrors, 'domain_not_available'],
  example: {
    first: 'a transfer in must wait for another auth code',
    input: { domain_id: '5001', auth_code: 'xK7-pQ2mWz9_Lr4tYb8.Hn3c' },
    output: { ...orderExample, status: 'Pending', operation_state: 'waiting_registry', expiry_date: null },
  },
  async answer(ctx, caller, input) {
    const order = { domain: input.domain_id, customerId: input.customer_id, authCode: input.auth_code };
    return runAndAnswer(ctx, caller, await sendNewAuthCode(ctx, caller, order));
  },
});

import { z } from 'zod';
import { orderMove } from '../../../../core/domains/move/order.ts';
import { id, oneOf } from '../../../field.ts';
import { route } from '../../../route.ts';
import { operationErrors } from '../buy/order-errors.ts';
import { customerCheck, domain_id } from '../buy/order-fields.ts';
import { acceptedView, orderExample, orderView, runAndAnswer } from '../operation-answer.ts';

const contacts = { oldcontact: 'old', default: 'default' } as const;

export const moveDomain = route({
  method: 'POST',
  path: '/domains/{domain_id}/move',
  sudo: true,
  area: 'domains',
  style: 'contract',
  accepted: acceptedView,
  summary: 'Move a domain to another customer or reseller',
  description:
    'To a customer of your own (`new_reseller_id` is yours): made at once, and the domain keeps its `domain_id`. If the account requires approval for any change, the move waits for one. To another reseller of this service: an offer, with the answer 202. The receiving reseller accepts or declines it (`/v1/moves`). The domain then gets a new `domain_id` there, and yours becomes its tombstone. The response does not reveal whether the reseller or customer exists; an offer without an answer expires. No money moves. A locked, suspended or theft-protected domain is refused.',
  input: z.object({
    domain_id,
    customer_id: customerCheck,
    existing_customer_id: id('The current reseller.'),
    new_reseller_id: id('The reseller that receives the domain. Your own id, for another customer of yours.'),
    new_customer_id: id('The customer that receives the domain.'),
    default_contacts: oneOf(
      ['oldcontact', 'default'],
      'The new contacts: copies of the current ones, or the first contact of the receiving customer.',
    ),
  }),
  output: orderView,
  errors: [...operationErrors, 'invalid_argument'],
  example: {
    first: 'switch theft protection off, and enter the receiving reseller and customer',
    input: {
      domain_id: '5001',
      existing_customer_id: '2001',
      new_reseller_id: '1001',
      new_customer_id: '2002',
      default_contacts: 'oldcontact',
    },
    output: { ...orderExample, transaction_id: null, expiry_date: null },
  },
  async answer(ctx, caller, input) {
    const operationId = await orderMove(ctx, caller, {
      domain: input.domain_id,
      customerId: input.customer_id,
      existingCustomerId: input.existing_customer_id,
      newResellerId: input.new_reseller_id,
      newCustomerId: input.new_customer_id,
      contacts: contacts[input.default_contacts],
    });
    return runAndAnswer(ctx, caller, operationId);
  },
});

import { z } from 'zod';
import type { Waiting } from '../../../../core/domains/orders/waiting.ts';
import { instantText } from '../../../wire.ts';
import { moneyView, showMoney } from '../../billing/money-view.ts';

/** The response of register, renew and similar calls if the order waits for its payment. */
export const waitingView = z
  .object({
    domain_id: z.string(),
    order_id: z.string(),
    transaction_id: z
      .string()
      .describe('The bill: its id is the parameter of pay, pay_add_only, execute, cancel and retry.'),
    operation_id: z.null().describe('Null: no operation has started.'),
    domain_name: z.string(),
    status: z.literal('Unpaid'),
    operation_state: z.null(),
    expiry_date: z.null(),
    customer_id: z.string(),
    customer_price: moneyView.describe('The amount that the customer is billed. It does not change.'),
    price: moneyView.describe('Your cost at present. It is determined again when the order runs.'),
    expires_at: z.string().describe('If it is unpaid then, the order is cancelled.'),
    warnings: z.array(z.string()).optional().describe('Differences between the order as sent and as executed.'),
  })
  .meta({ id: 'WaitingOrder', description: 'An order that waits for its payment.' });

export function showWaiting(waiting: Waiting): z.output<typeof waitingView> {
  return {
    domain_id: waiting.domainId,
    order_id: waiting.domainId,
    transaction_id: waiting.transactionId,
    operation_id: null,
    domain_name: waiting.domainName,
    status: 'Unpaid',
    operation_state: null,
    expiry_date: null,
    customer_id: waiting.customerId,
    customer_price: showMoney(waiting.customerPrice),
    price: showMoney(waiting.price),
    expires_at: instantText(waiting.expiresAt),
    ...(waiting.warnings.length > 0 ? { warnings: [...waiting.warnings] } : {}),
  };
}

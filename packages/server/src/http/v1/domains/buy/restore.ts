import { z } from 'zod';
import { purchases } from '../../../../core/domains/buy/purchases.ts';
import { route } from '../../../route.ts';
import { acceptedView, orderExample } from '../operation-answer.ts';
import { answerPurchase, orderOrDryRun } from './answer-purchase.ts';
import { purchaseErrors } from './order-errors.ts';
import { customerCheck, domain_id, guardOf, invoice_option, priceGuard } from './order-fields.ts';
import { showWaiting } from './waiting-view.ts';

export const restore = route({
  method: 'POST',
  path: '/domains/{domain_id}/restore',
  customer: 'order',
  area: 'domains',
  style: 'contract',
  accepted: acceptedView,
  summary: 'Restore a deleted domain',
  description:
    'Restores a domain from its redemption period. The request and the report go to the registry, and the price is captured when the domain is restored. A domain whose term has ended is also renewed by one year, as a second line of the price.',
  input: z.object({ domain_id, customer_id: customerCheck, invoice_option, ...priceGuard }),
  output: orderOrDryRun,
  render: showWaiting,
  errors: purchaseErrors,
  example: {
    input: { domain_id: '5001', invoice_option: 'no_invoice' },
    output: orderExample,
    first: 'the domain must be deleted, after its add grace period',
  },
  async answer(ctx, caller, input) {
    const order = {
      domain: input.domain_id,
      customerId: input.customer_id,
      guard: guardOf(input),
    };
    return answerPurchase(ctx, caller, purchases.restore, order, {
      invoicing: input.invoice_option,
      isDryRun: input.dry_run ?? false,
    });
  },
});

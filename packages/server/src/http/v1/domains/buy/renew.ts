import { z } from 'zod';
import { purchases } from '../../../../core/domains/buy/purchases.ts';
import { utcDate } from '../../../../core/model/domain.ts';
import { flag, integer, moment } from '../../../field.ts';
import { route } from '../../../route.ts';
import { acceptedView, orderExample } from '../operation-answer.ts';
import { answerPurchase, orderOrDryRun } from './answer-purchase.ts';
import { purchaseErrors } from './order-errors.ts';
import { customerCheck, domain_id, guardOf, invoice_option, priceGuard } from './order-fields.ts';
import { showWaiting } from './waiting-view.ts';

export const renew = route({
  method: 'POST',
  path: '/domains/{domain_id}/renew',
  customer: 'order',
  area: 'domains',
  style: 'contract',
  accepted: acceptedView,
  summary: 'Renew a domain',
  description:
    'Adds years to the paid term. `current_date` must be the current expiry date of the domain, not today. Its UTC date is compared, which prevents a second renewal. In the auto-renew grace period, the order pays for the year that the registry added automatically, and adds no further year for it.',
  input: z.object({
    domain_id,
    customer_id: customerCheck,
    years: integer({ min: 1, max: 10, about: 'Number of years to add.', example: 1 }),
    current_date: moment({ about: 'The current expiry date of the domain, not today.' }),
    purchase_privacy_protection: flag('Buy privacy protection for the same years.').optional(),
    invoice_option,
    ...priceGuard,
  }),
  output: orderOrDryRun,
  render: showWaiting,
  errors: [...purchaseErrors, 'already_renewed'],
  example: {
    first: 'put the current expiry date of the domain from `GET /domains/{domain_id}` in `current_date`',
    input: { domain_id: '5001', years: 1, current_date: '2027-11-15', invoice_option: 'no_invoice' },
    output: { ...orderExample, expiry_date: '2028-11-15 09:00:00' },
  },
  async answer(ctx, caller, input) {
    const order = {
      domain: input.domain_id,
      customerId: input.customer_id,
      years: input.years,
      currentDate: utcDate(input.current_date),
      privacy: input.purchase_privacy_protection ?? false,
      guard: guardOf(input),
    };
    return answerPurchase(ctx, caller, purchases.renew, order, {
      invoicing: input.invoice_option,
      isDryRun: input.dry_run ?? false,
    });
  },
});

import { z } from 'zod';
import { purchases } from '../../../../core/domains/buy/purchases.ts';
import { switchPrivacy } from '../../../../core/domains/change/privacy.ts';
import type { Operation } from '../../../../core/model/operation.ts';
import { integer } from '../../../field.ts';
import { route } from '../../../route.ts';
import { instantText } from '../../../wire.ts';
import { dryRunView } from '../../quotes/quote-view.ts';
import { changeRoute } from '../change/change-route.ts';
import { acceptedView, orderExample, orderView, showOrder } from '../operation-answer.ts';
import { answerPurchase } from './answer-purchase.ts';
import { purchaseErrors } from './order-errors.ts';
import { customerCheck, domain_id, guardOf, invoice_option, priceGuard } from './order-fields.ts';
import { showWaiting, waitingView } from './waiting-view.ts';

const privacyView = z.object({ privacy_protection_enabled: z.enum(['true', 'false']) });

const switchRoute = (method: 'PUT' | 'DELETE', on: boolean) =>
  changeRoute({
    method,
    path: '/privacy_protection',
    customer: 'manage',
    summary: on ? 'Switch privacy protection on' : 'Switch privacy protection off',
    description: on
      ? 'Hides the registrant data at the registry. Privacy protection must be bought first.'
      : 'Shows the registrant data at the registry again. The paid privacy protection stays paid.',
    fields: {},
    view: privacyView,
    example: {
      output: { privacy_protection_enabled: on ? 'true' : 'false' },
      first: 'buy privacy protection first: POST .../privacy_protection/buy',
    },
    order: (ctx, caller, where) => switchPrivacy(ctx, caller, where.domain, where.customerId, on),
  });

export const privacyOn = switchRoute('PUT', true);
export const privacyOff = switchRoute('DELETE', false);

const boughtView = z.union([orderView.extend({ privacy_ends_at: z.string().optional() }), waitingView, dryRunView]);

export function showPrivacyPurchase(operation: Operation): unknown {
  const until = operation.kind === 'buy_privacy' ? operation.outcome?.privacy_until : undefined;
  return {
    ...showOrder(operation),
    ...(until ? { privacy_ends_at: instantText(new Date(until)) } : {}),
  };
}

export const buyPrivacyRoute = route({
  method: 'POST',
  path: '/domains/{domain_id}/privacy_protection/buy',
  customer: 'order',
  area: 'domains',
  style: 'contract',
  summary: 'Buy privacy protection',
  accepted: acceptedView,
  description:
    "Extends the paid privacy protection, at most to the end of the domain's term, and hides the registrant data at the registry. If the registry of the TLD cannot hide data, the answer is 400 and no money moves.",
  input: z.object({
    domain_id,
    customer_id: customerCheck,
    years: integer({ min: 1, max: 10, about: 'Default: 1.', example: 1 }).optional(),
    // An older client omits it.
    invoice_option: invoice_option.optional(),
    ...priceGuard,
  }),
  output: boughtView,
  render: showWaiting,
  errors: purchaseErrors,
  example: {
    input: { domain_id: '5001', invoice_option: 'no_invoice' },
    output: { ...orderExample, expiry_date: null, privacy_ends_at: '2027-11-15T09:00:00Z' },
  },
  async answer(ctx, caller, input) {
    const guard = guardOf(input);
    const order = { domain: input.domain_id, customerId: input.customer_id, years: input.years ?? 1, guard };
    const isDryRun = input.dry_run ?? false;
    return answerPurchase(ctx, caller, purchases.privacy, order, {
      invoicing: input.invoice_option ?? 'none',
      isDryRun,
      show: showPrivacyPurchase,
    });
  },
});

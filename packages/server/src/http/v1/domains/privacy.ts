import { z } from 'zod';
import { buyPrivacy, draftPrivacy } from '../../../core/domains/buy-privacy.ts';
import type { Domain } from '../../../core/domains/domain.ts';
import { switchPrivacy } from '../../../core/domains/privacy.ts';
import { notFound } from '../../../core/errors.ts';
import { findOperation } from '../../../core/operations/operation.sql.ts';
import type { Operation } from '../../../core/operations/operation.ts';
import { integer } from '../../field.ts';
import { route } from '../../route.ts';
import { instantText } from '../../wire.ts';
import { flagWord } from './domain-view.ts';
import { answerDryRun, orderOrDryRun } from './dry-run.ts';
import { answerOf, orderExample, showOrder } from './operation-answer.ts';
import { purchaseErrors } from './order-errors.ts';
import { customerCheck, domain_id, invoice_option, priceGuard } from './order-fields.ts';

const privacyView = z.object({ privacy_protection_enabled: z.enum(['true', 'false']) });
const show = (domain: Domain) => ({ privacy_protection_enabled: flagWord(domain.privacy_enabled) });

function switchRoute(method: 'PUT' | 'DELETE', on: boolean) {
  return route({
    method,
    path: '/domains/{domain_id}/privacy_protection',
    area: 'domains',
    style: 'contract',
    summary: on ? 'Switch privacy protection on' : 'Switch privacy protection off',
    description: on
      ? 'Switches privacy protection on where it is bought.'
      : 'Switches privacy protection off; what was paid for it stays paid.',
    input: z.object({ domain_id, customer_id: customerCheck }),
    output: privacyView,
    errors: ['not_found', 'conflict', 'domain_blocked'],
    example: { input: { domain_id: '5001' }, output: { privacy_protection_enabled: on ? 'true' : 'false' } },
    render: show,
    answer: async (house, caller, input) =>
      show(await switchPrivacy(house, caller, input.domain_id, input.customer_id, on)),
  });
}

export const privacyOn = switchRoute('PUT', true);
export const privacyOff = switchRoute('DELETE', false);

const boughtView = orderOrDryRun.extend({ privacy_ends_at: z.string().optional() });

export function showPrivacyPurchase(operation: Operation): unknown {
  const until = operation.outcome?.privacy_until;
  return {
    ...showOrder(operation),
    ...(typeof until === 'string' ? { privacy_ends_at: instantText(new Date(until)) } : {}),
  };
}

export const buyPrivacyRoute = route({
  method: 'POST',
  path: '/domains/{domain_id}/privacy_protection/buy',
  area: 'domains',
  style: 'contract',
  summary: 'Buy privacy protection',
  description: 'Buys privacy protection, on top of what is left of an earlier purchase, and switches it on.',
  input: z.object({
    domain_id,
    customer_id: customerCheck,
    years: integer({ min: 1, max: 10, about: 'Default: 1.', example: 1 }).optional(),
    // An older client leaves it out.
    invoice_option: invoice_option.optional(),
    ...priceGuard,
  }),
  output: boughtView,
  errors: purchaseErrors,
  example: {
    input: { domain_id: '5001', invoice_option: 'no_invoice' },
    output: { ...orderExample, expiry_date: null, privacy_ends_at: '2027-11-15T09:00:00Z' },
  },
  async answer(house, caller, input) {
    const guard = { max_price: input.max_price, quote_id: input.quote_id };
    const order = { domain: input.domain_id, customerId: input.customer_id, years: input.years ?? 1, guard };
    if (input.dry_run) return answerDryRun(await draftPrivacy(house, caller, order), guard);
    const id = await buyPrivacy(house, caller, order);
    const operation = await findOperation(house.db.as(caller.resellerId), caller.resellerId, id);
    if (!operation) throw notFound('operation');
    return answerOf(operation, showPrivacyPurchase);
  },
});

import { z } from 'zod';
import { purchases } from '../../../../core/domains/buy/purchases.ts';
import { domainLimits } from '../../../../core/model/domain.ts';
import { flag, id, integer, list, text } from '../../../field.ts';
import { route } from '../../../route.ts';
import { acceptedView, orderExample } from '../operation-answer.ts';
import { answerPurchase, orderOrDryRun } from './answer-purchase.ts';
import { contactId, extra, guardOf, invoice_option, priceGuard, renewal_mode } from './order-fields.ts';
import { registrationFields, registrationOf } from './registration-fields.ts';
import { showWaiting } from './waiting-view.ts';

export const register = route({
  method: 'POST',
  path: '/domains',
  customer: 'order',
  area: 'domains',
  style: 'contract',
  accepted: acceptedView,
  summary: 'Register a domain',
  description:
    'Holds the price, registers the domain at its registry, and captures the price when the registry confirms. If the registry does not answer in time, the operation continues and the answer is 202. Read the operation for its result. Send an Idempotency-Key so that a repeated request cannot buy twice.',
  input: z.object({
    domain_name: text({ max: 300, about: 'The domain name to register.', example: 'example-shop.com' }),
    customer_id: id('The customer that receives the domain.'),
    registrant_contact_id: contactId('registrant'),
    admin_contact_id: contactId('admin'),
    tech_contact_id: contactId('tech'),
    billing_contact_id: contactId('billing'),
    years: integer({ min: 1, max: 10, about: 'Default: 1.', example: 1 }).optional(),
    ns: list({
      max: domainLimits.nameservers,
      about: 'Nameservers.',
      example: ['ns1.namehold-dns.net', 'ns2.namehold-dns.net'],
    }).optional(),
    purchase_privacy_protection: flag('Buy privacy protection too.').optional(),
    privacy_protection_enabled: flag('The same, as spelled by older clients.').optional(),
    extra: extra.optional(),
    ...registrationFields,
    renewal_mode: renewal_mode.optional(),
    invoice_option,
    ...priceGuard,
  }),
  output: orderOrDryRun,
  render: showWaiting,
  errors: [
    'insufficient_funds',
    'domain_not_available',
    'tld_not_offered',
    'price_not_set',
    'price_guard',
    'price_guard_required',
    'quote_expired',
    'registry_refused',
    'registry_unavailable',
    'operation_in_progress',
    'conflict',
    'domain_blocked',
    'idempotency_in_flight',
    'idempotency_mismatch',
  ],
  example: {
    input: {
      domain_name: 'example-shop.com',
      customer_id: '2001',
      registrant_contact_id: '3001',
      admin_contact_id: '3001',
      tech_contact_id: '3001',
      billing_contact_id: '3001',
      years: 1,
      invoice_option: 'no_invoice',
    },
    output: orderExample,
  },
  async answer(ctx, caller, input) {
    const order = {
      domainName: input.domain_name,
      years: input.years ?? 1,
      privacy: input.purchase_privacy_protection ?? input.privacy_protection_enabled ?? false,
      parties: {
        customerId: input.customer_id,
        contacts: {
          registrant: input.registrant_contact_id,
          admin: input.admin_contact_id,
          tech: input.tech_contact_id,
          billing: input.billing_contact_id,
        },
        nameservers: input.ns,
        extra: input.extra ?? {},
      },
      registration: registrationOf(input),
      renewalMode: input.renewal_mode,
      guard: guardOf(input),
    };
    return answerPurchase(ctx, caller, purchases.register, order, {
      invoicing: input.invoice_option,
      isDryRun: input.dry_run ?? false,
    });
  },
});

import { z } from 'zod';
import { purchases } from '../../../../core/domains/buy/purchases.ts';
import { replaceCodeByOrder } from '../../../../core/domains/transfer-in/new-auth-code.ts';
import { domainLimits } from '../../../../core/model/domain.ts';
import { flag, id, integer, list, text } from '../../../field.ts';
import { Answer, route } from '../../../route.ts';
import { acceptedView, orderExample, runAndAnswer } from '../operation-answer.ts';
import { answerPurchase, orderOrDryRun } from './answer-purchase.ts';
import { purchaseErrors } from './order-errors.ts';
import { contactId, extra, guardOf, invoice_option, priceGuard, renewal_mode } from './order-fields.ts';
import { showWaiting } from './waiting-view.ts';

export const transfer = route({
  method: 'POST',
  path: '/domains/transfer',
  area: 'domains',
  style: 'contract',
  accepted: acceptedView,
  secret: true,
  summary: 'Transfer a domain in',
  description:
    'Holds the price and requests the transfer of a domain from another registrar. The current registrar has some days to reject it, so most answers are 202 with the future id of the domain. The domain, the operation and the events show the progress. The price is captured when the transfer is completed, and released if it fails. If the auth code is wrong, `status` and `message` say so and the order waits; it is not retried with the same code. Send another code with PUT .../auth_code, or repeat the order with another code. The transfer is charged once.',
  input: z.object({
    domain_name: text({ max: 300, about: 'The domain name.', example: 'example-shop.com' }),
    customer_id: id('The customer that receives the domain.'),
    registrant_contact_id: contactId('registrant'),
    admin_contact_id: contactId('admin'),
    tech_contact_id: contactId('tech'),
    billing_contact_id: contactId('billing'),
    auth_code: text({ max: 255, about: 'The auth code from the current registrar.' }).optional(),
    years: integer({
      min: 0,
      max: 10,
      about: 'Years to add. The TLD defines none or one. If you request more, `warnings` has the added years.',
      example: 1,
    }).optional(),
    ns: list({
      max: domainLimits.nameservers,
      about: 'Nameservers. Omitted: the current ones stay.',
      example: ['ns1.namehold-dns.net', 'ns2.namehold-dns.net'],
    }).optional(),
    purchase_privacy_protection: flag('Not sold with a transfer. Buy it after the transfer.')
      .refine((wanted) => !wanted, 'Privacy protection is not sold with a transfer. Buy it after the transfer.')
      .optional(),
    extra: extra.optional(),
    renewal_mode: renewal_mode.optional(),
    invoice_option,
    ...priceGuard,
  }),
  output: orderOrDryRun,
  render: showWaiting,
  errors: [...purchaseErrors, 'transfer_not_possible', 'tld_not_offered', 'domain_not_available'],
  example: {
    first: 'requires a domain at another registrar; enter its auth code in `auth_code`',
    input: {
      domain_name: 'example-shop.com',
      customer_id: '2001',
      registrant_contact_id: '3001',
      admin_contact_id: '3001',
      tech_contact_id: '3001',
      billing_contact_id: '3001',
      auth_code: 'xK7-pQ2mWz9_Lr4tYb8.Hn3c',
      invoice_option: 'no_invoice',
    },
    output: orderExample,
  },
  async answer(ctx, caller, input) {
    const order = {
      domainName: input.domain_name,
      years: input.years,
      privacy: input.purchase_privacy_protection ?? false,
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
        authCode: input.auth_code,
      },
      renewalMode: input.renewal_mode,
      guard: guardOf(input),
    };
    const replaced = input.dry_run ? undefined : await replaceCodeByOrder(ctx, caller, order);
    if (replaced) return warned(await runAndAnswer(ctx, caller, replaced.operationId), replaced.warnings);
    return answerPurchase(ctx, caller, purchases.transfer, order, {
      invoicing: input.invoice_option,
      isDryRun: input.dry_run ?? false,
    });
  },
});

function warned({ body, status, headers }: Answer, warnings: readonly string[]): Answer {
  const ordered = (body as { warnings?: readonly string[] }).warnings ?? [];
  const all = [...ordered, ...warnings];
  return new Answer(all.length === 0 ? body : { ...(body as object), warnings: all }, { status, headers });
}

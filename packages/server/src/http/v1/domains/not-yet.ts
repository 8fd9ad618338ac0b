import type { z } from 'zod';
import { id, integer, list, text, word } from '../../field.ts';
import type { Route } from '../../route.ts';
import { notYet } from '../not-yet.ts';
import { contactId, extra, invoice_option } from './buy/order-fields.ts';

const domain_name = text({ max: 300, about: 'The name.', example: 'example-shop.com' });
const auth_code = text({ max: 300, about: 'The code of the present registrar.' }).optional();
const noTransfers = 'Names cannot be transferred in so far; a new name can be registered with POST /v1/domains.';
const noMail = 'Nothing is waiting for a confirmation, so there is no mail to send again.';

const transferIn = notYet({
  path: '/domains/transfer',
  summary: 'Transfer of a domain',
  instead: noTransfers,
  input: {
    domain_name,
    customer_id: id('The customer who gets the name.'),
    registrant_contact_id: contactId('registrant'),
    admin_contact_id: contactId('admin'),
    tech_contact_id: contactId('tech'),
    billing_contact_id: contactId('billing'),
    auth_code,
    years: integer({ min: 1, max: 10, about: 'Default: 1.', example: 1 }).optional(),
    ns: list({ max: 13, about: 'Nameservers.' }).optional(),
    extra: extra.optional(),
    invoice_option,
  },
  example: {
    domain_name: 'example-shop.com',
    customer_id: '2001',
    registrant_contact_id: '3001',
    admin_contact_id: '3001',
    tech_contact_id: '3001',
    billing_contact_id: '3001',
    invoice_option: 'no_invoice',
  },
});

const validity = (method: 'GET' | 'POST') =>
  notYet({
    method,
    path: '/domains/transfer/validity',
    summary: 'The check of a transfer',
    instead: noTransfers,
    input: { domain_name, auth_code },
    example: { domain_name: 'example-shop.com' },
  });

/** A mail that would be sent again. */
const resend = (path: string, summary: string, input: z.ZodRawShape = {}) =>
  notYet({ path: `/domains/{domain_id}/${path}`, summary, instead: noMail, input });

export const notYetRoutes: readonly Route[] = [
  transferIn,
  validity('POST'),
  validity('GET'),
  notYet({
    path: '/domains/{domain_id}/transfer/cancel',
    summary: 'Cancelling a transfer',
    instead: 'No transfer is under way, so there is none to cancel.',
  }),
  resend('transfer/resend_approval_email', 'Sending the approval mail of a transfer again'),
  notYet({
    path: '/domains/{domain_id}/move',
    summary: 'Moving a domain to another customer',
    instead: 'PUT /v1/domains/{domain_id}/contacts changes who holds it.',
    input: {
      existing_customer_id: id('The present owner.'),
      new_reseller_id: id('The reseller who gets it.'),
      new_customer_id: id('The customer who gets it.'),
      default_contacts: word(['oldcontact', 'default'], 'Which contacts it has then.'),
    },
    example: {
      existing_customer_id: '2001',
      new_reseller_id: '1000',
      new_customer_id: '2002',
      default_contacts: 'oldcontact',
    },
  }),
];

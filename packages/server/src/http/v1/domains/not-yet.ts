import type { z } from 'zod';
import { id, word } from '../../field.ts';
import type { Route } from '../../route.ts';
import { notYet } from '../not-yet.ts';

const noMail = 'Nothing is waiting for a confirmation, so there is no mail to send again.';

/** A mail that would be sent again. */
const resend = (path: string, summary: string, input: z.ZodRawShape = {}) =>
  notYet({ path: `/domains/{domain_id}/${path}`, summary, instead: noMail, input });

export const notYetRoutes: readonly Route[] = [
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

import type { z } from 'zod';
import type { Route } from '../../route.ts';
import { notYet } from '../not-yet.ts';

const noMail = 'Nothing is waiting for a confirmation, so there is no mail to send again.';

/** A mail that would be sent again. */
const resend = (path: string, summary: string, input: z.ZodRawShape = {}) =>
  notYet({ path: `/domains/{domain_id}/${path}`, summary, instead: noMail, input });

export const notYetRoutes: readonly Route[] = [
  resend('transfer/resend_approval_email', 'Sending the approval mail of a transfer again'),
];

import { z } from 'zod';
import { listTargets } from '../../../core/mail-forwarding/list-targets.ts';
import { resendConsentRequest } from '../../../core/mail-forwarding/request-consent.ts';
import type { MailTarget } from '../../../core/mail-forwarding/target.sql.ts';
import { formerField } from '../../aliases.ts';
import { id, oneOf, text } from '../../field.ts';
import { listAnswer, pageOf, pagingAfter } from '../../page.ts';
import { route } from '../../route.ts';
import { instantOrNull, instantText } from '../../wire.ts';
import { targetStateView } from './mail-view.ts';

const targetView = z
  .object({
    mail_target_id: z.string(),
    customer_id: z.string(),
    address: z.string().describe('The target address.'),
    state: targetStateView,
    created_at: z.string(),
    asked_at: z.string().nullable().describe('Last request to its owner. Null: the mail is not sent yet.'),
    delayed_until: z
      .string()
      .nullable()
      .describe(
        'The mailbox has had its consent requests of the day; the request is sent at this time. Null: it is not delayed.',
      ),
    expires_at: z
      .string()
      .nullable()
      .describe('Until when the owner can confirm. Null: in any other state than waiting.'),
    lapses_at: formerField(z.string().nullable(), 'expires_at'),
    confirmed_at: z.string().nullable().describe('When its owner agreed.'),
    stopped_at: z.string().nullable().describe('When its owner refused.'),
  })
  .meta({ id: 'MailTarget', description: 'An address to which mail of a customer is forwarded.' });

const show = (target: MailTarget): z.output<typeof targetView> => {
  const expiresAt = target.state === 'waiting' ? instantOrNull(target.lapses_at) : null;
  return {
    mail_target_id: target.id,
    customer_id: target.customer_id,
    address: target.address,
    state: target.state,
    created_at: instantText(target.created_at),
    asked_at: instantOrNull(target.asked_at),
    delayed_until: target.state === 'waiting' ? instantOrNull(target.request_due_at) : null,
    expires_at: expiresAt,
    lapses_at: expiresAt,
    confirmed_at: instantOrNull(target.confirmed_at),
    stopped_at: instantOrNull(target.stopped_at),
  };
};

const example: z.output<typeof targetView> = {
  mail_target_id: 'mtg_06bs3m7ycg7r5qh0d8w2k1v9zx',
  customer_id: '2001',
  address: 'sari@example.net',
  state: 'waiting',
  created_at: '2026-11-16T11:00:00Z',
  asked_at: '2026-11-16T11:00:00Z',
  delayed_until: null,
  expires_at: '2026-11-23T11:00:00Z',
  lapses_at: '2026-11-23T11:00:00Z',
  confirmed_at: null,
  stopped_at: null,
};

export const listTargetsRoute = route({
  method: 'GET',
  customer: 'read',
  path: '/mail_targets',
  area: 'domains',
  style: 'own',
  isList: true,
  summary: 'List mail forwarding targets',
  description: 'With the answers of their owners, newest first.',
  input: z.object({
    ...pagingAfter('mtg'),
    state: oneOf(['waiting', 'confirmed', 'stopped', 'failing', 'lapsed'], 'Only this state.').optional(),
    customer_id: id('Only this customer.').optional(),
  }),
  output: z.array(targetView),
  errors: ['invalid_argument'],
  example: { input: { limit: 10 }, output: [example] },
  async answer(ctx, caller, input) {
    const filter = { state: input.state, customerId: input.customer_id };
    const { rows, ...listed } = await listTargets(ctx, caller, filter, pageOf(input));
    return listAnswer(rows.map(show), listed);
  },
});

export const resendTargetRoute = route({
  method: 'POST',
  customer: 'manage',
  path: '/mail_targets/{mail_target_id}/resend',
  area: 'domains',
  style: 'own',
  summary: 'Resend the consent request to a target',
  description:
    'Sends another mail, at most three a day to one mailbox from all customers together. Beyond that the answer is 429 with Retry-After. Owners that refused are not asked again.',
  input: z.object({ mail_target_id: text({ max: 60, about: 'Id of the target.' }) }),
  output: targetView,
  errors: ['not_found', 'conflict', 'rate_limited'],
  example: {
    input: { mail_target_id: example.mail_target_id },
    output: example,
    first: 'an address must be forwarded; enter the id of its target',
  },
  render: show,
  answer: async (ctx, caller, input) => show(await resendConsentRequest(ctx, caller, input.mail_target_id)),
});

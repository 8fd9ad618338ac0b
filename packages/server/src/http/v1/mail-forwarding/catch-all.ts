import { z } from 'zod';
import { requireDomain } from '../../../core/domains/find.ts';
import { setCatchAll } from '../../../core/mail-forwarding/edit-address.ts';
import { readMail } from '../../../core/mail-forwarding/read.ts';
import { type MailChanged, mailChangedOf, setMail } from '../../../core/mail-forwarding/set-mail.ts';
import type { Edited } from '../../../core/zones/change/change-zone.ts';
import { text } from '../../field.ts';
import { route } from '../../route.ts';
import { customerCheck, domain_id } from '../domains/buy/order-fields.ts';
import { orderOf, replace_records, spam } from './addresses.ts';
import { catchAllView, showCatchAll } from './mail-view.ts';

const path = '/domains/{domain_id}/email_forwarding/catch_all';
const example: z.output<typeof catchAllView> = {
  email: 'sari@example.net',
  status: 'live',
  reason: null,
  targets: [{ address: 'sari@example.net', state: 'confirmed' }],
  spam: 'refuse',
};

export const readCatchAllRoute = route({
  method: 'GET',
  customer: 'read',
  path,
  area: 'domains',
  style: 'contract',
  summary: 'Read the catch-all',
  description: 'Where mail is sent for addresses without their own forwarding.',
  input: z.object({ domain_id, customer_id: customerCheck }),
  output: catchAllView,
  errors: ['not_found'],
  example: { input: { domain_id: '5001' }, output: example },
  async answer(ctx, caller, input) {
    const domain = await requireDomain(ctx, caller, input.domain_id, input.customer_id);
    return showCatchAll(await readMail(ctx, domain));
  },
});

export const setCatchAllRoute = route({
  method: 'PUT',
  customer: 'manage',
  path,
  area: 'domains',
  style: 'contract',
  summary: 'Set the catch-all',
  description:
    'The owner of the target must first agree by mail. Empty: no catch-all. If only spam is sent, the target stays.',
  input: z.object({
    domain_id,
    email: text({ min: 0, max: 320, about: 'Where it is sent.', example: 'sari@example.net' }).optional(),
    spam: spam.optional(),
    replace_records: replace_records.optional(),
    customer_id: customerCheck,
  }),
  keepEmpty: ['email'],
  output: catchAllView,
  errors: ['not_found', 'conflict', 'not_available_yet'],
  example: { input: { domain_id: '5001', email: 'sari@example.net' }, output: example },
  render: (edited: Edited<MailChanged>) => showCatchAll(mailChangedOf(edited).mailStatus),
  async answer(ctx, caller, input) {
    const domain = await requireDomain(ctx, caller, input.domain_id, input.customer_id);
    const edit = setCatchAll({ target: input.email, spam: input.spam }, domain.name, ctx.config);
    return showCatchAll((await setMail(ctx, caller, domain, orderOf(edit, input.replace_records))).mailStatus);
  },
});

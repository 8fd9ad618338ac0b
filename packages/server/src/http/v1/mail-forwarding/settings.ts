import { z } from 'zod';
import { requireDomain } from '../../../core/domains/find.ts';
import { readMail } from '../../../core/mail-forwarding/read.ts';
import { type MailChanged, mailChangedOf, setMail } from '../../../core/mail-forwarding/set-mail.ts';
import type { Edited } from '../../../core/zones/change/change-zone.ts';
import { flag } from '../../field.ts';
import { route } from '../../route.ts';
import { domain_id } from '../domains/buy/order-fields.ts';
import { replace_records } from './addresses.ts';
import { mailSettingsView, showMailChanged, showMailSettings } from './mail-view.ts';

const path = '/domains/{domain_id}/mail_forwarding';
const example: z.output<typeof mailSettingsView> = {
  domain_id: '5001',
  domain_name: 'example-shop.com',
  version: 1,
  changed_at: '2026-11-16T11:00:00Z',
  addresses: 1,
  receive_only: false,
  mta_sts: 'enforce',
  status: 'live',
  reason: null,
  dns: {
    state: 'ours',
    records: [{ name: 'example-shop.com.', type: 'MX', ttl: 3_600, records: ['10 mx.example.net.'] }],
    displaced: [],
  },
};

export const readMailSettingsRoute = route({
  method: 'GET',
  customer: 'read',
  path,
  area: 'domains',
  style: 'own',
  summary: 'Read the mail forwarding of a domain',
  description: 'State and records of mail forwarding for the whole domain.',
  input: z.object({ domain_id }),
  output: mailSettingsView,
  errors: ['not_found'],
  example: { input: { domain_id: '5001' }, output: example },
  async answer(ctx, caller, input) {
    return showMailSettings(await readMail(ctx, await requireDomain(ctx, caller, input.domain_id)));
  },
});

export const setMailSettingsRoute = route({
  method: 'PUT',
  customer: 'manage',
  path,
  area: 'domains',
  style: 'own',
  summary: 'Set the mail forwarding of a domain',
  description: 'receive_only declares in the zone that the domain sends no mail: SPF -all, DMARC reject, no DKIM keys.',
  input: z.object({
    domain_id,
    receive_only: flag('The domain sends no mail.'),
    replace_records: replace_records.optional(),
    dry_run: flag('Check and show the result only; nothing is stored.').optional(),
  }),
  output: mailSettingsView,
  errors: ['not_found', 'conflict', 'not_available_yet'],
  example: {
    input: { domain_id: '5001', receive_only: false },
    output: { ...example, dry_run: false, warnings: [] },
  },
  render: (edited: Edited<MailChanged>) => showMailChanged(mailChangedOf(edited)),
  async answer(ctx, caller, input) {
    const domain = await requireDomain(ctx, caller, input.domain_id);
    const changed = await setMail(ctx, caller, domain, {
      edit: ({ forwards }) => ({ forwards, receiveOnly: input.receive_only }),
      field: 'forward_to',
      replacesRecords: input.replace_records ?? false,
      isDryRun: input.dry_run ?? false,
    });
    return showMailChanged(changed);
  },
});

import { z } from 'zod';
import { catchAll, type MailForward } from '../../../core/mail-forwarding/forward.ts';
import { forwardStateOf, isOn, type MailStatus, whyNoMail } from '../../../core/mail-forwarding/read.ts';
import type { MailChanged } from '../../../core/mail-forwarding/set-mail.ts';
import { instantOrNull } from '../../wire.ts';
import { rrsetView, showRecords } from '../zones/zone-view.ts';

export const targetStateView = z
  .enum(['waiting', 'confirmed', 'stopped', 'failing', 'lapsed'])
  .describe('Answer of its owner. Only confirmed targets get mail.');

const stateView = z
  .enum(['waiting_dns', 'waiting_target', 'live', 'blocked', 'off'])
  .describe('live: mail is forwarded. waiting_target: no owner of a target has agreed yet.');
const reasonView = z.string().nullable().describe('Why it is not live.');

const targetsView = z
  .array(
    z
      .object({ address: z.string().describe('Target address.'), state: targetStateView })
      .meta({ id: 'ForwardTarget', description: 'An external target address.' }),
  )
  .describe('The targets, each with the answer of its owner.');

const spamView = z.enum(['refuse', 'mark']).describe('Handling of suspicious mail.');

export const mailForwardView = z
  .object({
    email: z.string(),
    forward_to: z.string().describe('Target addresses, comma-separated.'),
    status: stateView,
    reason: reasonView,
    targets: targetsView,
    enabled: z.boolean().describe('Whether it is switched on.'),
    action: z.enum(['forward', 'refuse']).describe('refuse: mail is refused, even if there is a catch-all.'),
    spam: spamView,
  })
  .meta({ id: 'MailForward', description: 'An address with mail forwarding.' });

export const catchAllView = z
  .object({
    email: z.string().describe('Where mail is sent for addresses without their own forwarding. Empty: it is refused.'),
    status: stateView,
    reason: reasonView,
    targets: targetsView,
    spam: spamView,
  })
  .meta({ id: 'CatchAll', description: 'Catch-all: mail for addresses without their own forwarding.' });

const showTargets = ({ states }: MailStatus, { targets }: MailForward) =>
  targets.map((address) => ({ address, state: states[address] ?? ('waiting' as const) }));

export function showForward(mailStatus: MailStatus, forward: MailForward): z.output<typeof mailForwardView> {
  const { state: status, reason } = forwardStateOf(mailStatus, forward);
  const { local_part, targets, enabled, action, spam } = forward;
  return {
    email: `${local_part}@${mailStatus.domain.name}`,
    forward_to: targets.join(','),
    status,
    reason,
    targets: showTargets(mailStatus, forward),
    enabled,
    action,
    spam,
  };
}

const ownAddresses = ({ forwards }: MailStatus): readonly MailForward[] =>
  forwards.filter((forward) => forward.local_part !== catchAll);

export const showAddresses = (mailStatus: MailStatus): z.output<typeof mailForwardView>[] =>
  ownAddresses(mailStatus).map((forward) => showForward(mailStatus, forward));

export function showCatchAll(mailStatus: MailStatus): z.output<typeof catchAllView> {
  const forward = mailStatus.forwards.find((one) => one.local_part === catchAll);
  if (!forward) return { email: '', status: 'off', reason: null, targets: [], spam: 'refuse' };
  const { state: status, reason } = forwardStateOf(mailStatus, forward);
  const { targets, spam } = forward;
  return { email: targets.join(','), status, reason, targets: showTargets(mailStatus, forward), spam };
}

export const mailSettingsView = z
  .object({
    domain_id: z.string(),
    domain_name: z.string(),
    version: z.number().describe('Increases with every change.'),
    changed_at: z.string().nullable(),
    addresses: z.number().describe('Number of addresses.'),
    receive_only: z.boolean().describe('The zone declares that the domain sends no mail.'),
    mta_sts: z.enum(['off', 'testing', 'enforce', 'none']).describe('TLS policy of the domain, MTA-STS (RFC 8461).'),
    status: stateView,
    reason: reasonView,
    dns: z
      .object({
        state: z
          .enum(['ours', 'elsewhere'])
          .describe('elsewhere: the domain uses other nameservers; set the records there manually.'),
        records: z.array(rrsetView).describe('Records that direct mail to this service.'),
        displaced: z.array(rrsetView).describe('Records that were replaced, and return when forwarding ends.'),
      })
      .meta({ id: 'MailDns', description: 'The records of mail forwarding.' }),
    dry_run: z.boolean().optional(),
    warnings: z.array(z.string()).optional().describe('Omitted parts.'),
  })
  .meta({ id: 'MailForwarding', description: 'Mail forwarding of a domain.' });

export function showMailSettings(mailStatus: MailStatus): z.output<typeof mailSettingsView> {
  const { domain, row, forwards, isElsewhere, records, displaced } = mailStatus;
  const missing = isOn(forwards) ? whyNoMail(mailStatus) : ({ state: 'off', reason: null } as const);
  return {
    domain_id: domain.id,
    domain_name: domain.name,
    version: row.version,
    changed_at: instantOrNull(row.changed_at),
    addresses: ownAddresses(mailStatus).length,
    receive_only: row.receive_only,
    mta_sts: row.sts_mode ?? 'off',
    status: missing?.state ?? 'live',
    reason: missing?.reason ?? null,
    dns: {
      state: isElsewhere ? 'elsewhere' : 'ours',
      records: showRecords(records),
      displaced: showRecords(displaced),
    },
  };
}

export const showMailChanged = ({
  mailStatus,
  isDryRun,
  warnings,
}: MailChanged): z.output<typeof mailSettingsView> => ({
  ...showMailSettings(mailStatus),
  dry_run: isDryRun,
  warnings: [...warnings],
});

export const forwardExample: z.output<typeof mailForwardView> = {
  email: 'info@example-shop.com',
  forward_to: 'sari@example.net',
  status: 'waiting_target',
  reason: 'no target of this address is confirmed yet',
  targets: [{ address: 'sari@example.net', state: 'waiting' }],
  enabled: true,
  action: 'forward',
  spam: 'refuse',
};

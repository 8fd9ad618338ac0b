import { z } from 'zod';
import { catchAll, type MailForward } from '../../../core/mail-forwarding/forward.ts';
import { forwardStateOf, isOn, type MailStatus, whyNoMail } from '../../../core/mail-forwarding/read.ts';
import type { MailChanged } from '../../../core/mail-forwarding/set-mail.ts';
import { instantOrNull } from '../../wire.ts';
import { rrsetView, showRecords } from '../zones/zone-view.ts';

export const targetStateView = z
  .enum(['waiting', 'confirmed', 'stopped', 'failing', 'lapsed'])
  .describe('What its owner said; only confirmed ones get mail.');

const stateView = z
  .enum(['waiting_dns', 'waiting_target', 'live', 'blocked', 'off'])
  .describe('live: mail is forwarded. waiting_target: no owner of a target has agreed yet.');
const reasonView = z.string().nullable().describe('Why it is not live.');

const targetsView = z
  .array(
    z
      .object({ address: z.string().describe('Where mail goes.'), state: targetStateView })
      .meta({ id: 'ForwardTarget', description: 'An address elsewhere.' }),
  )
  .describe('Each with what its owner said.');

const spamView = z.enum(['refuse', 'mark']).describe('What becomes of suspicious mail.');

export const mailForwardView = z
  .object({
    email: z.string(),
    forward_to: z.string().describe('Where it goes, comma-separated.'),
    status: stateView,
    reason: reasonView,
    targets: targetsView,
    enabled: z.boolean().describe('Not switched off.'),
    action: z.enum(['forward', 'refuse']).describe('refuse: mail is refused, also where there is a catch-all.'),
    spam: spamView,
  })
  .meta({ id: 'MailForward', description: 'An address whose mail is forwarded.' });

export const catchAllView = z
  .object({
    email: z.string().describe('Where mail goes that has no address of its own; empty: it is refused.'),
    status: stateView,
    reason: reasonView,
    targets: targetsView,
    spam: spamView,
  })
  .meta({ id: 'CatchAll', description: 'Where mail goes that has no address of its own.' });

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
    version: z.number().describe('Grows with every change.'),
    changed_at: z.string().nullable(),
    addresses: z.number().describe('How many there are.'),
    receive_only: z.boolean().describe('The zone says that nobody sends mail in this name.'),
    mta_sts: z.enum(['off', 'testing', 'enforce', 'none']).describe('Its policy about TLS (RFC 8461).'),
    status: stateView,
    reason: reasonView,
    dns: z
      .object({
        state: z
          .enum(['ours', 'elsewhere'])
          .describe('elsewhere: other nameservers answer for the name, and the records must be set there by hand.'),
        records: z.array(rrsetView).describe('What leads mail here.'),
        displaced: z.array(rrsetView).describe('What gave way, and comes back when forwarding ends.'),
      })
      .meta({ id: 'MailDns', description: 'The records of mail forwarding.' }),
    dry_run: z.boolean().optional(),
    warnings: z.array(z.string()).optional().describe('What was left out.'),
  })
  .meta({ id: 'MailForwarding', description: 'How mail for a name is forwarded.' });

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
  reason: 'nobody has confirmed yet where mail for this address goes',
  targets: [{ address: 'sari@example.net', state: 'waiting' }],
  enabled: true,
  action: 'forward',
  spam: 'refuse',
};

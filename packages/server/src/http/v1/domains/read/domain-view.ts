import { z } from 'zod';
import type { ShownDomain } from '../../../../core/domains/read.ts';
import { domainLimits, renewalModes, type TransferAway } from '../../../../core/model/domain.ts';
import { verificationState } from '../../../../core/model/verification.ts';
import { contractTime, contractTimeOrNull, instantOrNull, instantText } from '../../../wire.ts';
import { statusText } from '../status-text.ts';

export const flagText = (is: boolean): 'true' | 'false' => (is ? 'true' : 'false');
const digit = (is: boolean): '0' | '1' => (is ? '1' : '0');

const nsNames = Array.from({ length: domainLimits.nameservers }, (_, index) => `ns${index + 1}`);
/** `ns1` to `ns13`, only those that are set. */
export const nameserverKeys = Object.fromEntries(nsNames.map((name) => [name, z.string().optional()]));

export function showNameservers(nameservers: readonly string[]): Record<string, string> {
  return Object.fromEntries(nameservers.slice(0, nsNames.length).map((host, index) => [nsNames[index]!, host]));
}

/** A domain has all thirteen, null where not set, because clients read them without a check. */
export const nameserverPlaces = Object.fromEntries(nsNames.map((name) => [name, z.string().nullable()]));

export function showNameserverPlaces(nameservers: readonly string[]): Record<string, string | null> {
  return Object.fromEntries(nsNames.map((name, index) => [name, nameservers[index] ?? null]));
}

const zeroOrOne = z.enum(['0', '1']);
const trueOrFalse = z.enum(['true', 'false']);

/** The first generation of contract keys (6.4). */
const olderKeys = {
  domain_id: z.string(),
  domain_name: z.string(),
  approval_status_id: z.string(),
  start_date: z.string().nullable(),
  end_date: z.string().nullable().describe('End of the paid term. Null: see end_date_reason.'),
  reseller_id: z.string(),
  customer_id: z.string(),
  tld_id: z.string(),
  order_status_id: z.string(),
  lb_order_id: z.string(),
  is_migrate_cust: zeroOrOne,
  is_privacy: zeroOrOne,
  reg_contact_id: z.string().nullable(),
  adm_contact_id: z.string().nullable(),
  bill_contact_id: z.string().nullable(),
  tech_contact_id: z.string().nullable(),
  is_lock: zeroOrOne,
  is_suspend: zeroOrOne,
  is_theft_protection: zeroOrOne,
  raaVerificationStatus: z.string(),
  raaVerificationStartTime: z.string().nullable(),
  auth_code: z.null().describe('Never shown here. Read it with GET .../auth_code.'),
  attr: z.string(),
  last_update: z.string(),
  customer_name: z.string().nullable(),
  expiry_date: z.string().nullable(),
};

/** The second generation of contract keys. */
const newerKeys = {
  order_id: z.string(),
  order_status: z.string(),
  status: z.string(),
  registrant_contact_id: z.string().nullable(),
  admin_contact_id: z.string().nullable(),
  billing_contact_id: z.string().nullable(),
  locked: z.boolean(),
  suspended: z.boolean(),
  suspend: z.boolean(),
  theft_protection: trueOrFalse,
  privacy_protection_enabled: trueOrFalse,
  creation_time: z.string().nullable(),
  creation_date: z.string().nullable(),
  end_time: z.string().nullable(),
  customer_email: z.string().nullable(),
  renewal_mode: z.enum(renewalModes),
  nameservers: z.array(z.string()),
};

/** The values of registries are defined in RFC 5730 section 2.9.3.4. */
const transferInView = z
  .object({
    status: z
      .string()
      .describe(
        'ordered, code_refused, or the status of the registry (pending, clientApproved and so on). cancelled or refused: it ended without one.',
      ),
    from_registrar: z.string().nullable().describe('The other registrar, by its id at the registry.'),
    requested_at: z.string().nullable().describe('When it was requested, according to the registry.'),
    action_at: z.string().nullable().describe('When the registry decides. Afterwards: when it was decided.'),
  })
  .meta({ id: 'TransferIn', description: 'A transfer in, as last reported by the registry.' });

/** Our own fields. */
const clearKeys = {
  state: z.string(),
  end_date_reason: z.string().nullable().describe('Why there is no end_date.'),
  removed_reason: z.string().nullable(),
  removed_at: z.string().nullable(),
  registry_status: z.array(z.string()),
  rgp_status: z.array(z.string()),
  registry_expires_at: z.string().nullable(),
  renew_by: z.string().nullable().describe('The last moment to renew at the usual price.'),
  grace_ends_at: z.string().nullable(),
  redemption_ends_at: z.string().nullable(),
  last_renewed_at: z.string().nullable(),
  privacy_ends_at: z.string().nullable(),
  transfer_away: z
    .object({
      registrar: z.string().describe('The gaining registrar, by its id at the registry.'),
      status: z
        .string()
        .describe('Status at the registry: pending, clientApproved, serverApproved, clientRejected ...'),
      requested_at: z.string().nullable().describe('When it was requested. Null: not known.'),
      action_at: z
        .string()
        .nullable()
        .describe('While pending: when the registry approves it automatically. Then: when it ended.'),
    })
    .nullable()
    .describe('The last requested transfer to another registrar.'),
  synced_at: z.string().nullable().describe('When the registry was last queried.'),
  premium_class: z.string().nullable(),
  transfer: transferInView.nullable().describe('The transfer from another registrar.'),
  operation: z
    .object({ operation_id: z.string(), kind: z.string(), state: z.string() })
    .nullable()
    .describe('The operation in progress.'),
};

const domainKeys = { ...olderKeys, ...newerKeys, ...clearKeys };
/** A domain in lists: both key generations of the contract, and our own fields. */
export const domainView = z.object({ ...domainKeys, ...nameserverPlaces }).meta({
  id: 'Domain',
  description: 'A domain, as in lists: the contract keys of both generations, and additional fields.',
});
export type DomainView = z.output<z.ZodObject<typeof domainKeys>> & Readonly<Record<string, unknown>>;

const raaTexts = {
  not_asked: 'NotRequired',
  over: 'NotRequired',
  pending: 'Pending',
  held: 'Suspended',
  held_there: 'Suspended',
  verified: 'Verified',
} as const;

/** The status of the registrant's confirmation, as the contract names it. */
export const raaStatusOf = (domain: Parameters<typeof verificationState>[0]): string =>
  raaTexts[verificationState(domain)];

export function showDomain(shown: ShownDomain): DomainView {
  return {
    ...showOlder(shown),
    ...showNewer(shown),
    ...showClear(shown),
    ...showNameserverPlaces(shown.domain.nameservers),
  };
}

function createdOf({ domain }: ShownDomain): string | null {
  if (domain.registry_created_at) return contractTime(domain.registry_created_at);
  // An ordered domain is not registered yet, and a cancelled order never was.
  const isOrder =
    domain.state === 'pending' ||
    domain.state === 'unpaid' ||
    domain.removed_reason === 'cancelled' ||
    domain.removed_reason === 'refused';
  return isOrder ? null : contractTime(domain.created_at);
}

function showOlder(shown: ShownDomain): z.output<z.ZodObject<typeof olderKeys>> {
  const { domain } = shown;
  const ends = contractTimeOrNull(domain.end_date);
  return {
    domain_id: domain.id,
    domain_name: domain.name,
    approval_status_id: domain.state === 'pending' ? '2' : '1',
    start_date: createdOf(shown),
    end_date: ends,
    expiry_date: ends,
    reseller_id: domain.reseller_id,
    customer_id: domain.customer_id,
    tld_id: domain.tld,
    order_status_id: statusText(domain, shown.asOf).order_status_id,
    lb_order_id: domain.id,
    is_migrate_cust: '0',
    is_privacy: digit(domain.privacy_enabled),
    reg_contact_id: domain.registrant_contact_id,
    adm_contact_id: domain.admin_contact_id,
    bill_contact_id: domain.billing_contact_id,
    tech_contact_id: domain.tech_contact_id,
    is_lock: digit(domain.locked),
    is_suspend: digit(domain.suspended),
    is_theft_protection: digit(domain.theft_protection),
    raaVerificationStatus: raaStatusOf(domain),
    raaVerificationStartTime: contractTimeOrNull(domain.verify_since),
    auth_code: null,
    attr: '[]',
    last_update: contractTime(domain.updated_at),
    customer_name: shown.customer?.name ?? null,
  };
}

function showNewer(shown: ShownDomain): z.output<z.ZodObject<typeof newerKeys>> {
  const { domain } = shown;
  const { order_status, status } = statusText(domain, shown.asOf);
  const created = createdOf(shown);
  return {
    order_id: domain.id,
    order_status,
    status,
    registrant_contact_id: domain.registrant_contact_id,
    admin_contact_id: domain.admin_contact_id,
    billing_contact_id: domain.billing_contact_id,
    // Clients test these for truth, and the text "false" would be true.
    locked: domain.locked,
    suspended: domain.suspended,
    suspend: domain.suspended,
    theft_protection: flagText(domain.theft_protection),
    privacy_protection_enabled: flagText(domain.privacy_enabled),
    creation_time: created,
    creation_date: created,
    end_time: contractTimeOrNull(domain.end_date),
    customer_email: shown.customer?.email ?? null,
    renewal_mode: domain.renewal_mode,
    nameservers: [...domain.nameservers],
  };
}

function showClear({ domain, operation, renewBy }: ShownDomain): z.output<z.ZodObject<typeof clearKeys>> {
  return {
    state: domain.state,
    end_date_reason: domain.end_date ? null : noEndBecause(domain),
    removed_reason: domain.removed_reason,
    removed_at: instantOrNull(domain.removed_at),
    registry_status: [...domain.registry_status],
    rgp_status: [...domain.rgp_status],
    registry_expires_at: instantOrNull(domain.registry_expires_at),
    renew_by: instantOrNull(renewBy),
    grace_ends_at: instantOrNull(domain.grace_ends_at),
    redemption_ends_at: instantOrNull(domain.redemption_ends_at),
    last_renewed_at: instantOrNull(domain.last_renewed_at),
    privacy_ends_at: instantOrNull(domain.privacy_until),
    transfer_away: domain.transfer_away && showAway(domain.transfer_away),
    synced_at: instantOrNull(domain.synced_at),
    premium_class: domain.premium_class,
    transfer: domain.transfer && {
      status: domain.transfer.status,
      from_registrar: domain.transfer.from_registrar,
      requested_at: wholeSeconds(domain.transfer.requested_at),
      action_at: wholeSeconds(domain.transfer.action_at),
    },
    operation: operation && { operation_id: operation.id, kind: operation.kind, state: operation.state },
  };
}

function showAway({ registrar, status, requested_at, action_at }: TransferAway) {
  return { registrar, status, requested_at: wholeSeconds(requested_at), action_at: wholeSeconds(action_at) };
}

const wholeSeconds = (at: string | null): string | null => at && instantText(new Date(at));

function noEndBecause({ state, removed_reason: removedReason, transfer }: ShownDomain['domain']): string {
  if (state === 'pending') return transfer ? 'the transfer is not finished' : 'the registration is not finished';
  if (removedReason === 'refused' || removedReason === 'cancelled') return 'it was never registered';
  return 'the registry has not reported its expiry';
}

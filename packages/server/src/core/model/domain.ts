import type { DsRecord, RegistryCapabilities } from '../ports/registry.ts';
import { type ContactRole, contactRoles } from './tld.ts';

/** Fields of a domain in which our row and the registry can differ. */
const driftFields = [
  'expiry',
  'missing_statuses',
  'foreign_statuses',
  'nameservers',
  'ds',
  'auto_renewal',
  'registrant',
  'admin',
  'tech',
  'billing',
] as const;
export type DriftField = (typeof driftFields)[number];

/**
 * What happens to a domain at the end of its term: it is renewed by order (`manual`), automatically each time or once, or deleted when
 * the term is over.
 */
export const renewalModes = ['manual', 'renew', 'renew_once', 'delete'] as const;
export type RenewalMode = (typeof renewalModes)[number];

export type DomainState =
  | 'pending'
  | 'live'
  | 'redemption'
  | 'pending_restore'
  | 'pending_delete'
  | 'pending_transfer'
  | 'removed'
  /** Its order is unpaid: it does not block other orders, and no registry knows it. */
  | 'unpaid';
export type RemovedReason = 'refused' | 'cancelled' | 'deleted' | 'dropped' | 'transferred_away' | 'moved';

/** A transfer to another registrar, as the registry last showed it. */
export interface TransferAway {
  readonly registrar: string;
  readonly status: string;
  readonly requested_at: string | null;
  /** While the transfer is pending: when the registry approves it automatically. Afterwards: when it ended. */
  readonly action_at: string | null;
  /** Refunds to those who paid for an auto-renewal that the registry took back. */
  readonly refunded?: readonly {
    readonly transaction_id: string;
    readonly amount: string;
    readonly currency: string;
  }[];
}

/** A transfer in, as its registry last showed it. */
export interface TransferIn {
  /** `ordered` before the registry has answered, `code_refused` while a new auth code is needed; then the registry's own status. */
  readonly status: string;
  readonly from_registrar: string | null;
  readonly requested_at: string | null;
  /** Deadline for the answer of the current registrar; after the transfer ended, the time of its end. */
  readonly action_at: string | null;
}

export interface Domain {
  readonly id: string;
  readonly reseller_id: string;
  readonly customer_id: string;
  readonly name: string;
  readonly tld: string;
  readonly registry_id: string;
  readonly state: DomainState;
  readonly removed_reason: RemovedReason | null;
  readonly removed_at: Date | null;
  readonly registrant_contact_id: string | null;
  readonly admin_contact_id: string | null;
  readonly tech_contact_id: string | null;
  readonly billing_contact_id: string | null;
  readonly nameservers: string[];
  readonly ds: DsRecord[];
  readonly extra: Record<string, string>;
  readonly locked: boolean;
  readonly locked_reason: string | null;
  readonly locked_at: Date | null;
  readonly suspended: boolean;
  readonly suspended_reason: string | null;
  readonly suspended_at: Date | null;
  /** Only taken out of the DNS: other changes stay possible. */
  readonly suspended_open: boolean;
  readonly theft_protection: boolean;
  /** Since when and until when the registrant must confirm the email address; `verify_by` is null if no confirmation is awaited. */
  readonly verify_since: Date | null;
  readonly verify_by: Date | null;
  /** The cause of the last verification request. */
  readonly verify_cause: 'registration' | 'transfer' | 'change' | null;
  /** On hold because the confirmation is missing; separate from `suspended`. */
  readonly unverified: boolean;
  /** The registry itself has it on hold, because a confirmation that it requires is missing or for another reason. */
  readonly registry_hold: 'unverified' | 'other' | null;
  /** On hold because its next term is unpaid, and since when; a separate cause. */
  readonly unpaid: boolean;
  readonly unpaid_at: Date | null;
  /** The registry has added a permanent year that is not paid; the domain is kept until this date. */
  readonly kept_until: Date | null;
  readonly privacy_until: Date | null;
  readonly privacy_enabled: boolean;
  /** The registry has the private handles. */
  readonly privacy_sent: boolean;
  readonly end_date: Date | null;
  readonly registry_expires_at: Date | null;
  /** The last day to renew at the registry, if that is before the end of the term. */
  readonly registry_renew_by: Date | null;
  readonly registry_created_at: Date | null;
  /** When it was last transferred in, by the registry's date. */
  readonly transferred_at: Date | null;
  readonly holder_changed_at: Date | null;
  readonly transfer_away: TransferAway | null;
  readonly registry_status: string[];
  readonly rgp_status: string[];
  readonly grace_ends_at: Date | null;
  readonly redemption_ends_at: Date | null;
  /** When it entered redemption; the restore report contains this date. */
  readonly deleted_at: Date | null;
  /** Since when the registry reports it as missing or not ours; accepted when a second query confirms it. */
  readonly missing_since: Date | null;
  readonly last_renewed_at: Date | null;
  readonly synced_at: Date | null;
  /** When it was last compared with the registry, field by field. */
  readonly compared_at: Date | null;
  readonly watched: boolean;
  readonly watched_by_operator: boolean;
  readonly renewal_mode: RenewalMode;
  /** The maximum price of an automatic renewal, as the reseller wrote it. */
  readonly renewal_max_price: string | null;
  /** Background jobs do not try to renew before this time. */
  readonly renewal_try_at: Date | null;
  readonly premium_class: string | null;
  readonly premium_renewal_fee: string | null;
  readonly premium_currency: string | null;
  /** Its transfer from another registrar, in progress or completed. */
  readonly transfer: TransferIn | null;
  readonly auth_code_sealed: string | null;
  readonly auth_code_expires_at: Date | null;
  readonly created_at: Date;
  readonly updated_at: Date;
}

export const domainLimits = { nameservers: 13, dsRecords: 8, childHosts: 50, addressesPerHost: 13, namesPerCheck: 50 };

/** Client statuses for our flags; the registry gets the union. */
export function wantedStatuses(
  domain: Pick<Domain, 'locked' | 'suspended' | 'theft_protection' | 'unverified' | 'unpaid'>,
): string[] {
  const wanted = new Set<string>();
  if (domain.theft_protection || domain.locked) wanted.add('clientTransferProhibited');
  if (domain.locked) {
    wanted.add('clientUpdateProhibited');
    wanted.add('clientDeleteProhibited');
  }
  if (domain.suspended || domain.unverified || domain.unpaid) wanted.add('clientHold');
  return [...wanted];
}

/** A domain of which this column is known to be filled. */
export type With<Column extends keyof Domain> = Domain & { readonly [C in Column]: NonNullable<Domain[C]> };

/** Ids of our contacts by their role. */
export type Roles = Readonly<Record<ContactRole, string | null>>;

export const rolesOf = (domain: Domain): Roles => ({
  registrant: domain.registrant_contact_id,
  admin: domain.admin_contact_id,
  tech: domain.tech_contact_id,
  billing: domain.billing_contact_id,
});

/** Statuses that we may set and remove; all others belong to the registry. */
export const clientStatuses = [
  'clientHold',
  'clientDeleteProhibited',
  'clientRenewProhibited',
  'clientTransferProhibited',
  'clientUpdateProhibited',
] as const;

/** The UTC date, in the form that EPP's curExpDate compares. */
export function utcDate(at: Date): string {
  return at.toISOString().slice(0, 10);
}

/** Calendar years, UTC; the 29th of February becomes the 28th. */
export function addYears(at: Date, years: number): Date {
  const moved = Temporal.Instant.fromEpochMilliseconds(at.getTime()).toZonedDateTimeISO('UTC').add({ years });
  return new Date(moved.epochMilliseconds);
}

export { type ContactRole, contactRoles };

/** A registry gets only the roles that it uses; the other roles are empty there. */
export function sentRolesOf(roles: Roles, { sentRoles }: Pick<RegistryCapabilities, 'sentRoles'>): Roles {
  if (!sentRoles) return roles;
  const sent = contactRoles.map((role) => [role, sentRoles.includes(role) ? roles[role] : null]);
  return Object.fromEntries(sent) as Roles;
}

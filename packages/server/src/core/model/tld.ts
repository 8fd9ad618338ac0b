import type { StatedFields } from '../ports/tld-fields.ts';

/** The additional fields of a domain or contact, by their names in these schemas. */
export type Extra = Readonly<Record<string, string>>;

export const contactRoles = ['registrant', 'admin', 'tech', 'billing'] as const;
export type ContactRole = (typeof contactRoles)[number];

/** The rules of a TLD for domains, as data; spelled as in a catalogue file and as stored. */
export interface TldRules {
  readonly periods: { readonly min_years: number; readonly max_years: number };
  readonly contacts: {
    /** `minimum` and `thin`: the registry keeps no contacts. */
    readonly model: 'minimum' | 'maximum' | 'thin' | 'per-registrar';
    readonly required: readonly ContactRole[];
    /** Roles for which -1 ("none") is allowed. */
    readonly unused: readonly ContactRole[];
  };
  readonly nameservers: { readonly min: number; readonly max: number; readonly host_model: 'objects' | 'attributes' };
  readonly dnssec: { readonly records: 'ds' | 'key' | 'none'; readonly max: number };
  /** Additional fields: the name of a TLD extension of this release, or the fields and their form in EPP. */
  readonly extra_schema: string | StatedFields | null;
  readonly grace_days: {
    readonly add: number;
    readonly renew: number;
    readonly transfer: number;
    readonly auto_renew: number;
    readonly redemption: number;
    readonly pending_restore: number;
    readonly pending_delete: number;
    readonly pending_transfer: number;
    /** At a registry without auto-renewal: days after expiry on hold in which renewal is still possible. */
    readonly expired_hold: number;
  };
  readonly auto_renew: boolean;
  /** Days before the end of a term from which a domain with auto-renew is renewed: before the registry auto-renews it. */
  readonly renewal_lead_days?: number | undefined;
  readonly names: { readonly min_length: number; readonly max_length: number; readonly idn: boolean };
  /** Documents are reviewed: a registration is accepted first and decided within these days. */
  readonly review_days: number | null;
  readonly privacy_offered: boolean;
  /**
   * How a registrant is hidden: by the disclose flags of a contact (RFC 5733 section 2.9), by a proxy contact, or by the privacy service
   * of an upstream.
   */
  readonly privacy_method: 'disclose' | 'proxy' | 'upstream';
  readonly privacy_proxy: ProxyCard | null;
  /** False: the registry has no transfer lock that we could set (RFC 5731 section 2.3, clientTransferProhibited). */
  readonly theft_protection_offered?: boolean | undefined;
  /** Days in which the registrant confirms the email address, and whether the domain goes on hold without; default: by its class. */
  readonly holder_verification?: { readonly days: number; readonly hold: boolean } | null | undefined;
  /** Days before the end of a term (below zero: after it) on which the registrant is notified; default: by its class. */
  readonly expiry_notice_days?: readonly number[] | undefined;
  /** The last days before an unpaid domain is deleted, on which it does not resolve; default: by its class. */
  readonly interruption_days?: number | undefined;
  /** Years that a transfer adds to the term; default: one. */
  readonly transfer_years?: 0 | 1 | undefined;
  /** Years that a restore adds to the term, paid as a renewal in addition; default: none, unless the term has ended by then. */
  readonly restore_years?: 0 | 1 | undefined;
  /** Additional data that a registration must or may include; default: none. */
  readonly registration?: RegistrationRules | undefined;
  /** Domains may be premium: the registry's price is queried before an order. */
  readonly premium_names: boolean;
  readonly auth_code: { readonly min_length: number; readonly max_length: number; readonly secure: boolean };
}

/** Spelled as in a catalogue file. */
export interface RegistrationRules {
  /** RFC 8334: in its claims phase a domain with marks needs the accepted notice, in its sunrise every domain needs a signed mark. */
  readonly launch?: 'claims' | 'sunrise' | undefined;
  /** RFC 8495: an allocation token that the registry issued for the domain. */
  readonly allocation_token?: 'required' | 'optional' | undefined;
  /** IDN tables of the registry, of which an internationalised domain must name one; a single table is chosen automatically. */
  readonly idn_tables?: readonly string[] | undefined;
}

/** The proxy that replaces the registrant at the registry; spelled as in a catalogue file. */
export interface ProxyCard {
  readonly name: string;
  readonly organisation: string | null;
  readonly street: readonly string[];
  readonly city: string;
  readonly postal_code: string | null;
  readonly country_code: string;
  /** `+CC.number` */
  readonly voice: string;
  readonly email: string;
}

/**
 * Null: no registrant is hidden under this TLD. `own_records`: its registry stores no registrant and only our own records show it, so
 * nothing is sent to hide one.
 */
export function privacyMethodOf(rules: TldRules): 'disclose' | 'proxy' | 'upstream' | 'own_records' | null {
  if (!rules.privacy_offered) return null;
  if (rules.privacy_method === 'upstream') return 'upstream';
  if (!keepsContacts(rules)) return 'own_records';
  if (rules.privacy_method !== 'proxy') return 'disclose';
  return rules.privacy_proxy ? 'proxy' : null;
}

export interface Tld {
  readonly name: string;
  readonly label: string;
  readonly registry: string | null;
  readonly is_offered: boolean;
  readonly catalogue_version: number;
  readonly rules: TldRules;
  readonly updated_at: Date;
}

/** Whether the registry itself keeps contact objects for this TLD. */
export function keepsContacts(rules: TldRules): boolean {
  return rules.contacts.model === 'maximum' || rules.contacts.model === 'per-registrar';
}

/** Classes of further fields that some TLDs want, each with a JSON Schema in extra/. */
export type ExtraClass = 'us' | 'asia';

export const contactRoles = ['registrant', 'admin', 'tech', 'billing'] as const;
export type ContactRole = (typeof contactRoles)[number];

/** What a TLD asks of a domain, as data; spelled as in a catalogue file and as it is stored. */
export interface TldRules {
  readonly periods: { readonly min_years: number; readonly max_years: number };
  readonly contacts: {
    /** `minimum` and `thin`: the registry keeps no contacts. */
    readonly model: 'minimum' | 'maximum' | 'thin' | 'per-registrar';
    readonly required: readonly ContactRole[];
    /** Roles for which -1 ("none") is right. */
    readonly unused: readonly ContactRole[];
  };
  readonly nameservers: { readonly min: number; readonly max: number; readonly host_model: 'objects' | 'attributes' };
  readonly dnssec: { readonly records: 'ds' | 'key' | 'none'; readonly max: number };
  readonly extra_schema: ExtraClass | null;
  readonly grace_days: {
    readonly add: number;
    readonly renew: number;
    readonly transfer: number;
    readonly auto_renew: number;
    readonly redemption: number;
    readonly pending_restore: number;
    readonly pending_delete: number;
    readonly pending_transfer: number;
    /** Where nothing renews by itself: expired and on hold, renewal still possible. */
    readonly expired_hold: number;
  };
  readonly auto_renew: boolean;
  /** Days before the end of a term from which a name is renewed that its reseller wants renewed: before the registry does it by itself. */
  readonly renewal_lead_days?: number | undefined;
  readonly names: { readonly min_length: number; readonly max_length: number; readonly idn: boolean };
  /** Documents are reviewed: a registration is accepted first and decided within these days. */
  readonly review_days: number | null;
  readonly privacy_offered: boolean;
  /** How a holder is hidden: by the disclose flags of a contact (RFC 5733 2.9), or by the card of a proxy service. */
  readonly privacy_method: 'disclose' | 'proxy';
  readonly privacy_proxy: ProxyCard | null;
  /** False: the registry has no transfer lock that we could set (RFC 5731 2.3, clientTransferProhibited). */
  readonly theft_protection_offered?: boolean | undefined;
  /** Days in which the holder confirms the e-mail address, and whether the name goes on hold without; left out: by its class. */
  readonly holder_verification?: { readonly days: number; readonly hold: boolean } | null | undefined;
  /** Days before the end of a term (below zero: after it) on which the holder is told; left out: by its class. */
  readonly expiry_notice_days?: readonly number[] | undefined;
  /** The last days before an unpaid name is deleted, on which it does not resolve; left out: by its class. */
  readonly interruption_days?: number | undefined;
  /** Years that a transfer adds to the term; one, where nothing is said. */
  readonly transfer_years?: 0 | 1 | undefined;
  /** Years that a restore adds to the term, paid as a renewal beside it; left out: none, unless the term has ended by then. */
  readonly restore_years?: 0 | 1 | undefined;
  /** What a registration must or may bring beside the usual; left out: nothing of it. */
  readonly registration?: RegistrationRules | undefined;
  /** Names may be premium: the registry is asked for its price before an order. */
  readonly premium_names: boolean;
  readonly auth_code: { readonly min_length: number; readonly max_length: number; readonly secure: boolean };
}

/** Spelled as in a catalogue file. */
export interface RegistrationRules {
  /** RFC 8334: in its claims phase a name with marks needs the accepted notice, in its sunrise every name a signed mark. */
  readonly launch?: 'claims' | 'sunrise' | undefined;
  /** RFC 8495: a word that the registry gave out for the name. */
  readonly allocation_token?: 'required' | 'optional' | undefined;
  /** Tables of the registry of which an internationalised name must say one; the only one is taken by itself. */
  readonly idn_tables?: readonly string[] | undefined;
}

/** Who stands in for the holder at the registry; spelled as in a catalogue file. */
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
 * Null: nobody is hidden under this TLD. `own_records`: its registry knows no holder, and who holds a name is told by us alone, so
 * that nothing is sent to hide one.
 */
export function privacyMethodOf(rules: TldRules): 'disclose' | 'proxy' | 'own_records' | null {
  if (!rules.privacy_offered) return null;
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

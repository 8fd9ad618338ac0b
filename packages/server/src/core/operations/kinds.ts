import type { Security } from '../accounts/security.ts';
import type { UpdateRequest } from '../domains/change/wanted.ts';
import type { DriftField } from '../domains/compare/compare.ts';
import type { Roles } from '../domains/domain.ts';
import type { RegistryFee } from '../domains/registry/registry.ts';
import type { RegistrantChange } from '../registrant-change/registrant-change.ts';

/**
 * The table of operations: about what each kind is, what it is asked to do, what it keeps before a command leaves, and what it ends
 * with. All of it is stored as JSON and read by another process than the one that wrote it, perhaps of a later release.
 */
export interface Kinds {
  register: Row<'domain', RegisterRequest, RegisterPlan, { readonly expires_at: string; readonly acted_at: string }>;
  renew: Row<'domain', RenewRequest, RenewPlan, RenewOutcome>;
  transfer: Row<'domain', TransferRequest, TransferPlan, TransferOutcome>;
  restore: Row<'domain', RestoreRequest, RestorePlan, { readonly expires_at: string | null }>;
  buy_privacy: Row<'domain', PrivacyRequest, never, { readonly privacy_from: string; readonly privacy_until: string }>;
  update: Row<'domain', UpdateRequest, never, { readonly changed: readonly string[] }>;
  child_host: Row<'domain', ChildHostRequest, never, { readonly changed: readonly string[] }>;
  move: Row<'domain', MoveRequest, never, MoveOutcome>;
  approve_transfer: Row<'domain', ApproveTransferRequest, never, { readonly status: string }>;
  reject_transfer: Row<'domain', RejectTransferRequest, never, { readonly status: string }>;
  delete: Row<'domain', DeleteRequest, DeletePlan, DeleteOutcome>;
  repair: Row<'domain', RepairRequest, never, { readonly fields: readonly DriftField[] }>;
  contact_update: Row<'contact', ContactUpdateRequest, never, { readonly handle: string | null }>;
  holder_change: Row<'contact', RegistrantChangeRequest, never, { readonly changed: true }>;
  account_security: Row<'account', SecurityRequest, never, Security>;
}

interface Row<On extends 'domain' | 'contact' | 'account', Request, Plan, Outcome> {
  readonly on: On;
  readonly request: Request;
  readonly plan: Plan;
  readonly outcome: Outcome;
}

export type Kind = keyof Kinds;
const everyKind: Record<Kind, true> = {
  register: true,
  renew: true,
  transfer: true,
  restore: true,
  buy_privacy: true,
  update: true,
  child_host: true,
  move: true,
  approve_transfer: true,
  reject_transfer: true,
  delete: true,
  repair: true,
  contact_update: true,
  holder_change: true,
  account_security: true,
};
export const kinds = Object.keys(everyKind) as readonly Kind[];
/** Those that are about one domain, and stand alone on it until they are over. */
export type DomainKind = { [K in Kind]: Kinds[K]['on'] extends 'domain' ? K : never }[Kind];

export interface RegisterRequest {
  readonly name: string;
  readonly years: number;
  readonly privacy: boolean;
  readonly fee: RegistryFee | null;
  /** Priced by the list, because the registry could not be asked. */
  readonly price_unasked?: boolean;
}

export interface RegisterPlan {
  /** The contacts that the registry reviews the registration with, where others were assigned meanwhile: it gets those when it is approved. */
  readonly sent_contacts: Roles;
}

export interface RenewRequest {
  readonly name: string;
  readonly years: number;
  /** The end of the term that the renewal adds to. */
  readonly from: string;
  readonly privacy: boolean;
  readonly fee_per_year: RegistryFee | null;
  /** The registry was away when it was ordered: it is asked for its price before the years are ordered there. */
  readonly price_unasked?: boolean;
  /** Ordered by the clockwork, as the renewal mode of the name says. */
  readonly automatic?: true;
}

export interface RenewPlan {
  /** The date from which the years count. */
  readonly basis: string;
  readonly sending?: Sending;
}

/** A renew as it left, and how the name looked just before. */
export interface Sending {
  readonly from: string;
  readonly years: number;
  readonly updated_at: string | null;
  readonly graces: readonly string[];
  /** When it was sent, by the business clock; orders of older releases have none. */
  readonly at?: string;
}

/** Who added the years that were bought, and when, by the registry's own dates. */
export interface Shares {
  readonly sent_years: number;
  readonly auto_renewed_years: number;
  readonly acted_at: string;
  readonly auto_renewed_at?: string;
}

export interface RenewOutcome extends Shares {
  readonly expires_at: string;
  readonly years: number;
}

/** A name that another registrar has. */
export interface TransferRequest {
  readonly name: string;
  /** What the registry is asked to add: its TLD says none or one. */
  readonly years: number;
  readonly fee: RegistryFee | null;
  /** As with a renewal. */
  readonly price_unasked?: boolean;
  /** Null: those that it has stay. */
  readonly nameservers: readonly string[] | null;
  /** The registry's date of the name when it was ordered. */
  readonly from: string | null;
  /** Where it is not done exactly as it was ordered. */
  readonly warnings?: readonly string[];
}

export interface TransferPlan {
  /** When the last transfer to us before this one was asked for, by the registry's own date: that one is not this order's. */
  readonly before: string | null;
  /** The registry refused the code (2202): nothing is sent before there is another; without one by then the order ends. */
  readonly code_until?: string;
  /** The reseller wants it no more. */
  readonly is_cancelled?: boolean;
}

export interface TransferOutcome {
  readonly expires_at: string;
  readonly acted_at: string;
  readonly from_registrar: string | null;
}

export interface RestoreRequest {
  readonly name: string;
  /** The registry renews by a year in the same act, because the name had run out. */
  readonly with_renewal: boolean;
  readonly fee: RegistryFee | null;
  readonly deleted_at: string;
  /** The registry's date of the deleted name; orders of older releases have none. */
  readonly from?: string | null;
  /** Years that the registry had added and nobody paid in time: they come back with the name, at the cost of the operator. */
  readonly given_years?: number;
}

/** How the name looked just before the request left: RFC 5731 3.1.2, a request that was carried out is a change of the name. */
export interface RestorePlan {
  readonly updated_at: string | null;
  /** When it was sent, by the business clock; orders of older releases have none. */
  readonly at?: string;
}

export interface PrivacyRequest {
  readonly name: string;
  readonly years: number;
  readonly from: string;
  readonly until: string;
}

/** How one host below the domain shall be; without addresses it shall be gone. */
export interface ChildHostRequest {
  readonly name: string;
  readonly change: 'child_host';
  readonly hostname: string;
  readonly addresses: readonly string[];
  /** What it was called before, where it is renamed. */
  readonly from: string | null;
  /** Its addresses when it was asked for. */
  readonly was: readonly string[];
  /** What the caller is answered with. */
  readonly shown: { readonly hostname: string; readonly ip: string; readonly deleted: boolean };
}

/** To another customer of the same reseller, or to another reseller of the house. */
export interface MoveRequest {
  readonly name: string;
  readonly from_customer_id: string;
  readonly new_reseller_id: string;
  readonly new_customer_id: string;
  /** `old`: copies of its own go along. `default`: those of the customer that gets it. */
  readonly contacts: 'old' | 'default';
  /** Begun by the taker with the code of the name; left out: by an offer of the giver. */
  readonly by?: 'code';
}

export interface MoveOutcome {
  readonly moved: true;
  /** What came back since for purchases of the giver, because the name was deleted within their grace. */
  readonly refunded?: DeleteOutcome['refunded'];
}

/** Another registrar has asked for the name: it may have it. */
export interface ApproveTransferRequest {
  readonly name: string;
  readonly registrar: string | null;
}

export interface RejectTransferRequest extends ApproveTransferRequest {
  /** One that policy knows (`core/policy/denial.ts`). */
  readonly reason: string;
}

export interface DeleteRequest {
  readonly name: string;
  /** `expired`: nobody renewed it. */
  readonly because: 'asked' | 'expired';
}

/** How the name was last seen alive: afterwards the registry no longer shows which graces were open. Made again before each delete that leaves. */
export interface DeletePlan {
  /** Null: the registry showed an older state of the name than we know of. */
  readonly graces: readonly string[] | null;
  readonly hosts: readonly string[];
  readonly created_at: string | null;
  readonly updated_at: string | null;
}

export interface DeleteOutcome {
  readonly deleted: true;
  readonly restorable: boolean;
  /** Now. */
  readonly refunded: readonly RefundLine[];
  /** Of the same purchases, by credit notes for example; not refunded again. */
  readonly refunded_before?: readonly RefundLine[];
}

export interface RefundLine {
  readonly transaction_id: string;
  readonly amount: string;
  readonly currency: string;
}

export interface RepairRequest {
  readonly name: string;
  readonly fields: readonly DriftField[];
}

export interface ContactUpdateRequest {
  readonly contact_id: string;
  /** Names whose registration data change with it; the first of them, in order. */
  readonly domains: readonly string[];
}

/** Other data of a contact that holds names, which wait sealed until both sides have confirmed. */
export interface RegistrantChangeRequest {
  readonly contact_id: string;
  readonly customer_id: string;
  /** Names that get another holder with it, the first of them, and how many there are. */
  readonly domains: readonly string[];
  readonly count: number;
  /** The first of them. */
  readonly domain_id: string;
  readonly holder: RegistrantChange;
}

/** What an account chooses for the safety of its names. */
export interface SecurityRequest {
  readonly wanted: Security;
  /** As it stood when it was asked for: a yes to something else is no yes. */
  readonly before: Security;
}

import type { RegistryFee } from '../ports/registry.ts';
import type { Security } from './approval.ts';
import type { DriftField, Roles } from './domain.ts';
import type { UpdateRequest } from './domain-change.ts';
import type { RegistrantChange } from './registrant-change.ts';

/**
 * The types of each kind of operation: its object, its request, its plan before a command is sent, and its outcome. All are stored as
 * JSON and may be read by a process of a later release.
 */
export interface Kinds {
  register: Row<'domain', RegisterRequest, RegisterPlan, { readonly expires_at: string; readonly acted_at: string }>;
  renew: Row<'domain', RenewRequest, RenewPlan, RenewOutcome>;
  transfer: Row<'domain', TransferRequest, TransferPlan, TransferOutcome>;
  restore: Row<'domain', RestoreRequest, RestorePlan, { readonly expires_at: string | null }>;
  buy_privacy: Row<'domain', PrivacyRequest, never, { readonly privacy_from: string; readonly privacy_until: string }>;
  update: Row<'domain', UpdateRequest, never, { readonly changed: readonly string[]; readonly turned_on?: boolean }>;
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
/** Kinds that concern one domain and exclude other operations on it while they are open. */
export type DomainKind = { [K in Kind]: Kinds[K]['on'] extends 'domain' ? K : never }[Kind];

export interface RegisterRequest {
  readonly name: string;
  readonly years: number;
  readonly privacy: boolean;
  readonly fee: RegistryFee | null;
  /** Priced by the price list, because the registry could not be queried. */
  readonly price_unasked?: boolean;
}

export interface RegisterPlan {
  /** The contacts that the registry reviews, if others were assigned since; those are sent after its approval. */
  readonly sent_contacts: Roles;
}

export interface RenewRequest {
  readonly name: string;
  readonly years: number;
  /** The end of the term that the renewal extends. */
  readonly from: string;
  readonly privacy: boolean;
  readonly fee_per_year: RegistryFee | null;
  /** The registry did not answer when it was ordered: its price is queried before the renew command. */
  readonly price_unasked?: boolean;
  /** Ordered by a background job as the renewal mode of the domain says. */
  readonly automatic?: true;
}

export interface RenewPlan {
  /** The date from which the years count. */
  readonly basis: string;
  readonly sending?: Sending;
}

/** A renew command as it was sent, and the view just before. */
export interface Sending {
  readonly from: string;
  readonly years: number;
  readonly updated_at: string | null;
  readonly graces: readonly string[];
  /** When it was sent, by the business clock; orders of older releases have none. */
  readonly at?: string;
}

/** Who added the bought years, and when, by the registry's own dates. */
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

/** A domain of another registrar. */
interface TransferRequest {
  readonly name: string;
  /** The years that the request contains: none or one, as the TLD requires. */
  readonly years: number;
  readonly fee: RegistryFee | null;
  /** As for a renewal. */
  readonly price_unasked?: boolean;
  /** Null: the domain keeps its nameservers. */
  readonly nameservers: readonly string[] | null;
  /** The registry's expiry date when it was ordered. */
  readonly from: string | null;
  /** Parts of the order that are executed differently. */
  readonly warnings?: readonly string[];
}

export interface TransferPlan {
  /** When the previous transfer to us was requested, by the registry's date; it is not this order's. */
  readonly before: string | null;
  /** The registry refused the code (2202): nothing is sent until there is a new one; without one by then the order ends. */
  readonly code_until?: string;
  /** The reseller cancelled it. */
  readonly is_cancelled?: boolean;
}

interface TransferOutcome {
  readonly expires_at: string;
  readonly acted_at: string;
  readonly from_registrar: string | null;
}

export interface RestoreRequest {
  readonly name: string;
  /** The registry renews by a year with the restore, because the domain had expired. */
  readonly with_renewal: boolean;
  readonly fee: RegistryFee | null;
  readonly deleted_at: string;
  /** The registry's expiry date of the deleted domain; orders of older releases have none. */
  readonly from?: string | null;
  /** Auto-renewed years that were not paid in time: they are restored with the domain, at the operator's cost. */
  readonly given_years?: number;
}

/** The view just before the request was sent. RFC 5731 3.1.2: an executed request changes the update date of the domain. */
export interface RestorePlan {
  readonly updated_at: string | null;
  /** When it was sent, by the business clock; orders of older releases have none. */
  readonly at?: string;
}

interface PrivacyRequest {
  readonly name: string;
  readonly years: number;
  readonly from: string;
  readonly until: string;
}

/** The wanted state of one host below the domain; without addresses it is deleted. */
export interface ChildHostRequest {
  readonly name: string;
  readonly change: 'child_host';
  readonly hostname: string;
  readonly addresses: readonly string[];
  /** Its former name, if it is renamed. */
  readonly from: string | null;
  /** Its addresses when the change was requested. */
  readonly was: readonly string[];
  /** The response to the caller. */
  readonly shown: { readonly hostname: string; readonly ip: string; readonly deleted: boolean };
}

/** To another customer of the same reseller, or to another reseller of the service. */
export interface MoveRequest {
  readonly name: string;
  readonly from_customer_id: string;
  readonly new_reseller_id: string;
  readonly new_customer_id: string;
  /** `old`: copies of the present contacts. `default`: contacts of the new customer. */
  readonly contacts: 'old' | 'default';
  /** Started by the receiving reseller with the auth code; left out: by an offer of the current reseller. */
  readonly by?: 'code';
}

interface MoveOutcome {
  readonly moved: true;
  /** Later refunds for purchases of the previous reseller, because the domain was deleted within their grace period. */
  readonly refunded?: DeleteOutcome['refunded'];
}

/** Approves a transfer that another registrar has requested. */
interface ApproveTransferRequest {
  readonly name: string;
  readonly registrar: string | null;
}

interface RejectTransferRequest extends ApproveTransferRequest {
  /** A reason that policy defines (`core/policy/denial.ts`). */
  readonly reason: string;
}

export interface DeleteRequest {
  readonly name: string;
  /** `expired`: it was not renewed. */
  readonly because: 'asked' | 'expired';
}

/**
 * The last view of the active domain, because afterwards the registry no longer shows which grace periods were open. Read again before
 * each delete command.
 */
export interface DeletePlan {
  /** Null: the registry showed an older state of the domain than the known one. */
  readonly graces: readonly string[] | null;
  readonly hosts: readonly string[];
  readonly created_at: string | null;
  readonly updated_at: string | null;
}

export interface DeleteOutcome {
  readonly deleted: true;
  readonly restorable: boolean;
  /** Refunded by this delete. */
  readonly refunded: readonly RefundLine[];
  /** Refunded before for the same purchases, by credit notes for example; not refunded again. */
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
  /** The first domains, in order, whose registration data change with it. */
  readonly domains: readonly string[];
}

/** New data of a registrant contact, stored encrypted until both sides have confirmed. */
interface RegistrantChangeRequest {
  readonly contact_id: string;
  readonly customer_id: string;
  /** The first domains that get another registrant with it, and their number. */
  readonly domains: readonly string[];
  readonly count: number;
  /** The first of them. */
  readonly domain_id: string;
  readonly holder: RegistrantChange;
}

/** The security settings of an account. */
export interface SecurityRequest {
  readonly wanted: Security;
  /** The settings at the time of the request: an approval is only valid for them. */
  readonly before: Security;
}

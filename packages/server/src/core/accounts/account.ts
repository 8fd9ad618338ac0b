import type { Party } from '../reference/party.ts';

/** A reseller account. The root (id 1, no parent) is the operator. */
export interface Reseller extends Party {
  readonly id: string;
  readonly parent_id: string | null;
  readonly status: ResellerStatus;
  readonly brand_name: string | null;
  readonly lang_id: string;
  /** The account buys and sells in it. */
  readonly selling_currency: string;
  readonly accounting_currency: string;
  readonly parent_selling_currency: string | null;
  /** Minor units of the selling currency. */
  readonly total_receipts: string;
  /** It contacts the registrants of its domains itself, and forwards their confirmations: the service writes to none of them. */
  readonly looks_after_holders: boolean;
  readonly created_at: Date;
}

export const resellerStatuses = ['Active', 'Suspended', 'Pending Activation'] as const;
export type ResellerStatus = (typeof resellerStatuses)[number];

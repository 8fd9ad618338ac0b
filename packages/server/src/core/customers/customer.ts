import type { RenewalMode } from '../model/domain.ts';
import type { Party } from '../reference/party.ts';

export interface Customer extends Party {
  readonly id: string;
  readonly reseller_id: string;
  readonly status: 'Active' | 'Suspended';
  readonly lang_id: string;
  /** Minor units of `currency`. */
  readonly total_receipts: string;
  readonly currency: string;
  readonly default_nameservers: string[] | null;
  /** Default for new domains; null: the account's setting. */
  readonly renewal_mode: RenewalMode | null;
  readonly created_at: Date;
}

export const customerStatuses = ['Active', 'Suspended'] as const;

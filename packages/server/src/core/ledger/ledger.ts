import type { Money } from '@namehold/base';

export const transactionTypes = ['domain', 'deposit', 'note', 'privacy_protect'] as const;
type TransactionType = (typeof transactionTypes)[number];

/** A hold is `pending`, a capture is `completed`, a release is `cancelled`; the id stays the same. A bill begins as `unpaid`. */
export const transactionStatuses = ['pending', 'completed', 'cancelled', 'refunded', 'unpaid'] as const;
type TransactionStatus = (typeof transactionStatuses)[number];

/** What is bought or charged; each of the actions has a price. */
export interface Transaction {
  readonly id: string;
  /** The buyer's transaction of the same purchase; other levels of the chain carry it too. */
  readonly purchase_id: string;
  readonly reseller_id: string;
  readonly customer_id: string | null;
  readonly seller_id: string | null;
  readonly type: TransactionType;
  readonly status: TransactionStatus;
  readonly direction: 'debit' | 'credit';
  readonly amount: bigint;
  readonly captured: bigint;
  readonly refunded: bigint;
  /** Of a bill: the amount that was credited before it was paid. */
  readonly credited: bigint;
  readonly currency: string;
  readonly balance_after: bigint;
  readonly description: string;
  readonly operation_id: string | null;
  readonly domain_id: string | null;
  readonly action: string | null;
  readonly years: number | null;
  readonly created_at: Date;
  readonly settled_at: Date | null;
  /** Of a bill whose waiting order was cancelled. */
  readonly cancel_reason: CancelReason | null;
}

/** Why a waiting order ended: its reseller cancelled it, it was not paid in time, or its domain is gone. */
export type CancelReason = 'asked' | 'unpaid' | 'gone';

/** One seller and one payer of a chain; the operator's own purchase has no seller and holds nothing. */
export interface PurchaseLevel {
  readonly resellerId: string;
  readonly sellerId: string | null;
  readonly amount: Money;
}

/** What the reseller's customer is billed for a purchase: the level below the buyer. */
export interface Bill {
  readonly customerId: string;
  readonly amount: Money;
  /** `pay`: from its balance, with the purchase. `keep`: it stays owed. `cancel`: a waiting order runs without it. */
  readonly how: 'pay' | 'keep' | 'cancel';
  /** The bill of a waiting order; without one it is made. */
  readonly transactionId?: string | undefined;
}

export interface Purchase {
  /** Buyer first, then its parents, up to the level next to the operator. */
  readonly levels: readonly PurchaseLevel[];
  /** The expected charge of the registry, in the registry's currency. */
  readonly registryCost?: Money | undefined;
  readonly type?: 'domain' | 'privacy_protect';
  readonly operationId?: string | null;
  readonly domainId?: string | null;
  readonly action: string;
  readonly years: number;
  readonly description: string;
  readonly bill?: Bill | undefined;
}

/** A purchase by its own id or by the operation that ordered it. */
export type PurchaseRef = { readonly transactionId: string } | { readonly operationId: string };

export interface Balance {
  /** The available balance without credit; below zero if credit is in use. */
  readonly available: Money;
  readonly held: Money;
  readonly creditLimit: Money;
}

export const ledgerLimits = { descriptionLength: 500, amountDigits: 12, transactionIdsPerFilter: 100 };

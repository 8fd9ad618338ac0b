import type { Money } from '@namehold/base';

export const transactionTypes = ['domain', 'deposit', 'note', 'privacy_protect'] as const;
export type TransactionType = (typeof transactionTypes)[number];

/** Hold is `pending`, capture is `completed`, release is `cancelled`; the id stays the same. A bill begins as `unpaid`. */
export const transactionStatuses = ['pending', 'completed', 'cancelled', 'refunded', 'unpaid'] as const;
export type TransactionStatus = (typeof transactionStatuses)[number];

/** What is bought or charged; a price exists for each of the actions. */
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
  /** Of a bill: what fell away before it was paid. */
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
  /** Of a bill whose order waited and was cancelled. */
  readonly cancel_reason: CancelReason | null;
}

/** Why an order that waited does not any more: its reseller said so, nobody paid in time, its name is gone. */
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
  /** `pay`: from its balance, with the purchase. `keep`: it stays owed. `cancel`: an order that waited runs without it. */
  readonly how: 'pay' | 'keep' | 'cancel';
  /** The bill of an order that waited; without one it is made. */
  readonly transactionId?: string | undefined;
}

export interface Purchase {
  /** Buyer first, then its parent, up to the level next to the operator. */
  readonly levels: readonly PurchaseLevel[];
  /** What the registry will take, in its own currency. */
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
  /** What can be spent without credit; below zero where credit is in use. */
  readonly available: Money;
  readonly held: Money;
  readonly creditLimit: Money;
}

export const ledgerLimits = { descriptionLength: 500, amountDigits: 12, transactionIdsPerFilter: 100 };

import type { Money } from '@namehold/base';

export const transactionTypes = ['domain', 'deposit', 'note', 'privacy_protect'] as const;
export type TransactionType = (typeof transactionTypes)[number];

/** Hold is `pending`, capture is `completed`, release is `cancelled`; the id stays the same. */
export type TransactionStatus = 'pending' | 'completed' | 'cancelled' | 'refunded';

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
  readonly currency: string;
  readonly balance_after: bigint;
  readonly description: string;
  readonly operation_id: string | null;
  readonly domain_id: string | null;
  readonly action: string | null;
  readonly years: number | null;
  readonly created_at: Date;
  readonly settled_at: Date | null;
}

/** One seller and one payer of a chain; the operator's own purchase has no seller and holds nothing. */
export interface PurchaseLevel {
  readonly resellerId: string;
  readonly sellerId: string | null;
  readonly amount: Money;
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

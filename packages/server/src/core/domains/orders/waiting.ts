import type { Money } from '@namehold/base';

/** An order as it was recorded. */
export interface Waiting {
  readonly transactionId: string;
  readonly domainId: string;
  readonly domainName: string;
  readonly customerId: string;
  /** What the customer pays. */
  readonly customerPrice: Money;
  /** What the reseller would pay now; asked anew when it runs. */
  readonly price: Money;
  readonly expiresAt: Date;
  /** Where it is not done exactly as it was ordered. */
  readonly warnings: readonly string[];
}

/** The context in which the text of a waiting order is encrypted. */
export const encryptionContextOf = (transactionId: string): string => `waiting_order:${transactionId}`;

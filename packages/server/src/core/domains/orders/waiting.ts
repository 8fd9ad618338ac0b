import type { Money } from '@namehold/base';

/** An order as it was recorded. */
export interface Waiting {
  readonly transactionId: string;
  readonly domainId: string;
  readonly domainName: string;
  readonly customerId: string;
  /** What the customer pays. */
  readonly customerPrice: Money;
  /** The reseller's present price; computed again when the order runs. */
  readonly price: Money;
  readonly expiresAt: Date;
  /** Parts of the order that will be executed differently. */
  readonly warnings: readonly string[];
}

/** The context in which the text of a waiting order is encrypted. */
export const encryptionContextOf = (transactionId: string): string => `waiting_order:${transactionId}`;

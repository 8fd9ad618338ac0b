import { groupedReference } from '../core/payments/reference.ts';
import type { PaymentProvider } from '../core/ports/payment-provider.ts';

/**
 * Needs no provider: the payer writes the reference on a transfer, and the seller records its arrival manually or by an imported bank
 * statement.
 */
export const bankTransfer: PaymentProvider = {
  name: 'bank_transfer',
  instructions: ({ reference, details }) => ({ details, reference, reference_in_groups: groupedReference(reference) }),
};

import type { PaymentProvider } from '../core/payments/provider.ts';
import { spokenReference } from '../core/payments/reference.ts';

/** Needs nobody: the payer writes the reference on a transfer, and the seller tells that it came, by hand or with the bank's statement. */
export const bankTransfer: PaymentProvider = {
  name: 'bank_transfer',
  instructions: ({ reference, details }) => ({ details, reference, reference_in_groups: spokenReference(reference) }),
};

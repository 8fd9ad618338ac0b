import type { PaymentProvider, PaymentProviders } from '../core/ports/payment-provider.ts';
import { bankTransfer } from './bank-transfer.ts';

const all: readonly PaymentProvider[] = [bankTransfer];

/** One line for each adapter. */
export const paymentProviders = (): PaymentProviders => new Map(all.map((each) => [each.name, each]));

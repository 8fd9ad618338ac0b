import type { Route } from '../../route.ts';
import { cancelPaymentRoute, confirmPaymentRoute, importPaymentsRoute } from './confirm.ts';
import { expectDepositRoute, expectPaymentRoute } from './expect.ts';
import { listProvidersRoute, setProviderRoute } from './provider.ts';
import { listPaymentsRoute, readPaymentRoute } from './read.ts';

export const paymentRoutes: readonly Route[] = [
  expectPaymentRoute,
  expectDepositRoute,
  listPaymentsRoute,
  readPaymentRoute,
  confirmPaymentRoute,
  cancelPaymentRoute,
  importPaymentsRoute,
  setProviderRoute,
  listProvidersRoute,
];

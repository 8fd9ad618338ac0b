import type { Route } from '../../route.ts';
import { customerAccessRoutes } from './access.ts';
import { changeCustomerRoute } from './change.ts';
import { createCustomerRoute } from './create.ts';
import { changeDefaultNameserversRoute, defaultNameserversRoute } from './default-nameservers.ts';
import { deleteCustomerRoute } from './delete.ts';
import { listCustomersRoute } from './list.ts';
import { readCustomerRoute } from './read.ts';
import { customerRenewalRoutes } from './renewal-mode.ts';
import { customerTaxRoutes } from './tax-id.ts';
import { customerPasswordRoute } from './temp-password.ts';
import { customerReceiptsRoute } from './total-receipts.ts';

export const customersRoutes: readonly Route[] = [
  createCustomerRoute,
  listCustomersRoute,
  customerPasswordRoute,
  customerReceiptsRoute,
  readCustomerRoute,
  changeCustomerRoute,
  deleteCustomerRoute,
  defaultNameserversRoute,
  changeDefaultNameserversRoute,
  ...customerAccessRoutes,
  ...customerRenewalRoutes,
  ...customerTaxRoutes,
];

import type { Route } from '../../route.ts';
import { activateResellerRoute } from './activate.ts';
import { changeResellerRoute } from './change.ts';
import { createResellerRoute } from './create.ts';
import { deleteResellerRoute } from './delete.ts';
import { listResellersRoute } from './list.ts';
import { readResellerRoute } from './read.ts';
import { suspendResellerRoute } from './suspend.ts';
import { resellerPasswordRoute } from './temp-password.ts';
import { resellerReceiptsRoute } from './total-receipts.ts';

export const resellersRoutes: readonly Route[] = [
  createResellerRoute,
  listResellersRoute,
  resellerPasswordRoute,
  readResellerRoute,
  changeResellerRoute,
  deleteResellerRoute,
  resellerReceiptsRoute,
  suspendResellerRoute,
  activateResellerRoute,
];

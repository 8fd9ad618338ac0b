import type { Route } from '../../route.ts';
import { approveOperationRoute } from './approve.ts';
import { cancelOperationRoute } from './cancel.ts';
import { declineOperationRoute } from './decline.ts';
import { listOperationsRoute } from './list.ts';
import { readOperationRoute } from './read.ts';

export const operationRoutes: readonly Route[] = [
  listOperationsRoute,
  readOperationRoute,
  cancelOperationRoute,
  approveOperationRoute,
  declineOperationRoute,
];

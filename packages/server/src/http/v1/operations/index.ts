import type { Route } from '../../route.ts';
import { cancelOperationRoute } from './cancel.ts';
import { listOperationsRoute } from './list.ts';
import { readOperationRoute } from './read.ts';

export const operationRoutes: readonly Route[] = [listOperationsRoute, readOperationRoute, cancelOperationRoute];

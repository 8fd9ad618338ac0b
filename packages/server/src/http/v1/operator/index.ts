import type { Route } from '../../route.ts';
import { listAlarmsRoute } from './alarms.ts';
import { readBooksRoute } from './books.ts';
import { listAllEventsRoute } from './events.ts';
import { lookAfterHoldersRoute } from './holders.ts';
import { listJobsRoute } from './jobs.ts';
import { mendRoute } from './mend.ts';
import { listAllOperationsRoute } from './operations.ts';
import { settleOperationRoute } from './settle.ts';
import { operatorWatchRoutes } from './watched.ts';

/** For the operator's account alone: everything over all resellers. */
export const operatorRoutes: readonly Route[] = [
  listAllOperationsRoute,
  settleOperationRoute,
  listAllEventsRoute,
  listAlarmsRoute,
  listJobsRoute,
  readBooksRoute,
  mendRoute,
  lookAfterHoldersRoute,
  ...operatorWatchRoutes,
];

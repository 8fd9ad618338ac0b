import type { Route } from '../../route.ts';
import { acknowledgeAlarmRoute, listAlarmsRoute, withdrawAcknowledgementRoute } from './alarms.ts';
import { readBooksRoute } from './books.ts';
import { listAllEventsRoute } from './events.ts';
import { lookAfterHoldersRoute } from './holders.ts';
import { listJobsRoute } from './jobs.ts';
import { mendRoute } from './mend.ts';
import { listNameserversRoute } from './nameservers.ts';
import { listAllOperationsRoute } from './operations.ts';
import { listRegistriesRoute } from './registries.ts';
import { listSettingsRoute } from './settings.ts';
import { settleOperationRoute } from './settle.ts';
import { verifyRoute } from './verify.ts';
import { operatorWatchRoutes } from './watched.ts';

/** For the operator's account alone: everything over all resellers. */
export const operatorRoutes: readonly Route[] = [
  listAllOperationsRoute,
  settleOperationRoute,
  listAllEventsRoute,
  listAlarmsRoute,
  acknowledgeAlarmRoute,
  withdrawAcknowledgementRoute,
  listJobsRoute,
  listRegistriesRoute,
  listNameserversRoute,
  listSettingsRoute,
  readBooksRoute,
  verifyRoute,
  mendRoute,
  lookAfterHoldersRoute,
  ...operatorWatchRoutes,
];

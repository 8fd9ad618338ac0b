import type { Route } from '../../route.ts';
import { addUpstreamRoute } from './add-upstream.ts';
import { acknowledgeAlarmRoute, listAlarmsRoute, withdrawAcknowledgementRoute } from './alarms.ts';
import { compareCostsRoute } from './costs.ts';
import { listAllEventsRoute } from './events.ts';
import { listJobsRoute } from './jobs.ts';
import { listNameserversRoute } from './nameservers.ts';
import { listAllOperationsRoute } from './operations.ts';
import { readReconciliationRoute } from './reconciliation.ts';
import { registrantManagementRoute } from './registrants.ts';
import { listRegistriesRoute } from './registries.ts';
import { repairRoute } from './repair.ts';
import { listRoutesRoute, setRouteRoute } from './routes.ts';
import { listSettingsRoute } from './settings.ts';
import { settleOperationRoute } from './settle.ts';
import { listUpstreamServicesRoute, testUpstreamRoute } from './upstreams.ts';
import { verifyRoute } from './verify.ts';
import { operatorWatchRoutes } from './watched.ts';

/** Only for the operator account: data of all resellers. */
export const operatorRoutes: readonly Route[] = [
  listAllOperationsRoute,
  settleOperationRoute,
  listAllEventsRoute,
  listAlarmsRoute,
  acknowledgeAlarmRoute,
  withdrawAcknowledgementRoute,
  listJobsRoute,
  listRegistriesRoute,
  compareCostsRoute,
  listRoutesRoute,
  setRouteRoute,
  listUpstreamServicesRoute,
  testUpstreamRoute,
  addUpstreamRoute,
  listNameserversRoute,
  listSettingsRoute,
  readReconciliationRoute,
  verifyRoute,
  repairRoute,
  registrantManagementRoute,
  ...operatorWatchRoutes,
];

import type { Route } from '../../route.ts';
import { accountHoldSeriesRoute, operatorHoldSeriesRoute } from './holds.ts';
import { accountNameSeriesRoute, operatorNameSeriesRoute } from './names.ts';
import { nameserverSeriesRoute, registrySeriesRoute } from './waits.ts';

/** Time series. */
export const seriesRoutes: readonly Route[] = [
  accountNameSeriesRoute,
  accountHoldSeriesRoute,
  registrySeriesRoute,
  nameserverSeriesRoute,
  operatorNameSeriesRoute,
  operatorHoldSeriesRoute,
];

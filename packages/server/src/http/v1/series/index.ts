import type { Route } from '../../route.ts';
import { accountNameSeriesRoute, operatorNameSeriesRoute } from './domain-counts.ts';
import { accountHoldSeriesRoute, operatorHoldSeriesRoute } from './holds.ts';
import { nameserverSeriesRoute, registrySeriesRoute } from './response-times.ts';

/** Time series. */
export const seriesRoutes: readonly Route[] = [
  accountNameSeriesRoute,
  accountHoldSeriesRoute,
  registrySeriesRoute,
  nameserverSeriesRoute,
  operatorNameSeriesRoute,
  operatorHoldSeriesRoute,
];

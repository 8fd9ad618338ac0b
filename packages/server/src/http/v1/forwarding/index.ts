import type { Route } from '../../route.ts';
import { patchForwardingRoute, readForwardingRoute, replaceForwardingRoute } from './rules.ts';
import { readSimpleForwarding, setSimpleForwarding } from './simple.ts';
import { readStatisticsRoute } from './statistics.ts';

/** Web forwarding: the contract's two calls, and the rules on which they are a view. */
export const forwardingRoutes: readonly Route[] = [
  readSimpleForwarding,
  setSimpleForwarding,
  readForwardingRoute,
  replaceForwardingRoute,
  patchForwardingRoute,
  readStatisticsRoute,
];

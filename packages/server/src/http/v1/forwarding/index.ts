import type { Route } from '../../route.ts';
import { patchForwardingRoute, readForwardingRoute, replaceForwardingRoute } from './rules.ts';
import { readSimpleForwarding, setSimpleForwarding } from './simple.ts';
import { readStatisticsRoute } from './statistics.ts';

/** Forwarding of web addresses: the contract's two calls, and the rules that they are a view on. */
export const forwardingRoutes: readonly Route[] = [
  readSimpleForwarding,
  setSimpleForwarding,
  readForwardingRoute,
  replaceForwardingRoute,
  patchForwardingRoute,
  readStatisticsRoute,
];

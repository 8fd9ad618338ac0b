import type { Route } from '../../route.ts';
import {
  addAddressRoute,
  changeAddressRoute,
  listAddressesRoute,
  readAddressRoute,
  removeAddressRoute,
} from './addresses.ts';
import { readCatchAllRoute, setCatchAllRoute } from './catch-all.ts';
import { readMailSettingsRoute, setMailSettingsRoute } from './settings.ts';
import { readMailStatisticsRoute } from './statistics.ts';
import { listTargetsRoute, resendTargetRoute } from './targets.ts';

/** Mail forwarding: the contract's seven calls, the settings of a domain, and the external target addresses. */
export const mailForwardingRoutes: readonly Route[] = [
  addAddressRoute,
  listAddressesRoute,
  readCatchAllRoute,
  setCatchAllRoute,
  readMailStatisticsRoute,
  readAddressRoute,
  changeAddressRoute,
  removeAddressRoute,
  readMailSettingsRoute,
  setMailSettingsRoute,
  listTargetsRoute,
  resendTargetRoute,
];

import type { Route } from '../../route.ts';
import { sandboxClockRoutes } from './clock.ts';
import { sandboxFaultRoutes } from './faults.ts';
import { sandboxMail } from './mail.ts';
import { sandboxRegistryRoutes } from './registry-view.ts';
import { sandboxTransferRoute } from './transfers.ts';

/** Calls that exist only in sandbox mode. */
export const sandboxRoutes: readonly Route[] = [
  sandboxMail,
  ...sandboxRegistryRoutes,
  ...sandboxClockRoutes,
  ...sandboxFaultRoutes,
  sandboxTransferRoute,
];

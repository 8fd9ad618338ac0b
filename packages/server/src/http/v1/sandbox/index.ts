import type { Route } from '../../route.ts';
import { sandboxClockRoutes } from './clock.ts';
import { sandboxFaultRoutes } from './faults.ts';
import { sandboxLookRoutes } from './look.ts';
import { sandboxMail } from './mail.ts';
import { sandboxTransferRoute } from './transfers.ts';

/** Calls that there are in sandbox mode only. */
export const sandboxRoutes: readonly Route[] = [
  sandboxMail,
  ...sandboxLookRoutes,
  ...sandboxClockRoutes,
  ...sandboxFaultRoutes,
  sandboxTransferRoute,
];

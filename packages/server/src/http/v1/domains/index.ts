import type { Route } from '../../route.ts';
import { domainChangeRoutes } from './changes.ts';
import { deleteDomain } from './delete.ts';
import { forwardingRoutes } from './forwarding.ts';
import { notYetRoutes } from './not-yet.ts';
import { domainReadRoutes } from './reads.ts';
import { register } from './register.ts';
import { renew } from './renew.ts';
import { restore } from './restore.ts';
import { timeline } from './timeline.ts';
import { watchedRoutes } from './watched.ts';

export const domainRoutes: readonly Route[] = [
  register,
  renew,
  deleteDomain,
  restore,
  timeline,
  ...domainReadRoutes,
  ...domainChangeRoutes,
  ...notYetRoutes,
  ...forwardingRoutes,
  ...watchedRoutes,
];

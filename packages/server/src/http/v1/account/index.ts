import type { Route } from '../../route.ts';
import { auditRoute } from './audit.ts';
import { changeKeyRoute, createKeyRoute, listKeysRoute, readKeyRoute, revokeKeyRoute, rotateKeyRoute } from './keys.ts';
import { profile } from './profile.ts';
import { accountRenewalRoutes } from './renewal-mode.ts';
import { changeSecurityRoute, readSecurityRoute } from './security.ts';

export const accountRoutes: readonly Route[] = [
  profile,
  listKeysRoute,
  createKeyRoute,
  readKeyRoute,
  changeKeyRoute,
  rotateKeyRoute,
  revokeKeyRoute,
  auditRoute,
  readSecurityRoute,
  changeSecurityRoute,
  ...accountRenewalRoutes,
];

import type { Route } from '../../route.ts';
import { register } from './buy/register.ts';
import { renew } from './buy/renew.ts';
import { restore } from './buy/restore.ts';
import { transfer } from './buy/transfer.ts';
import { domainChangeRoutes } from './change/changes.ts';
import { deleteDomain } from './end/delete.ts';
import { moveDomain } from './move/move.ts';
import { domainReadRoutes } from './read/reads.ts';
import { timeline } from './read/timeline.ts';
import { renewalModeRoutes } from './renewal-mode.ts';
import { cancelTransferRoute } from './transfer-in/cancel.ts';
import { newAuthCodeRoute } from './transfer-in/new-auth-code.ts';
import { resendApproval } from './transfer-in/resend-approval.ts';
import { validityRoutes } from './transfer-in/validity.ts';
import { approveTransferRoute } from './transfer-out/approve.ts';
import { rejectTransferRoute } from './transfer-out/reject.ts';
import { watchedRoutes } from './watched.ts';

export const domainRoutes: readonly Route[] = [
  register,
  renew,
  deleteDomain,
  restore,
  transfer,
  ...validityRoutes,
  cancelTransferRoute,
  newAuthCodeRoute,
  resendApproval,
  moveDomain,
  approveTransferRoute,
  rejectTransferRoute,
  timeline,
  ...domainReadRoutes,
  ...domainChangeRoutes,
  ...watchedRoutes,
  ...renewalModeRoutes,
];

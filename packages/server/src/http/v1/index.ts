import { withFormerPaths } from '../aliases.ts';
import type { Route } from '../route.ts';
import { accountRoutes } from './account/index.ts';
import { billingRoutes } from './billing/index.ts';
import { brandRoutes } from './brand/index.ts';
import { commonRoutes } from './common/index.ts';
import { contactsRoutes } from './contacts/index.ts';
import { customersRoutes } from './customers/index.ts';
import { dnsRoutes } from './dns/index.ts';
import { domainRoutes } from './domains/index.ts';
import { eventRoutes } from './events/index.ts';
import { forwardingRoutes } from './forwarding/index.ts';
import { invitationRoutes } from './invitations/index.ts';
import { invoiceRoutes } from './invoices/index.ts';
import { mailForwardingRoutes } from './mail-forwarding/index.ts';
import { meRoutes } from './me/index.ts';
import { moveRoutes } from './moves/index.ts';
import { noticeRoutes } from './notices/index.ts';
import { operationRoutes } from './operations/index.ts';
import { operatorRoutes } from './operator/index.ts';
import { paymentRoutes } from './payments/index.ts';
import { resellersRoutes } from './resellers/index.ts';
import { sandboxRoutes } from './sandbox/index.ts';
import { searchRoutes } from './search/index.ts';
import { seriesRoutes } from './series/index.ts';
import { sessionRoutes } from './session/index.ts';
import { userRoutes } from './users/index.ts';
import { zoneRoutes } from './zones/index.ts';

/** All operations of the API. There is one folder for each resource. */
export const routes: readonly Route[] = [
  ...accountRoutes,
  ...billingRoutes,
  ...brandRoutes,
  ...commonRoutes,
  ...contactsRoutes,
  ...customersRoutes,
  ...dnsRoutes,
  ...domainRoutes,
  ...eventRoutes,
  ...forwardingRoutes,
  ...invitationRoutes,
  ...invoiceRoutes,
  ...mailForwardingRoutes,
  ...meRoutes,
  ...moveRoutes,
  ...noticeRoutes,
  ...operationRoutes,
  ...operatorRoutes,
  ...paymentRoutes,
  ...resellersRoutes,
  ...sandboxRoutes,
  ...userRoutes,
  ...searchRoutes,
  ...seriesRoutes,
  ...sessionRoutes,
  ...zoneRoutes,
];

/** All operations, and the earlier paths that are still served. */
export const servedRoutes: readonly Route[] = withFormerPaths(routes);

/** The operations that are served in this mode. */
export const routesIn = (mode: 'sandbox' | 'production'): readonly Route[] =>
  mode === 'sandbox' ? servedRoutes : servedRoutes.filter(({ isSandboxOnly }) => !isSandboxOnly);

import type { Route } from '../../../route.ts';
import { buyPrivacyRoute, privacyOff, privacyOn } from '../buy/privacy.ts';
import { readAuthCode, setAuthCodeRoute } from './auth-code.ts';
import { addChildNs, changeChildNs, removeChildNs } from './child-ns.ts';
import { addDsRoute, removeDsRoute } from './dnssec.ts';
import { reportConfirmation } from './report-confirmation.ts';
import { resendIrtpVerification, resendRaaVerification } from './resend-verification.ts';
import { setContactsRoute, setPendingContactsRoute } from './set-contacts.ts';
import { flagChangeRoutes } from './set-flags.ts';
import { setNs } from './set-ns.ts';

/** Everything that changes an existing domain. */
export const domainChangeRoutes: readonly Route[] = [
  setNs,
  addChildNs,
  changeChildNs,
  removeChildNs,
  setContactsRoute,
  setPendingContactsRoute,
  readAuthCode,
  setAuthCodeRoute,
  ...flagChangeRoutes,
  addDsRoute,
  removeDsRoute,
  privacyOn,
  privacyOff,
  buyPrivacyRoute,
  reportConfirmation,
  resendRaaVerification,
  resendIrtpVerification,
];

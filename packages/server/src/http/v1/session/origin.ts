import type { AppContext } from '../../../core/app-context.ts';
import type { Origin } from '../../../core/users/begin-session.ts';
import { deviceOf } from '../../identity/device-cookie.ts';
import type { Caller } from '../../route.ts';

/** Address and browser of a sign-in. */
export const originOf = (ctx: AppContext, { address, requestId, header }: Caller): Origin => ({
  address,
  requestId,
  browser: header('user-agent') ?? '',
  device: deviceOf(ctx, header('cookie')),
});

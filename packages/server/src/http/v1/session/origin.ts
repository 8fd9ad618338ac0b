import type { House } from '../../../core/house.ts';
import type { Origin } from '../../../core/people/begin-session.ts';
import { deviceOf } from '../../identity/device-cookie.ts';
import type { Caller } from '../../route.ts';

/** Where somebody signs in from. */
export const originOf = (house: House, { address, requestId, header }: Caller): Origin => ({
  address,
  requestId,
  browser: header('user-agent') ?? '',
  device: deviceOf(house, header('cookie')),
});

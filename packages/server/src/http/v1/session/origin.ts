import type { Caller } from '../../route.ts';

/** Where somebody signs in from. */
export const originOf = ({ address, requestId, header }: Caller) => ({
  address,
  requestId,
  browser: header('user-agent') ?? '',
});

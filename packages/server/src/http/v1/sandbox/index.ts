import type { Route } from '../../route.ts';
import { sandboxMail } from './mail.ts';

/** Calls that there are in sandbox mode only. */
export const sandboxRoutes: readonly Route[] = [sandboxMail];

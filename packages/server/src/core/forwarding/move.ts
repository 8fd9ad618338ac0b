import type { domainMovedToReseller } from '../domains/effects.ts';
import type { EventAt } from '../effects.ts';
import { moveForwarding } from './forwarding.sql.ts';

/** The rules go with the domain to its new reseller. */
export const moveForwardingToReseller = ({ tx, from, to }: EventAt<typeof domainMovedToReseller>): Promise<void> =>
  moveForwarding(tx, from, to);

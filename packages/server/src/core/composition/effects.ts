import { addFirstContact } from '../contacts/create.ts';
import { customerCreated } from '../customers/effects.ts';
import {
  delegationRequested,
  domainMovedToCustomer,
  domainMovedToReseller,
  domainRegistered,
  domainTransferredIn,
  domainUpdated,
} from '../domains/effects.ts';
import { Effects } from '../effects.ts';
import { endWithZone, moveForwardingToReseller } from '../forwarding/end.ts';
import { takeOver } from '../forwarding/take-over.ts';
import { endMailWithZone, takeMailOver } from '../mail-forwarding/end.ts';
import { moveMailToReseller, requestConsentsForNewCustomer } from '../mail-forwarding/move.ts';
import {
  verifyAfterMove,
  verifyAfterRegistration,
  verifyAfterTransfer,
  verifyAfterUpdate,
  verifyForNewReseller,
} from '../verification/after-change.ts';
import { recordsTakenOver, zoneEnding } from '../zones/effects.ts';
import { zoneAfterUpdate, zoneAtDelegation, zoneAtRegistration } from '../zones/life/at-registration.ts';
import { guardDelegation } from '../zones/life/guard-delegation.ts';

/**
 * What other modules do in the transaction of a change, in this order. Of a registration and of a transfer, verification takes its locks
 * before the zone, so that two transactions cannot deadlock.
 */
export const registeredEffects = (): Effects =>
  new Effects()
    .register(customerCreated, addFirstContact)
    // Verification has taken its locks in the statement that made the domain active.
    .register(domainRegistered, zoneAtRegistration, verifyAfterRegistration)
    .register(domainTransferredIn, verifyAfterTransfer, zoneAtDelegation)
    .register(domainUpdated, zoneAfterUpdate, verifyAfterUpdate)
    .register(delegationRequested, guardDelegation)
    .register(domainMovedToCustomer, verifyAfterMove, requestConsentsForNewCustomer)
    .register(domainMovedToReseller, moveForwardingToReseller, moveMailToReseller, verifyForNewReseller)
    .register(zoneEnding, endWithZone, endMailWithZone)
    .register(recordsTakenOver, takeOver, takeMailOver);

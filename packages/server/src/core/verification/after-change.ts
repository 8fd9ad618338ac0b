import type {
  domainMovedToCustomer,
  domainMovedToReseller,
  domainRegistered,
  domainTransferredIn,
  domainUpdated,
} from '../domains/effects.ts';
import type { EventAt } from '../effects.ts';
import { recordVerificationRequested, remindRegistrant, requestVerification } from './request-verification.ts';
import { verifyNewRegistrant } from './verify-new-registrant.ts';

/** Effects of changes of a domain: its registrant must confirm the address, in the transaction of the change. */

export async function verifyAfterRegistration(event: EventAt<typeof domainRegistered>): Promise<void> {
  const { ctx, tx, domain, rules, verification } = event;
  if (verification) await recordVerificationRequested(ctx, tx, domain, verification.registrant, verification.wait);
  else await requestVerification(ctx, tx, domain, 'registration', rules);
}

export const verifyAfterTransfer = ({ ctx, tx, domain }: EventAt<typeof domainTransferredIn>): Promise<void> =>
  requestVerification(ctx, tx, domain, 'transfer');

/** Notifies the new and the former registrant, and requests verification where an address must be confirmed. */
export async function verifyAfterUpdate(event: EventAt<typeof domainUpdated>): Promise<void> {
  const { ctx, tx, before, domain, wanted } = event;
  if (wanted.flags?.unverified) await remindRegistrant(ctx, tx, before, 'holder_unverified');
  if (domain.registrant_contact_id !== before.registrant_contact_id)
    await verifyNewRegistrant(ctx, tx, before, domain.registrant_contact_id);
}

export const verifyAfterMove = (event: EventAt<typeof domainMovedToCustomer>): Promise<void> =>
  verifyNewRegistrant(event.ctx, event.tx, event.domain, event.registrantId);

/** A confirmation for the previous reseller is not valid for the receiving one. */
export const verifyForNewReseller = ({ ctx, tx, to }: EventAt<typeof domainMovedToReseller>): Promise<void> =>
  requestVerification(ctx, tx, to, 'change');

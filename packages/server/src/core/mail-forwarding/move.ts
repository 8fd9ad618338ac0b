import type { Tx } from '@namehold/postgres';
import type { AppContext } from '../app-context.ts';
import type { domainMovedToCustomer, domainMovedToReseller } from '../domains/effects.ts';
import type { EventAt } from '../effects.ts';
import type { Domain } from '../model/domain.ts';
import { forwardsOf, moveMailDomain } from './mail-domain.sql.ts';
import { requestConsents } from './request-consent.ts';

/** After a move to another customer, consent is requested again, because it was given to the former customer. */
export const requestConsentsForNewCustomer = ({
  ctx,
  tx,
  domain,
  customerId,
}: EventAt<typeof domainMovedToCustomer>): Promise<void> =>
  requestConsentsAgain(ctx, tx, { ...domain, customer_id: customerId });

/** The addresses go with the domain to its new reseller, and consent is requested again. */
export async function moveMailToReseller(event: EventAt<typeof domainMovedToReseller>): Promise<void> {
  const { ctx, tx, from, to } = event;
  await moveMailDomain(tx, from, to);
  await requestConsentsAgain(ctx, tx, to);
}

async function requestConsentsAgain(
  ctx: AppContext,
  tx: Tx,
  domain: Pick<Domain, 'id' | 'reseller_id' | 'customer_id' | 'name'>,
): Promise<void> {
  const forwards = await forwardsOf(tx, domain);
  await requestConsents(
    ctx,
    tx,
    domain,
    forwards.filter((forward) => forward.enabled).flatMap((forward) => forward.targets),
  );
}

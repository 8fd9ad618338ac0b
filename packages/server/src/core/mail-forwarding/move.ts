import type { Tx } from '@namehold/base';
import type { AppContext } from '../app-context.ts';
import type { Domain } from '../model/domain.ts';
import { forwardsOf } from './mail-domain.sql.ts';
import { requestConsents } from './request-consent.ts';

/** After a move to another customer, consent is requested again, because it was given to the former customer. */
export async function requestConsentsForNewCustomer(
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

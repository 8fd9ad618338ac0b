import type { Tx } from '@namehold/base';
import type { AppContext } from '../app-context.ts';
import type { Domain } from '../domains/domain.ts';
import { forwardsOf } from './mail-domain.sql.ts';
import { requestConsents } from './request-consent.ts';

/** A name came to another customer: what owners of targets said to the former one was not said to this one. */
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

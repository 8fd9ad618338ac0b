import type { Tx } from '@namehold/base';
import type { Domain } from '../domains/domain.ts';
import type { House } from '../house.ts';
import { askTargets } from './ask.ts';
import { forwardsOf } from './mail-domain.sql.ts';

/** A name came to another customer: what owners of targets said to the former one was not said to this one. */
export async function askForNewCustomer(
  house: House,
  tx: Tx,
  domain: Pick<Domain, 'id' | 'reseller_id' | 'customer_id' | 'name'>,
): Promise<void> {
  const forwards = await forwardsOf(tx, domain);
  await askTargets(
    house,
    tx,
    domain,
    forwards.filter((forward) => forward.enabled).flatMap((forward) => forward.targets),
  );
}

import type { Tx } from '@namehold/postgres';
import type { AppContext } from '../../app-context.ts';
import { Refusal } from '../../errors.ts';
import type { Domain } from '../../model/domain.ts';
import { requireAllowed } from '../allowed/require-allowed.ts';
import { locksOf } from '../locks-of.ts';

/** Whether a domain may move to another reseller now: checked when it is offered, and again when it is accepted. */
export async function requireMovable(ctx: AppContext, tx: Tx, domain: Domain): Promise<void> {
  requireAllowed(domain, 'move', { locks: await locksOf(tx, domain, ctx.clock.now()) });
  if (domain.unverified)
    throw new Refusal(
      'domain_blocked',
      `${domain.name} cannot be moved: its registrant has not confirmed the email address.`,
    );
  if (domain.unpaid)
    throw new Refusal(
      'domain_blocked',
      `${domain.name} cannot be moved: it is still on hold for an unpaid term. Try again in a minute.`,
    );
  // An unpaid year that the registry has added would pass to the receiving reseller.
  if (domain.end_date !== null && domain.end_date <= ctx.clock.now())
    throw new Refusal('conflict', `${domain.name} cannot be moved because it has expired. Renew it first.`);
}

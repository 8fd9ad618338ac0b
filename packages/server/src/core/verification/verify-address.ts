import type { Tx } from '@namehold/postgres';
import type { Actor, AppContext } from '../app-context.ts';
import { audit } from '../audit/audit.ts';
import { appendEvent } from '../events/append.ts';
import { lockAddress } from '../links/link.sql.ts';
import { releaseName } from './process-verifications.ts';
import { endWaiting, markVerified, type WaitingName } from './verification.sql.ts';

/** The address was confirmed to this reseller: none of its domains waits for it any more. */
export async function verifyAddress(
  ctx: AppContext,
  tx: Tx,
  actor: Actor,
  link: { readonly reseller_id: string; readonly address_key: string },
  /** If it was confirmed elsewhere, the reporting party. */
  confirmedAt?: Date,
): Promise<WaitingName[]> {
  const { reseller_id: resellerId, address_key: address } = link;
  const now = ctx.clock.now();
  await lockAddress(tx, resellerId, address);
  await markVerified(tx, resellerId, address, confirmedAt ?? now);
  const names = await endWaiting(tx, resellerId, address, now);
  for (const { id, name } of names) {
    await audit(ctx, tx, actor, { action: 'domain.verified', objectType: 'domain', objectId: id });
    const payload = { domain_id: id, domain_name: name };
    await appendEvent(ctx, tx, { resellerId, type: 'domain.verified', objectId: id, payload });
  }
  return names;
}

/** After the commit. Holds that cannot be lifted at once are left to a background job. */
export function releaseNames(ctx: AppContext, freed: readonly WaitingName[]): void {
  for (const domain of freed)
    if (domain.unverified)
      void releaseName(ctx, domain).catch((error: unknown) =>
        ctx.log.error({ err: error, domain_id: domain.id }, 'lifting a hold failed; will retry'),
      );
}

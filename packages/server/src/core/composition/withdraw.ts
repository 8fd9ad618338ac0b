import type { AppContext } from '../app-context.ts';
import { purgeWebForwarding } from '../forwarding/purge.ts';
import { purgeMailForwarding } from '../mail-forwarding/purge.ts';
import { withdrawnBefore, withdrawZones } from '../zones/life/withdraw.ts';

/**
 * Domains that left are served for a grace time, so that the new operator can take over without a gap. Then their forwarding is deleted
 * and their zones are withdrawn. Returns the number of zones.
 */
export async function withdrawDomains(ctx: AppContext): Promise<number> {
  const before = withdrawnBefore(ctx);
  await purgeWebForwarding(ctx, before);
  await purgeMailForwarding(ctx, before);
  return withdrawZones(ctx);
}

import type { House } from '../../packages/server/src/core/house.ts';
import { pollNow } from '../../packages/server/src/jobs/poll-registries.ts';

/**
 * Reads what the registry has told until now. A reading that the clockwork has under way is joined, and may have ended its looking before
 * the message came: then only the second call, which begins after this one, sees it, or the clockwork in a minute.
 */
export async function pollAfresh(house: House, registryId: string): Promise<boolean> {
  await pollNow(house, registryId);
  return pollNow(house, registryId);
}

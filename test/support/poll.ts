import type { AppContext } from '../../packages/server/src/core/app-context.ts';
import { pollNow } from '../../packages/server/src/jobs/poll-registries.ts';

/**
 * Reads what the registry has told until now. A reading that the clockwork has under way is joined, and may have ended its looking before
 * the message came: then only the second call, which begins after this one, sees it, or the clockwork in a minute.
 */
export async function pollAfresh(ctx: AppContext, registryId: string): Promise<boolean> {
  await pollNow(ctx, registryId);
  return pollNow(ctx, registryId);
}

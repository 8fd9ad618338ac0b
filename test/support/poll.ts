import type { AppContext } from '../../packages/server/src/core/app-context.ts';
import { pollNow } from '../../packages/server/src/jobs/poll-registries.ts';

/**
 * Reads all messages of the registry so far. A running poll job is joined, and may have finished reading before the message arrived:
 * then only the second call, or the job a minute later, sees it.
 */
export async function pollAfresh(ctx: AppContext, registryId: string): Promise<boolean> {
  await pollNow(ctx, registryId);
  return pollNow(ctx, registryId);
}

import type { AppContext } from '../../packages/server/src/core/app-context.ts';

/**
 * Runs an operation after something changed at the registry. A running attempt is joined, and may have asked the registry before the
 * change: then only the second one sees it.
 */
export async function attemptAfresh(ctx: AppContext, operationId: string): Promise<void> {
  await ctx.engine.start(operationId);
  await ctx.engine.start(operationId);
}

import type { AppContext } from '../app-context.ts';
import { giveLease, takeLease } from './job-lease.sql.ts';

/**
 * Work that one process at a time does, however many there are. The lease is short and kept by a heartbeat: who dies in the middle is
 * followed soon, who waits long for an answer keeps it. False: another has it.
 */
export async function oneAtATime(
  ctx: AppContext,
  name: string,
  work: () => Promise<void>,
  owner = ctx.engine.owner,
): Promise<boolean> {
  if (!(await takeLease(ctx, name, owner))) return false;
  // A database that is away for a moment does not end the work; what it does must be safe when another has taken over.
  const keep = () => void takeLease(ctx, name, owner).catch(() => undefined);
  const heartbeat = setInterval(keep, ctx.config.leaseMs / 4).unref();
  try {
    await work();
  } finally {
    clearInterval(heartbeat);
    await giveLease(ctx, name, owner);
  }
  return true;
}

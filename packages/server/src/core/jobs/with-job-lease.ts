import type { AppContext } from '../app-context.ts';
import { releaseLease, takeLease } from './job-lease.sql.ts';

/**
 * Work for one process at a time, however many there are. The lease is short and renewed by a heartbeat: after a crash another process
 * follows soon, and a process that waits long for an answer keeps it. False: another process has it.
 */
export async function withJobLease(
  ctx: AppContext,
  name: string,
  work: () => Promise<void>,
  owner = ctx.engine.owner,
): Promise<boolean> {
  if (!(await takeLease(ctx, name, owner))) return false;
  // A short outage of the database does not stop the work; the work must be safe when another process has taken over.
  const keep = () => void takeLease(ctx, name, owner).catch(() => undefined);
  const heartbeat = setInterval(keep, ctx.config.leaseMs / 4).unref();
  try {
    await work();
  } finally {
    clearInterval(heartbeat);
    await releaseLease(ctx, name, owner);
  }
  return true;
}

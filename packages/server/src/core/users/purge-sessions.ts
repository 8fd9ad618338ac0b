import { allTenants } from '@namehold/postgres';
import type { AppContext } from '../app-context.ts';
import { deleteOldCodes } from './code.sql.ts';
import { deleteOldChallenges } from './factor.sql.ts';
import { deleteOldSessions } from './session.sql.ts';

const keptMs = 30 * 86_400_000;
const rowsAtOnce = 1_000;

/** Purges sessions and codes that ended long ago; the audit log keeps their history. */
export async function purgeSessions(ctx: AppContext): Promise<void> {
  const before = new Date(ctx.wall.now().getTime() - keptMs);
  await ctx.db.transaction(allTenants, async (tx) => {
    await deleteOldSessions(tx, before, rowsAtOnce);
    await deleteOldCodes(tx, before, rowsAtOnce);
    await deleteOldChallenges(tx, ctx.wall.now(), rowsAtOnce);
  });
}

import type { Tx } from '@namehold/postgres';
import { schedulerFor } from '../actors.ts';
import type { AppContext } from '../app-context.ts';
import { audit } from '../audit/audit.ts';
import { endRequestsOfSessions, type Sessions } from '../tables/waiting-requests.sql.ts';
import { deleteResetsBy } from './factor-reset.sql.ts';
import { endSessions, recordRevocation } from './session.sql.ts';

/**
 * Ends sessions that another may have used, and what they started: changes that wait for approval, invitations of users, and removals of
 * the factors of others. Returns how many sessions ended. A user who only signs out keeps all of that.
 */
export async function revokeSessions(ctx: AppContext, tx: Tx, userId: string, which: Sessions): Promise<number> {
  const now = ctx.wall.now();
  await recordRevocation(tx, userId, which, now);
  const ended = await endSessions(tx, userId, which, now);
  await endRequestsOfSessions(tx, userId, which, now);
  for (const reset of await deleteResetsBy(tx, userId, which)) {
    const actor = schedulerFor(reset, 'revoke-sessions');
    await audit(ctx, tx, actor, { action: 'person.keep_factors', objectType: 'person', objectId: reset.person_id });
  }
  return ended;
}

import { allTenants } from '@namehold/postgres';
import type { AppContext } from '../app-context.ts';
import { expireApproval } from '../approvals/expire.ts';
import { partiesOf } from './parties.ts';
import { changesThatWait } from './registrant-change.sql.ts';

const changesAtOnce = 100;
const roundsPerRun = 20;

/**
 * Ends requests that cannot be confirmed any more (other data, other domains, gone), so that they block no other request until their
 * deadline.
 */
export async function expireOvertaken(ctx: AppContext): Promise<void> {
  const db = ctx.db.as(allTenants);
  let after = '';
  for (let round = 0; round < roundsPerRun; round++) {
    const waiting = await changesThatWait(db, { after, limit: changesAtOnce });
    for (const operation of waiting)
      if (!(await partiesOf(ctx, db, operation)))
        await expireApproval(ctx, operation, async (tx, locked) => (await partiesOf(ctx, tx, locked)) === undefined);
    if (waiting.length < changesAtOnce) return;
    after = waiting.at(-1)!.id;
  }
}

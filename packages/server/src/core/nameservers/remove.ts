import { allTenants } from '@namehold/postgres';
import type { Actor, AppContext } from '../app-context.ts';
import { audit } from '../audit/audit.ts';
import { notFound } from '../errors.ts';
import { deleteNameserver, findNameserver } from './nameserver.sql.ts';

/** Its transfers are refused and publication no longer waits for it. It serves its zones until they expire. */
export async function removeNameserver(ctx: AppContext, actor: Actor, id: string): Promise<void> {
  await ctx.db.transaction(allTenants, async (tx) => {
    const before = await findNameserver(tx, id);
    if (!before) throw notFound(`nameserver ${id}`);
    await deleteNameserver(tx, id);
    await audit(ctx, tx, actor, {
      action: 'nameserver.removed',
      objectType: 'nameserver',
      objectId: id,
      before,
    });
  });
}

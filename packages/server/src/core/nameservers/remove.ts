import { everyTenant } from '@namehold/base';
import { audit } from '../audit/audit.ts';
import { notFound } from '../errors.ts';
import type { Actor, House } from '../house.ts';
import { deleteNameserver, findNameserver } from './nameserver.sql.ts';

/** From now on its transfers are refused and nobody waits for it. What it serves it goes on serving until its zones expire. */
export async function removeNameserver(house: House, actor: Actor, id: string): Promise<void> {
  await house.db.transaction(everyTenant, async (tx) => {
    const before = await findNameserver(tx, id);
    if (!before) throw notFound(`nameserver ${id}`);
    await deleteNameserver(tx, id);
    await audit(house, tx, actor, {
      action: 'nameserver.removed',
      objectType: 'nameserver',
      objectId: id,
      before,
    });
  });
}

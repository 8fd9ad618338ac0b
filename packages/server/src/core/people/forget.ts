import { everyTenant } from '@namehold/base';
import type { House } from '../house.ts';
import { deleteOldCodes } from './code.sql.ts';
import { deleteOldChallenges } from './factor.sql.ts';
import { deleteOldSessions } from './session.sql.ts';

const keptMs = 30 * 86_400_000;
const rowsAtOnce = 1_000;

/** Sessions and codes that ended long ago; the audit log goes on telling of them. */
export async function forgetSessions(house: House): Promise<void> {
  const before = new Date(house.wall.now().getTime() - keptMs);
  await house.db.transaction(everyTenant, async (tx) => {
    await deleteOldSessions(tx, before, rowsAtOnce);
    await deleteOldCodes(tx, before, rowsAtOnce);
    await deleteOldChallenges(tx, house.wall.now(), rowsAtOnce);
  });
}

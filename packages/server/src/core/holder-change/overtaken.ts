import { everyTenant } from '@namehold/base';
import { lapse } from '../approvals/lapse.ts';
import type { House } from '../house.ts';
import { changesThatWait } from './holder-change.sql.ts';
import { partiesOf } from './parties.ts';

const changesAtOnce = 100;
const roundsPerRun = 20;

/** What cannot be confirmed any more (other data, other names, gone) is over, so that it stands in nobody's way until its time is. */
export async function lapseOvertaken(house: House): Promise<void> {
  const db = house.db.as(everyTenant);
  let after = '';
  for (let round = 0; round < roundsPerRun; round++) {
    const waiting = await changesThatWait(db, { after, limit: changesAtOnce });
    for (const operation of waiting)
      if (!(await partiesOf(house, db, operation)))
        await lapse(house, operation, async (tx, locked) => (await partiesOf(house, tx, locked)) === undefined);
    if (waiting.length < changesAtOnce) return;
    after = waiting.at(-1)!.id;
  }
}

import { clearAlarm, raiseAlarm } from '../core/alarms/alarm.ts';
import { takeTurn } from '../core/jobs/job-lease.sql.ts';
import { verifyLedger as verify } from '../core/ledger/verify.ts';
import type { Job } from './clockwork.ts';

const dayMs = 86_400_000;

/** Once a day, in one of the processes: everything is recomputed from the entries. */
export const verifyLedger: Job = {
  name: 'verify-ledger',
  everyMs: 600_000,
  async run(house) {
    if (!(await takeTurn(house, 'verify-ledger', dayMs))) return;
    const { differences, counts } = await verify(house.db);
    if (differences.length === 0) {
      house.log.info({ counts }, 'the ledger was recomputed and agrees');
      return clearAlarm(house, 'ledger');
    }
    await raiseAlarm(house, {
      key: 'ledger',
      severity: 'critical',
      sentence: `the ledger does not agree with itself: ${differences.length} differences. Run: namehold ledger verify`,
      facts: { differences: differences.slice(0, 20) },
    });
  },
};

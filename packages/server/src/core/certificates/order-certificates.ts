import { everyTenant } from '@namehold/base';
import { clearAlarm, raiseAlarm } from '../alarms/alarm.ts';
import type { House } from '../house.ts';
import { takeTurn } from '../jobs/job-lease.sql.ts';
import { oneAtATime } from '../jobs/one-at-a-time.ts';
import { carryOut } from './carry-out.ts';
import { endingSoon, lookAtForeign, toLookAt } from './certificate.sql.ts';
import { certificateLimits as limits } from './certificate.ts';
import { lookAt, type Round } from './look.ts';
import { ensureHosts } from './mail-host.sql.ts';
import { authoritiesAway, dueOrders, forgetOrders, isAnythingDue, troubledOrders } from './order.sql.ts';

const watchEveryMs = 60_000;
const tidyEveryMs = 3_600_000;
/** So often in a row an order met an authority that is away. */
const troublesOfAlarm = 6;

/** Looks at the names and mail hosts whose time has come, and goes on with the orders that are due. One process at a time does it. */
export async function orderCertificates(house: House): Promise<void> {
  const { authorities, db } = house;
  const { mailHosts } = house.config;
  if (authorities.length === 0) return;
  if (await takeTurn(house, 'certificates-watch', watchEveryMs)) await watch(house);
  if (await takeTurn(house, 'certificates-tidy', tidyEveryMs)) {
    await lookAtForeign(
      db.alone(everyTenant),
      authorities.map(({ name }) => name),
    );
    await forgetOrders(db.alone(everyTenant), limits.ordersKeptDays);
  }
  if (!(await isAnythingDue(db.as(everyTenant), mailHosts))) return;
  await oneAtATime(house, 'certificates', async () => {
    const round = { authorities: await presentAuthorities(house), isSilent: false };
    for (const row of await toLookAt(db.as(everyTenant), mailHosts, limits.atOnce)) await lookAt(house, round, row);
    const due = await dueOrders(db.as(everyTenant), limits.atOnce);
    await Promise.all(due.map((order) => carryOut(house, order)));
  });
}

/** Those that are not away; where all are, any will do, so the first. */
async function presentAuthorities({ authorities, db }: House): Promise<Round['authorities']> {
  const all = authorities as Round['authorities'];
  if (all.length === 1) return all;
  const away = await authoritiesAway(db.as(everyTenant), limits.troublesOfTakeover, limits.takeoverMs);
  const [first, ...others] = all.filter(({ name }) => !away.has(name));
  return first ? [first, ...others] : [all[0]];
}

async function watch(house: House): Promise<void> {
  const { mailHosts } = house.config;
  await ensureHosts(house.db.alone(everyTenant), mailHosts);
  const { count, first } = await endingSoon(house.db.as(everyTenant), mailHosts);
  if (count === 0) await clearAlarm(house, 'certificates-end');
  else
    await raiseAlarm(house, {
      key: 'certificates-end',
      severity: 'critical',
      sentence: `${count} certificates of forwarded names or mail hosts end soon and were not renewed, ${first} among them`,
    });
  const troubled = await troubledOrders(house.db.as(everyTenant), troublesOfAlarm);
  if (troubled.count === 0) await clearAlarm(house, 'certificate-authority');
  else
    await raiseAlarm(house, {
      key: 'certificate-authority',
      severity: 'warning',
      sentence: `${troubled.count} orders of certificates do not get on: ${troubled.reason}`,
    });
}

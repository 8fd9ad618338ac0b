import { allTenants } from '@namehold/postgres';
import { clearAlarm, raiseAlarm } from '../alarms/alarm.ts';
import type { AppContext } from '../app-context.ts';
import { claimRun } from '../jobs/job-lease.sql.ts';
import { withJobLease } from '../jobs/with-job-lease.ts';
import { certificatesToCheck, endingSoon, scheduleForeignChecks } from './certificate.sql.ts';
import { certificateLimits as limits } from './certificate.ts';
import { checkCertificate, type Round } from './check-certificate.ts';
import { ensureHosts } from './mail-host.sql.ts';
import {
  authoritiesAway,
  dueOrders,
  failingOrders,
  fullestBudget,
  isAnythingDue,
  purgeCertificateOrders,
} from './order.sql.ts';
import { processOrder } from './process-order.ts';

const watchEveryMs = 60_000;
const tidyEveryMs = 3_600_000;
/** Consecutive attempts of an order that found the authority unreachable. */
const failuresBeforeAlarm = 6;
const accountsShown = 5;

/** Checks the domains and mail hosts that are due and processes due orders. Runs in one process at a time. */
export async function orderCertificates(ctx: AppContext): Promise<void> {
  const { authorities, db } = ctx;
  const { mailHosts } = ctx.config;
  if (authorities.length === 0) return;
  if (await claimRun(ctx, 'certificates-watch', watchEveryMs)) await watch(ctx);
  if (await claimRun(ctx, 'certificates-tidy', tidyEveryMs)) {
    await scheduleForeignChecks(
      db.autocommit(allTenants),
      authorities.map(({ name }) => name),
    );
    await purgeCertificateOrders(db.autocommit(allTenants), limits.ordersKeptDays);
  }
  if (!(await isAnythingDue(db.as(allTenants), mailHosts))) return;
  await withJobLease(ctx, 'certificates', async () => {
    const round = { authorities: await presentAuthorities(ctx), isUnreachable: false };
    for (const row of await certificatesToCheck(db.as(allTenants), mailHosts, limits.atOnce))
      await checkCertificate(ctx, round, row);
    const due = await dueOrders(db.as(allTenants), limits.atOnce);
    await Promise.all(due.map((order) => processOrder(ctx, order)));
  });
}

/** The reachable authorities; if none is reachable, the first. */
async function presentAuthorities({ authorities, db }: AppContext): Promise<Round['authorities']> {
  const all = authorities as Round['authorities'];
  if (all.length === 1) return all;
  const away = await authoritiesAway(db.as(allTenants), limits.failuresBeforeTakeover, limits.takeoverMs);
  const [first, ...others] = all.filter(({ name }) => !away.has(name));
  return first ? [first, ...others] : [all[0]];
}

async function watch(ctx: AppContext): Promise<void> {
  const { mailHosts } = ctx.config;
  await ensureHosts(ctx.db.autocommit(allTenants), mailHosts);
  const { count, first } = await endingSoon(ctx.db.as(allTenants), mailHosts);
  if (count === 0) await clearAlarm(ctx, 'certificates-end');
  else
    await raiseAlarm(ctx, {
      key: 'certificates-end',
      severity: 'critical',
      sentence: `${count} certificates of forwarded domains or mail hosts end soon and were not renewed, ${first} among them`,
    });
  const fullest = await fullestBudget(ctx.db.as(allTenants), accountsShown);
  if (!fullest || fullest.count < limits.ordersInThreeHours * limits.alarmShare)
    await clearAlarm(ctx, 'certificate-budget');
  else
    await raiseAlarm(ctx, {
      key: 'certificate-budget',
      severity: 'warning',
      sentence: `${fullest.count} of ${limits.ordersInThreeHours} certificate orders of three hours are used up at ${fullest.authority}: new forwarded domains wait for HTTPS`,
      facts: { accounts: fullest.accounts },
    });
  const failing = await failingOrders(ctx.db.as(allTenants), failuresBeforeAlarm);
  if (failing.count === 0) await clearAlarm(ctx, 'certificate-authority');
  else
    await raiseAlarm(ctx, {
      key: 'certificate-authority',
      severity: 'warning',
      sentence: `${failing.count} certificate orders are failing: ${failing.reason}`,
    });
}

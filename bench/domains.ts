import { parseArgs } from 'node:util';
import { measureAvailability } from './domains/availability.ts';
import { makeBuyers } from './domains/buyers.ts';
import { measureDrain } from './domains/drain.ts';
import { measureGrowth } from './domains/growth.ts';
import { measureInvoices } from './domains/invoices.ts';
import { measureLedger } from './domains/ledger-rate.ts';
import { costOfOrders, rateOfOrders } from './domains/orders.ts';
import { rounded, show } from './domains/rate.ts';
import { measureReads } from './domains/reads.ts';
import { measureSessions } from './domains/sessions.ts';
import { openStage } from './domains/stage.ts';
import { measureStatements } from './domains/statements.ts';

/**
 * Registrations in one table: statements, flushes and milliseconds each, then how many a second with 1, 2 and 3 processes, beside what the ledger and the registry alone do in the same run; fifty names in one look; reads and
 * lists as the number of domains grows; how fast the queue drains after an outage; statements as the number of entries grows; invoices
 * a second as a ratio to the ledger alone. `--domains 1000000` and
 * `--entries 1000000` for the large run; `--only growth --names 1000000` copies whole registrations and takes 13 GB for a while (and `--unverified` where the comparison of
 * the books over all of them, some 1 ms a name, is not wanted), and with `--bare` copies no journal, no audit and no events, so that ten million names take 60 GB. `--only sessions`: the same orders at
 * one process and at three, with one session and with two at the registry. `--postgres /usr/lib/postgresql/15/bin`: `cost` and `orders` on that server, because the embedded one is built for size. `--only orders --share 0.2`: each process has a fifth of a core, so that the database has room.
 */
const { values } = parseArgs({
  options: {
    orders: { type: 'string', default: '1000' },
    domains: { type: 'string', default: '100000' },
    drained: { type: 'string', default: '300' },
    resellers: { type: 'string', default: '10' },
    entries: { type: 'string', default: '100000' },
    invoices: { type: 'string', default: '5000' },
    names: { type: 'string', default: '100000' },
    unverified: { type: 'boolean', default: false },
    bare: { type: 'boolean', default: false },
    checks: { type: 'string', default: '100' },
    counted: { type: 'string', default: '100' },
    shared: { type: 'string', default: '60' },
    share: { type: 'string' },
    postgres: { type: 'string' },
    only: { type: 'string', default: 'cost,orders,availability,reads,drain,statements,invoices' },
  },
});
const wanted = new Set(values.only.split(','));
const [orders, largest, drained] = [Number(values.orders), Number(values.domains), Number(values.drained)];

// To count costs time: what is measured in seconds has a stage of its own.
const table = {
  ...(wanted.delete('cost') ? await costOfOrders(Number(values.counted), values.postgres) : {}),
  ...(wanted.delete('orders')
    ? await rateOfOrders(Number(values.resellers), {
        postgres: values.postgres,
        ...(values.share === undefined ? {} : { share: Number(values.share) }),
      })
    : {}),
};
if (Object.keys(table).length > 0) console.table(table);
if (wanted.size > 0) await measureOthers();

async function measureOthers(): Promise<void> {
  // Indexes over ten million rows are built in memory, and the log of them is not written twice.
  const stage = await openStage(
    wanted.has('growth') ? { settings: { maintenance_work_mem: '1GB', max_wal_size: '8GB' } } : {},
  );
  try {
    const buyers = await makeBuyers(stage, Number(values.resellers));
    const report: Record<string, unknown> = {};
    if (wanted.has('availability'))
      report.availability_of_50 = show(await measureAvailability(stage, buyers[0]!, Number(values.checks)));
    if (wanted.has('drain')) report.drain_after_outage = await measureDrain(stage, buyers, drained);
    if (wanted.has('reads')) {
      const sizes = [10_000, 100_000, 1_000_000].filter((size) => size < largest);
      const rows: object[] = [];
      for (const size of [...sizes, largest]) rows.push(await measureReads(stage, buyers[0]!, size));
      report.reads = rows;
    }
    if (wanted.has('statements')) {
      const most = Number(values.entries);
      const rows: object[] = [];
      for (const size of [10_000, 100_000, 1_000_000].filter((each) => each <= most))
        rows.push(await measureStatements(stage, buyers[0]!, size));
      report.statements = rows;
    }
    if (wanted.has('sessions')) console.table(await measureSessions(stage, buyers, Number(values.shared)));
    if (wanted.has('growth'))
      report.growth = await measureGrowth(stage, buyers, Number(values.names), {
        isBare: values.bare,
        isVerified: !values.unverified && !values.bare,
      });
    if (wanted.has('invoices')) {
      const floor = await measureLedger(stage, buyers, orders);
      const { perSecond, shown } = await measureInvoices(stage, buyers, Number(values.invoices));
      report.invoices = {
        ...shown,
        ledger_hold_and_capture: show(floor),
        to_ledger: rounded(perSecond / floor.perSecond, 3),
      };
    }
    process.stdout.write(`${JSON.stringify(report, null, 2)}\n`);
  } finally {
    await stage.stop();
  }
}

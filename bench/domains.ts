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
 * Benchmarks of domains. Registrations: statements, flushes and milliseconds each, and the rate with 1, 2 and 3 processes, compared with
 * the ledger alone and the registry alone in the same run. Checks of fifty names. Reads and lists as the number of domains grows.
 * Draining the queue after an outage. Statements as the number of entries grows. Invoices a second as a ratio to the ledger alone.
 * `--domains 1000000` and `--entries 1000000`: the large run. `--only growth --names 1000000`: copies whole registrations and
 * temporarily takes 13 GB; with `--unverified` without reconciliation of all of them, which takes about 1 ms a name; with `--bare`
 * without journal, audit log and events, so that ten million names take 60 GB. `--only sessions`: the same orders at one process and at
 * three, with one registry session and with two. `--postgres /usr/lib/postgresql/15/bin`: `cost` and `orders` on that server, because
 * the embedded one is built for size. `--only orders --share 0.2`: each process has a fifth of a core, so that the database has the
 * rest.
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

// Counting statements costs time: measurements in seconds have a stage of their own.
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
  // Indexes over ten million rows are built in memory and not written to the WAL.
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

import { parseArgs } from 'node:util';
import { measureAvailability } from './domains/availability.ts';
import { makeBuyers } from './domains/buyers.ts';
import { measureCost } from './domains/cost.ts';
import { measureDrain } from './domains/drain.ts';
import { measureGrowth } from './domains/growth.ts';
import { measureInvoices } from './domains/invoices.ts';
import { measureLedger } from './domains/ledger-rate.ts';
import { rounded, show } from './domains/rate.ts';
import { measureReads } from './domains/reads.ts';
import { measureRegistrations } from './domains/registrations.ts';
import { measureRegistry } from './domains/registry-rate.ts';
import { measureSessions } from './domains/sessions.ts';
import { openStage } from './domains/stage.ts';
import { measureStatements } from './domains/statements.ts';

/**
 * What an order asks of PostgreSQL, statement by statement; registrations a second end to end as a ratio to what the ledger and the registry alone do in the same run; fifty names in one look; reads and
 * lists as the number of domains grows; how fast the queue drains after an outage; statements as the number of entries grows; invoices
 * a second as a ratio to the ledger alone. `--domains 1000000` and
 * `--entries 1000000` for the large run; `--only growth --names 1000000` copies whole registrations and takes 13 GB for a while. `--only sessions`: the same orders at
 * one process and at three, with one session and with two at the registry.
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
    checks: { type: 'string', default: '100' },
    counted: { type: 'string', default: '100' },
    shared: { type: 'string', default: '60' },
    only: { type: 'string', default: 'cost,registrations,availability,reads,drain,statements,invoices' },
  },
});
const wanted = new Set(values.only.split(','));
const [orders, largest, drained] = [Number(values.orders), Number(values.domains), Number(values.drained)];

if (wanted.has('cost')) await showCost(Number(values.counted));
// To count costs time: what is measured in seconds has a stage of its own.
const stage = await openStage();
try {
  const buyers = await makeBuyers(stage, Number(values.resellers));
  const report: Record<string, unknown> = {};
  if (wanted.has('registrations')) {
    const ledger = await measureLedger(stage, buyers, orders * 2);
    const registry = await measureRegistry(stage.registry(), orders);
    const registrations = await measureRegistrations(stage, buyers, orders);
    report.ledger_hold_and_capture = show(ledger);
    report.sandbox_creates = show(registry);
    report.registrations = show(registrations);
    report.registrations_to_ledger = rounded(registrations.perSecond / ledger.perSecond, 3);
    report.registrations_to_sandbox = rounded(registrations.perSecond / registry.perSecond, 3);
  }
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
  if (wanted.has('growth')) report.growth = await measureGrowth(stage, buyers, Number(values.names));
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

async function showCost(orders: number): Promise<void> {
  const counted = await openStage({ countStatements: true });
  try {
    const { by_statement, ...sums } = await measureCost(counted, await makeBuyers(counted, 4), orders);
    console.table(by_statement);
    console.table({ 'an order': sums });
  } finally {
    await counted.stop();
  }
}

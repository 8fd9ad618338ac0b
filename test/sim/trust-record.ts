import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Tally } from '../faults/world.ts';
import type { Matter } from './oracle/disagreement.ts';

const file = fileURLToPath(new URL('../recorded-results/10-promise.json', import.meta.url));
export const withinMs = 60_000;

/** The totals of all runs; a later run adds to them. */
interface TrustRecord {
  nextSeed: number;
  minutes: number;
  scripts: number;
  /** Ended by the test environment, such as a process that did not start in time: not evaluated. */
  brokenOff: number;
  orders: number;
  deposits: number;
  settled: number;
  settledInTime: number;
  slowestMs: number;
  differenceCents: number;
  /** Load average of the machine, at its highest. */
  highestLoad: number;
  readonly firstRun: string;
  readonly tally: Tally;
  readonly disagreements: { readonly seed: number; readonly matter: Matter; readonly said: string }[];
}

const noTally: Tally = {
  kills: 0,
  pauses: 0,
  databaseDeaths: 0,
  databaseFreezes: 0,
  clockJumps: 0,
  clockMoves: 0,
  registryFaults: 0,
  lateCommands: 0,
};

const today = () => new Date().toISOString().slice(0, 10);

export const newRecord = (): TrustRecord => ({
  nextSeed: 1,
  minutes: 0,
  scripts: 0,
  brokenOff: 0,
  orders: 0,
  deposits: 0,
  settled: 0,
  settledInTime: 0,
  slowestMs: 0,
  differenceCents: 0,
  highestLoad: 0,
  firstRun: today(),
  tally: { ...noTally },
  disagreements: [],
});

export function readRecord(): TrustRecord {
  const { record } = JSON.parse(readFileSync(file, 'utf8')) as { record?: TrustRecord };
  return record ?? newRecord();
}

/** The section of docs/operate/test-results.md, with the record from which the next run continues. */
export function writeRecord(record: TrustRecord, command: string): void {
  const { tally, disagreements } = record;
  const share = (100 * record.settledInTime) / Math.max(1, record.settled);
  const rows: [string, string][] = [
    ['scripts, each from its own seed', String(record.scripts)],
    ['orders', String(record.orders)],
    ['deposits and debit notes', String(record.deposits)],
    ['faults set at the registry', String(tally.registryFaults)],
    ['commands held and delivered late', String(tally.lateCommands)],
    ['service processes killed', String(tally.kills)],
    ['service processes paused', String(tally.pauses)],
    ['database killed', String(tally.databaseDeaths)],
    ['database suspended', String(tally.databaseFreezes)],
    ['jumps of a host clock', String(tally.clockJumps)],
    ['moves of the business clock, with and without open orders', String(tally.clockMoves)],
    ['scripts in which the oracle disagreed', String(disagreements.length)],
    ['of these about money (lost or doubled)', String(disagreements.filter(({ matter }) => matter === 'money').length)],
    ['money difference', (record.differenceCents / 100).toFixed(2)],
    ['slowest settlement after the end of the faults, seconds', (record.slowestMs / 1_000).toFixed(1)],
    ['orders settled within 60 s of the end of the faults', `${share.toFixed(2)} % of ${record.settled}`],
    ['scripts stopped by the test environment, not evaluated', String(record.brokenOff)],
  ];
  const section = {
    title: 'Money and domains under injected faults',
    about:
      'Three resellers in a chain place orders of every kind at two service processes. Registries stay silent, answer late or return false answers. Processes are killed and paused, the database is killed and suspended, clocks jump, and time passes while orders are open. After each round a test oracle with its own price table, calendar and grace periods compares the balances of every level and the domains with the registry. `namehold verify` compares the other sources.',
    command,
    date: today(),
    columns: ['measure', 'count'],
    rows,
    limits: [
      `Runs since ${record.firstRun} add up to ${Math.round(record.minutes)} minutes, on a machine with a load average of up to ${record.highestLoad}; the next one starts at seed ${record.nextSeed}. \`--fresh\` starts again.`,
      `Target: 10,000 orders; so far ${record.orders}.`,
      ...disagreements.map(({ seed, matter, said }) => `Seed ${seed} disagreed (${matter}): ${said}`),
    ],
    record,
  };
  writeFileSync(file, `${JSON.stringify(section, null, 2)}\n`);
}

import { writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import type { Tally, World } from '../faults/world.ts';
import { drawn, playScripts } from './run.ts';
import { printed } from './script.ts';

/** The long run behind docs/operate/trust.md: plays seeds until there were so many orders or the time is over, and writes down what came of it. */
const { values } = parseArgs({
  options: {
    orders: { type: 'string', default: '10000' },
    minutes: { type: 'string', default: '600' },
    seed: { type: 'string', default: '1' },
  },
});
const target = Number(values.orders);
const until = performance.now() + Number(values.minutes) * 60_000;
const file = fileURLToPath(new URL('../trust/10-promise.json', import.meta.url));
const withinMs = 60_000;

const sum = { seeds: 0, orders: 0, deposits: 0, disagreements: 0, cents: 0 };
const settlements: number[] = [];
const tallies = new Map<World, Tally>();

function* seeds(): Generator<number> {
  for (let seed = Number(values.seed); sum.orders < target && performance.now() < until; seed++) yield seed;
}

for await (const { seed, script, failure, orders, deposits, settlementsMs, ground } of playScripts(drawn(seeds()))) {
  sum.seeds += 1;
  sum.orders += orders;
  settlements.push(...settlementsMs);
  sum.deposits += deposits;
  tallies.set(ground.world, ground.world.tally);
  if (failure !== undefined) {
    sum.disagreements += 1;
    sum.cents += Math.abs(failure.cents);
    console.log(`seed ${seed}: ${failure.message}\n${printed(script)}`);
  }
  if (sum.seeds % 5 === 0) console.log(`${new Date().toISOString()} ${JSON.stringify(sum)}`);
  write();
}

function total(of: keyof Tally): string {
  return String([...tallies.values()].reduce((all, tally) => all + tally[of], 0));
}

function write(): void {
  const inTime = settlements.filter((ms) => ms <= withinMs).length;
  const rows: [string, string][] = [
    ['seeds', String(sum.seeds)],
    ['orders', String(sum.orders)],
    ['deposits and debit notes', String(sum.deposits)],
    ['faults set at the registry', total('registryFaults')],
    ['commands held and delivered late', total('lateCommands')],
    ['service processes killed', total('kills')],
    ['service processes paused', total('pauses')],
    ['deaths of the database', total('databaseDeaths')],
    ['freezes of the database', total('databaseFreezes')],
    ['jumps of a host clock', total('clockJumps')],
    ['moves of the business clock, orders open or not', total('clockMoves')],
    ['scripts in which the judge disagreed (lost, doubled, wrong date or not settled)', String(sum.disagreements)],
    ['money difference', (sum.cents / 100).toFixed(2)],
    ['slowest settlement after the end of the faults, seconds', (Math.max(0, ...settlements) / 1_000).toFixed(1)],
    [
      'settled within 60 s of the end of the faults',
      `${((100 * inTime) / Math.max(1, settlements.length)).toFixed(1)} %`,
    ],
  ];
  const section = {
    title: 'Money and names, under directed faults',
    about:
      'Orders of every verb at two service processes, with silent, late and lying registries, processes killed and paused, a database that dies and freezes, clocks that jump and time that passes while orders are open. After each round a judge with a price table and a calendar of its own compares the balance and the names with the record of the registry.',
    command: `node test/sim/trust.ts --orders ${values.orders} --minutes ${values.minutes} --seed ${values.seed}`,
    date: new Date().toISOString().slice(0, 10),
    columns: ['what', 'how many'],
    rows,
    limits: [
      'Repeat a single one with `SIM_SEEDS=<seed> npm test test/sim`.',
      'An order that does not settle, or waits for a person, is a disagreement and not among the settlements.',
      `Aim: 10,000 orders; this run had ${sum.orders}.`,
    ],
  };
  writeFileSync(file, `${JSON.stringify(section, null, 2)}\n`);
}

import { loadavg } from 'node:os';
import { parseArgs } from 'node:util';
import type { Installation, Tally } from '../faults/world.ts';
import { read } from './facts.ts';
import type { Order } from './order.ts';
import { drawn, playScripts } from './run.ts';
import { printed } from './script.ts';
import { newRecord, readRecord, withinMs, writeRecord } from './trust-record.ts';
import type { Ground } from './worlds.ts';

/** The long run behind docs/operate/test-results.md: runs seeds until the given number of orders or time, and adds to the record. */
const { values } = parseArgs({
  options: {
    orders: { type: 'string', default: '10000' },
    minutes: { type: 'string', default: '600' },
    /** Names of a script: they wait together. */
    names: { type: 'string', default: '30' },
    fresh: { type: 'boolean', default: false },
  },
});
const command = `npm run test:simulation -- --orders ${values.orders} --minutes ${values.minutes} --names ${values.names}`;
const record = values.fresh ? newRecord() : readRecord();
const started = performance.now();
const minutesBefore = record.minutes;
const until = started + Number(values.minutes) * 60_000;
const isOver = () => record.orders >= Number(values.orders) || performance.now() > until;
const scriptsPerGround = 4;
const brokenAtMost = 20;

function* seeds(): Generator<number> {
  while (!isOver()) {
    const seed = record.nextSeed;
    record.nextSeed += 1;
    yield seed;
  }
}

const seen = new WeakMap<Installation, Tally>();
function addTally(installation: Installation): void {
  const before = seen.get(installation);
  for (const key of Object.keys(installation.tally) as (keyof Tally)[])
    record.tally[key] += installation.tally[key] - (before?.[key] ?? 0);
  seen.set(installation, { ...installation.tally });
}

/** For an analysis: each order that took longer than promised, with its own record. */
async function tellLate({ installation, ledger }: Ground): Promise<void> {
  const isLate = ({ name, settledMs = 0 }: Order) => settledMs > withinMs && ledger.names.includes(name);
  for (const { operationId, buyer, verb, name, settledMs = 0 } of ledger.orders.filter(isLate)) {
    const { body } = await read(installation, `/v1/operations/${operationId}`, buyer.caller);
    console.log(`late by ${Math.round(settledMs - withinMs)} ms: ${verb} ${name} ${JSON.stringify(body)}`);
  }
}

async function play(): Promise<void> {
  for await (const result of playScripts(drawn(seeds(), Number(values.names)), { scriptsPerGround })) {
    const { seed, script, failure, settlementsMs, ground } = result;
    record.scripts += 1;
    record.orders += result.orders;
    record.deposits += result.deposits;
    record.settled += settlementsMs.length;
    record.settledInTime += settlementsMs.filter((ms) => ms <= withinMs).length;
    record.slowestMs = Math.max(record.slowestMs, ...settlementsMs);
    addTally(ground.installation);
    await tellLate(ground);
    if (failure !== undefined) {
      record.differenceCents += Math.abs(failure.cents);
      const [firstLine = ''] = failure.message.split('\n');
      record.disagreements.push({ seed, matter: failure.matter, said: firstLine });
      console.log(`seed ${seed}: ${failure.matter}: ${failure.message}\n${printed(script)}`);
    }
    record.highestLoad = Math.max(record.highestLoad, Math.round(loadavg()[0] ?? 0));
    record.minutes = minutesBefore + (performance.now() - started) / 60_000;
    const { scripts, orders, disagreements } = record;
    console.log(
      `${new Date().toISOString()} seed ${seed}: ${scripts} scripts, ${orders} orders, ${disagreements.length} disagreements`,
    );
    writeRecord(record, command);
  }
}

while (!isOver() && record.brokenOff < brokenAtMost) {
  try {
    await play();
  } catch (error) {
    record.brokenOff += 1;
    console.log(`broken off before seed ${record.nextSeed}: ${(error as Error).stack}`);
  }
}

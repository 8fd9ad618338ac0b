import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { allTenants, sql } from '@namehold/postgres';
import { verifyLedger } from '../packages/server/src/core/ledger/verify.ts';
import { makeBuyers } from './domains/buyers.ts';
import { openStage, type Stage } from './domains/stage.ts';
import { type LoadRamp, runStep, type Step } from './load-ramp/step.ts';

/**
 * Load grows step by step until the first promise breaks. Then it stops, and recovery is checked: full recovery, and nothing lost. Ends
 * at a broken promise, at the last step, or at its time limit.
 */
const { values } = parseArgs({
  options: {
    start: { type: 'string', default: '50' },
    by: { type: 'string', default: '50' },
    steps: { type: 'string', default: '30' },
    'step-ms': { type: 'string', default: '5000' },
    buyers: { type: 'string', default: '10' },
    /** `broken`: ends with the first broken promise. `refused`: continues past promises about time, until load is shed. */
    until: { type: 'string', default: 'broken' },
    'limit-ms': { type: 'string', default: '420000' },
  },
});
const number = (name: keyof typeof values) => Number(values[name]);
const goesOn = values.until === 'refused';

/** Each with its limit (docs/operate/test-results.md, rows 1, 2 and 4). */
const promises: readonly { name: string; isBroken(step: Step): string | undefined }[] = [
  { name: 'no answer is an error of ours', isBroken: ({ errors }) => (errors > 0 ? `${errors} errors` : undefined) },
  {
    name: 'every answer comes within 10 s',
    isBroken: ({ unanswered }) => (unanswered > 0 ? `${unanswered} without an answer` : undefined),
  },
  {
    name: 'every refusal has Retry-After',
    isBroken: ({ rude }) => (rude > 0 ? `${rude} refusals without Retry-After` : undefined),
  },
  {
    name: '95 of 100 reads within 60 ms',
    isBroken: ({ readP95Ms }) => (readP95Ms > 60 ? `${readP95Ms.toFixed(0)} ms` : undefined),
  },
  {
    name: '95 of 100 registrations within 1 s',
    isBroken: ({ buyP95Ms }) => (buyP95Ms > 1_000 ? `${buyP95Ms.toFixed(0)} ms` : undefined),
  },
  {
    name: 'no tick of the main thread over 50 ms of processor time',
    isBroken: ({ worstTurnMs }) => (worstTurnMs > 50 ? `${worstTurnMs.toFixed(0)} ms` : undefined),
  },
];

const stage = await openStage({ stallMeter: true });
let isWhole = false;
try {
  const ramp: LoadRamp = { stage, buyers: await makeBuyers(stage, number('buyers')), bought: new Map(), next: 0 };
  // The first step is a warm-up and does not count.
  await runStep(ramp, number('start'), number('step-ms'));
  const ends = performance.now() + number('limit-ms');
  const table: object[] = [];
  let broken: string | undefined;
  let isOver = false;
  for (let n = 0; n < number('steps') && !isOver && performance.now() < ends; n++) {
    const rate = number('start') + n * number('by');
    const step = await runStep(ramp, rate, number('step-ms'));
    table.push(shown(step));
    const found = promises
      .map((promise) => ({ promise, how: promise.isBroken(step) }))
      .find(({ how }) => how !== undefined);
    if (found) broken ??= `at ${rate} requests a second: "${found.promise.name}" breaks (${found.how})`;
    const isWrong = step.errors + step.unanswered + step.rude > 0;
    isOver = goesOn ? isWrong || step.refused > 0 : found !== undefined;
    if (goesOn && isOver)
      console.log(
        `at ${rate} requests a second: ${step.refused} refused with Retry-After, ${step.rude} without, ${step.errors} errors, ${step.unanswered} without an answer in 10 s`,
      );
  }
  console.table(table);
  console.log(broken ?? 'no promise broke within the steps and the time of this run');
  console.log(await recovery(ramp));
  const lost = await whatIsLost(ramp);
  isWhole = lost.length === 0;
  console.log(
    isWhole ? `nothing was lost: ${ramp.bought.size} orders are each there once and paid once` : lost.join('\n'),
  );
} finally {
  await stage.stop();
}
process.exit(isWhole ? 0 : 1);

function shown(step: Step) {
  return {
    'asked/s': step.rate,
    'answered/s': Number(step.perSecond.toFixed(0)),
    'read p95 ms': Number(step.readP95Ms.toFixed(1)),
    'buy p95 ms': Number(step.buyP95Ms.toFixed(0)),
    refused: step.refused,
    errors: step.errors,
    'worst tick ms': Number(step.worstTurnMs.toFixed(0)),
  };
}

/** Every request is served again, without the load. */
async function recovery({ stage: { call }, buyers }: LoadRamp): Promise<string> {
  const began = performance.now();
  for (let inRow = 0; inRow < 20; ) {
    const { status } = await call(buyers[0]!.credentials, 'GET', '/v1/account/profile').catch(() => ({ status: 0 }));
    inRow = status === 200 ? inRow + 1 : 0;
    if (performance.now() - began > 120_000) return 'not recovered after 120 s';
    await sleep(20);
  }
  return `recovered: 20 requests in a row were served within ${((performance.now() - began) / 1_000).toFixed(1)} s after the load ended`;
}

/** The answers were true, and the money agrees. */
async function whatIsLost({ stage: at, bought }: LoadRamp): Promise<string[]> {
  const lost: string[] = [];
  const open = () => openOperations(at);
  for (let waited = 0; (await open()) > 0 && waited < 120_000; waited += 500) await sleep(500);
  const left = await open();
  if (left > 0) lost.push(`${left} operations have not ended`);
  const rows = await at.ctx.db.as(allTenants).many<{ name: string; n: number }>(sql`
    select name, count(*)::integer as n from domain where name like 'climb-%' and state = 'live' group by name`);
  const held = new Map(rows.map(({ name, n }) => [name, n]));
  for (const [name, status] of bought) {
    const count = held.get(name) ?? 0;
    if (count > 1) lost.push(`${name} is there ${count} times`);
    if (status === 200 && count === 0) lost.push(`${name} was answered with 200 and does not exist`);
  }
  const { differences } = await verifyLedger(at.ctx.db);
  lost.push(...differences.map((difference) => `ledger: ${JSON.stringify(difference)}`));
  return lost.slice(0, 20);
}

async function openOperations({ ctx }: Stage): Promise<number> {
  const { n } = await ctx.db
    .as(allTenants)
    .one<{ n: number }>(sql`select count(*)::integer as n from operation where finished_at is null`);
  return n;
}

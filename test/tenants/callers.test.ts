import { afterAll, beforeAll, expect, test } from 'vitest';
import { userLimits } from '../../packages/server/src/core/users/user.ts';
import { guessLimits } from '../../packages/server/src/http/guess-throttle.ts';
import { buildOpenApi } from '../../packages/server/src/http/openapi/document.ts';
import { routes } from '../../packages/server/src/http/v1/index.ts';
import { mixed } from '../sim/seeds.ts';
import { startTestService, type TestService } from '../support/service.ts';
import { times } from '../support/times.ts';
import { type Callers, openCallers } from './callers.ts';
import { operationsOf } from './operations.ts';
import { CallerTrial, noTally } from './try-callers.ts';

const operations = operationsOf(JSON.parse(JSON.stringify(buildOpenApi(routes))) as { paths: object });
/** A part of the operations, others with each commit; the long run tries all. */
const tried = mixed(operations).slice(0, Math.ceil(operations.length / times(5, 1)));

const limits = { guessLimits: { ...guessLimits }, userLimits: { ...userLimits } };
const noLimit = 1_000_000;
let t: TestService;
let callers: Callers;
beforeAll(async () => {
  // Limits on guessing are off here, so that each refusal comes from authorisation; rate-limits.test.ts tests the limits.
  Object.assign(guessLimits, { perNetwork: noLimit, perReseller: noLimit } satisfies Partial<typeof guessLimits>);
  Object.assign(userLimits, {
    guesses: noLimit,
    guessesFromUnknown: noLimit,
    codeGuessesOfBrowsers: noLimit,
    recoveryRequests: noLimit,
    recoveryRequestsOfAddress: noLimit,
  } satisfies Partial<typeof userLimits>);
  // Without background jobs, every change of the database comes from a request.
  t = await startTestService({ sandbox: true, jobs: [], env: { NAMEHOLD_WAIT_MS: '200' } });
  callers = await openCallers(t);
});
afterAll(async () => {
  Object.assign(guessLimits, limits.guessLimits);
  Object.assign(userLimits, limits.userLimits);
  await t.stop();
});

test('changes nothing for refused callers with correct bodies and without rate limits', async () => {
  const all = { ...noTally };
  const problems: string[] = [];
  for (const kind of callers.kinds) {
    const trial = await new CallerTrial(t, callers, kind).run(tried);
    problems.push(...trial.problems);
    for (const key of Object.keys(all) as (keyof typeof all)[]) all[key] += trial.tally[key];
  }
  console.log(`callers: ${callers.kinds.length} kinds, ${tried.length} operations, ${JSON.stringify(all)}`);
  expect(problems).toEqual([]);
  expect(all.unreached).toBe(0);
  expect(all.refusedWrites).toBeGreaterThan(tried.length * 4);
});

test('detects a caller that gets through, and the table that it changed', async () => {
  const { victim } = callers;
  const kind = { name: 'the account itself', by: { as: victim.credentials }, isOwn: true, may: () => false };
  const trial = new CallerTrial(t, callers, kind);
  await trial.run(operations.filter(({ method, template }) => method === 'POST' && template === '/customers'));
  expect(trial.problems).toEqual([
    expect.stringContaining('POST /customers: 200'),
    expect.stringMatching(/^the account itself: refused calls changed .*\bcustomer\b/),
  ]);
});

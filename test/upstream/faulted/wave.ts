import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'vitest';
import { orderOf } from '../../namehold-upstream/chain.ts';
import { authCode } from '../simulators/upstreams.ts';
import type { Installation, OpenOperation } from './installation.ts';
import type { PlannedOrder } from './plan.ts';

/** What happens in each wave besides the faults of its orders. */
export const troubles = ['restart', 'none', 'block', 'outage', 'none'] as const;

interface Wave {
  readonly planned: readonly PlannedOrder[];
  readonly trouble: (typeof troubles)[number];
  readonly seed: number;
  /** The share of the orders that are placed before the trouble begins. */
  readonly begins: number;
}

const atOnce = 64;
const settledWithinMs = 300_000;
/** Operations that are due within this time are run together. */
const togetherMs = 1_500;
const waitLimitMs = 300_000;

/** Places the orders while the upstream is in trouble, and ends the trouble when each order was tried. */
export async function runWave(installation: Installation, { planned, trouble, seed, begins }: Wave): Promise<void> {
  const { upstream } = installation;
  for (const { fault } of planned) await upstream.inject(fault);
  await upstream.disturb('queries', seed);
  const first = Math.floor(planned.length * begins);
  let next = 0;
  let begun: Promise<unknown> | undefined;
  const begin = async () => {
    if (trouble === 'restart') await installation.restart();
    else if (trouble !== 'none') await upstream.disturb(trouble, seed);
  };
  const work = async () => {
    for (let place = next++; place < planned.length; place = next++) {
      // A failed start is reported below, after the orders have given up.
      if (place === first) begun = begin().catch((error: unknown) => error);
      await order(installation, planned[place]!);
    }
  };
  const placed = await Promise.allSettled(Array.from({ length: atOnce }, work));
  const failed = (await begun) ?? placed.find(({ status }) => status === 'rejected');
  if (failed !== undefined) throw failed instanceof Error ? failed : (failed as PromiseRejectedResult).reason;
  await until(installation, wasTried);
  await upstream.heal(() => installation.nudge());
}

async function order(installation: Installation, { verb, name }: PlannedOrder): Promise<void> {
  const { upstream } = installation;
  const key = `${verb}-${name}-${installation.nextKey()}`;
  const invoice = { invoice_option: 'no_invoice' };
  const expected = [200, 202, 400, 402, 409, 503];
  const send = async (method: string, path: string, form: Record<string, string>) => {
    const called = await installation.order(method, `/v1/domains${path}`, form, key);
    expect(expected, `${verb} ${name}: ${JSON.stringify(called.body)}`).toContain(called.status);
  };
  if (verb === 'transfer') await upstream.addElsewhere(name);
  switch (verb) {
    case 'register':
      return send('POST', '', orderOf(name));
    case 'transfer':
      return send('POST', '/transfer', { ...orderOf(name), auth_code: authCode });
    case 'renew': {
      const { body } = await installation.read(`/v1/domains/${name}`);
      return send('POST', `/${name}/renew`, { years: '1', current_date: body.end_date, ...invoice });
    }
    case 'delete':
      return send('DELETE', `/${name}`, {});
    case 'restore':
      return send('POST', `/${name}/restore`, invoice);
  }
}

const isIdle = ({ is_running: isRunning, due_ms: dueMs }: OpenOperation): boolean => !isRunning && dueMs > 0;
/** During an outage operations are due again and again. */
const wasTried = ({ attempts, is_running: isRunning }: OpenOperation): boolean =>
  attempts > 1 || (attempts === 1 && !isRunning);

async function until(
  installation: Installation,
  condition: (each: OpenOperation) => boolean,
): Promise<OpenOperation[]> {
  for (let waited = 0; waited < waitLimitMs; waited += 100) {
    const open = await installation.open();
    if (open.every(condition)) return open;
    await sleep(100);
  }
  throw new Error(`operations stay due: ${JSON.stringify((await installation.open()).slice(0, 20))}`);
}

/** Orders at the upstream have ended, and the service has read its messages. */
async function upstreamSettled(installation: Installation): Promise<void> {
  for (let waited = 0; waited < waitLimitMs; waited += 100) {
    if (await installation.upstream.settle(() => installation.nudge())) return;
    await sleep(100);
  }
  throw new Error('the service does not read the messages of the upstream');
}

/** Time passes until every operation is settled or needs a decision. Returns how much time that was, with the time of the work. */
export async function settle(installation: Installation): Promise<number> {
  const beganAt = installation.now;
  let passedMs = 0;
  for (;;) {
    await upstreamSettled(installation);
    const open = await until(installation, isIdle);
    if (open.length === 0) return installation.now - beganAt;
    const stepMs = Math.min(...open.map(({ due_ms }) => due_ms)) + togetherMs;
    passedMs += stepMs;
    // The time of the work depends on the machine, so only the waiting is limited.
    expect(passedMs, `not settled in time: ${JSON.stringify(open.slice(0, 10))}`).toBeLessThanOrEqual(settledWithinMs);
    await installation.pass(stepMs);
  }
}

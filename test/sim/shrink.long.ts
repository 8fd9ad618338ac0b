import { expect, test } from 'vitest';
import { decimal, pricesOf } from './oracle/price-table.ts';
import { playScript } from './play-script.ts';
import { playScripts } from './run.ts';
import type { Script, Step, Verb } from './script.ts';
import { type Ground, openGround } from './worlds.ts';

const timeoutMs = 1_800_000;
const order = (verb: Verb, name: number): Step => ({ do: 'order', verb, name, years: 1, via: 0 });
const check: Step = { do: 'check' };

/** The operator charges a cent more for one action than the oracle's table. */
async function openWithWrongPrice(): Promise<Ground> {
  const ground = await openGround();
  const amount = decimal(pricesOf('any.org').renew + 1);
  const json = { target: 'reseller', prices: [{ tld: 'org', action: 'renew', years: 1, amount }] };
  const { status } = await ground.installation.call('PUT', '/v1/account/price_list', { json, as: 'operator' });
  expect(status).toBe(200);
  return ground;
}

const needed: readonly Step[] = [order('register', 1), check, order('renew', 1)];
const script: Script = {
  seed: 4711,
  tlds: ['com', 'org'],
  steps: [
    { do: 'fault', fault: { kind: 'delay', commands: ['domain:create'], ms: 300, limit: 1, name: 0 } },
    order('register', 0),
    needed[0] as Step,
    needed[1] as Step,
    { do: 'move', byS: 86_400 },
    order('renew', 0),
    needed[2] as Step,
    { do: 'wait', ms: 500 },
    order('nameservers', 0),
  ],
};

test(
  'reports a wrong price with the seed and only the steps that cause it',
  async () => {
    const played = playScripts([script], { shrinkRuns: 60, open: openWithWrongPrice });
    const error = await played.next().then(
      () => undefined,
      (thrown: unknown) => thrown as Error,
    );
    expect(error?.message).toMatch(/^seed 4711: balance of reseller 1000 is /);
    const [, small = ''] = error?.message.split('reduced in ') ?? [];
    const steps = [...small.matchAll(/^ +\d+ (\{.*\})$/gm)].map(([, step]) => JSON.parse(step as string));
    expect(steps).toEqual(needed);
    expect(small).toContain('repeat: SIM_SEEDS=4711');
  },
  timeoutMs,
);

test(
  'agrees for the same script if the price is right',
  async () => {
    const ground = await openGround();
    try {
      expect((await playScript(ground, script)).failure?.message).toBeUndefined();
    } finally {
      await ground.installation.dispose();
    }
  },
  timeoutMs,
);

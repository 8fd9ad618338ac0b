import { describe, expect, test } from 'vitest';
import { forEachParallel, RunFailed, runSteps } from '../../src/core/jobs/run-items.ts';
import { feeMoney } from '../../src/core/model/fee-money.ts';

const logged: string[] = [];
const log = { error: (_facts: object, message: string) => logged.push(message) };
const ctx = { log } as unknown as Parameters<typeof forEachParallel>[0];

describe('a job run over several items', () => {
  test('continues after a failing item, and reports the failures at its end', async () => {
    const items = Array.from({ length: 20 }, (_, at) => ({ id: `n${at}` }));
    const processed: string[] = [];
    const round = forEachParallel(ctx, 2, items, async ({ id }) => {
      if (id === 'n0' || id === 'n1' || id === 'n7') throw new Error(`nothing can be made of ${id}`);
      processed.push(id);
    });
    const failed = await round.catch((error: unknown) => error);
    expect(failed).toBeInstanceOf(RunFailed);
    expect((failed as RunFailed).failures.map(({ id }) => id)).toEqual(['n0', 'n1', 'n7']);
    expect((failed as RunFailed).message).toContain('3 items of a run failed, the first of them n0');
    expect(processed).toHaveLength(17);
    expect(logged).toHaveLength(3);
  });

  test('continues after a failing step', async () => {
    const processed: number[] = [];
    const step = (at: number) => async () => {
      processed.push(at);
      if (at === 1) throw new Error('one');
    };
    await expect(runSteps([step(1), step(2), step(3)])).rejects.toThrow('one');
    expect(processed).toEqual([1, 2, 3]);
  });
});

test.each([
  ['5.00', 'USD', 500n],
  ['5', 'USD', 500n],
  ['5.000000', 'USD', 500n],
  ['5.001', 'USD', 501n],
  ['-5.001', 'USD', -501n],
  ['0.4', 'JPY', 1n],
  ['12', 'JPY', 12n],
  ['1.2345', 'BHD', 1235n],
])('converts a fee of %s %s to %s minor units, rounded away from zero', (amount, currency, minor) => {
  expect(feeMoney({ amount, currency })).toEqual({ amount: minor, currency });
});

import { expect, test } from 'vitest';
import { Effects, effectPoint } from '../../src/core/effects.ts';

interface Paid {
  readonly seen: string[];
}
const paid = effectPoint<Paid>('paid');
const note =
  (name: string) =>
  async ({ seen }: Paid) => {
    await Promise.resolve();
    seen.push(name);
  };

test('runs the effects of a point one after the other, in the order of their registration', async () => {
  const effects = new Effects()
    .register(paid, note('first'), note('second'))
    .register(effectPoint('other'), note('other'));
  const seen: string[] = [];
  await effects.run(paid, { seen });
  expect(seen).toEqual(['first', 'second']);
});

test('stops at an effect that throws, so that the transaction of the change ends', async () => {
  const fails = () => Promise.reject(new Error('refused'));
  const effects = new Effects().register(paid, note('first'), fails, note('third'));
  const seen: string[] = [];
  await expect(effects.run(paid, { seen })).rejects.toThrow('refused');
  expect(seen).toEqual(['first']);
});

test('rejects a point that the composition does not know', async () => {
  await expect(new Effects().run(paid, { seen: [] })).rejects.toThrow(paid.name);
});

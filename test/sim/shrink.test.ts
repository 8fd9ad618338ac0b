import { expect, test } from 'vitest';
import { minimal } from './shrink.ts';

const all = Array.from({ length: 40 }, (_, n) => n);
const needs = (wanted: readonly number[]) => async (candidate: readonly number[]) =>
  wanted.every((each) => candidate.includes(each));

test.each([[[7]], [[0, 39]], [[3, 4, 5]], [[1, 13, 14, 38]]])('reduces forty steps to %j', async (wanted) => {
  const { left, runs } = await minimal(all, needs(wanted), 500);
  expect(left).toEqual(wanted);
  expect(runs).toBeLessThan(all.length * wanted.length + all.length);
});

test('removes a step that is removable only after a later one', async () => {
  // 20 is required as long as 30 is there.
  const fails = async (candidate: readonly number[]) =>
    candidate.includes(5) && (candidate.includes(20) || !candidate.includes(30));
  expect((await minimal(all, fails, 500)).left).toEqual([5]);
});

test('limits the number of runs', async () => {
  expect((await minimal(all, needs([1, 38]), 6)).runs).toBe(6);
});

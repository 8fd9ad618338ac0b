import { expect, test } from 'vitest';
import { Semaphore } from '../src/pool/semaphore.ts';

/** Records which owners were admitted, in order. */
function crowd(turns: Semaphore) {
  const inside: string[] = [];
  const come = (owner: string) => turns.enter(owner, 10_000).then(() => void inside.push(owner));
  return { inside, come };
}

test('serves the next waiter of the same owner first, then the longest waiter', async () => {
  const turns = new Semaphore(1);
  const { inside, come } = crowd(turns);
  const all = ['a', 'b', 'c', 'a'].map(come);
  await all[0];
  turns.leave('a');
  await all[3];
  turns.leave('a');
  await all[1];
  turns.leave('b');
  await Promise.all(all);
  expect(inside).toEqual(['a', 'a', 'b', 'c']);
});

test('serves every waiter within a bounded time', async () => {
  const turns = new Semaphore(1);
  const { inside, come } = crowd(turns);
  await come('a');
  const other = come('b');
  const since = performance.now();
  const own: Promise<void>[] = [];
  while (!inside.includes('b')) {
    own.push(come('a'));
    turns.leave('a');
    await Promise.race([own.at(-1), other]);
    while (performance.now() - since < inside.length * 30) await new Promise((resolve) => setTimeout(resolve, 5));
  }
  expect(inside.filter((owner) => owner === 'a').length).toBeGreaterThan(1);
  await other;
  // A pending waiter would be rejected during another test file.
  turns.leave('b');
  await Promise.all(own);
});

test('rejects a waiter after its limit and keeps the place', async () => {
  const turns = new Semaphore(1);
  await turns.enter('a', 50);
  await expect(turns.enter('b', 50)).rejects.toThrow('timeout exceeded');
  turns.leave('a');
  await turns.enter('b', 50);
  turns.leave('b');
  await turns.enter('c', 50);
});

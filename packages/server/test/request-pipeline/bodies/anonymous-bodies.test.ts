import { afterEach, expect, test } from 'vitest';
import { AnonymousBodies } from '../../../src/http/bodies/anonymous-bodies.ts';
import { httpLimits } from '../../../src/http/limits.ts';

const limits = { ...httpLimits };
afterEach(() => void Object.assign(httpLimits, limits));

/** Opens bodies named by their sender, `site.network`, in this order. Returns what became of each. */
function sequence(senders: readonly string[], complete: readonly number[] = []): string {
  const bodies = new AnonymousBodies();
  const fates: string[] = [];
  senders.forEach((network, n) => {
    const sender = { network, site: network.split('.')[0]! };
    const opened = bodies.open({ complete: complete.includes(n) }, sender, () => (fates[n] = 'displaced'));
    fates[n] = opened ? 'open' : 'refused';
  });
  return fates.map((fate, n) => (fate === 'open' ? senders[n]! : `(${fate})`)).join(' ');
}

test.each([
  ['the oldest of a network that is full', 'a.1 a.1 a.1', '(displaced) a.1 a.1'],
  ['that of the largest network of a site that is full', 'a.1 a.2 a.2 a.3', 'a.1 (displaced) a.2 a.3'],
  [
    'that of the largest site if all places are taken',
    'b.1 b.2 c.1 a.1 a.2 a.3 d.1',
    'b.1 b.2 c.1 (displaced) a.2 a.3 d.1',
  ],
  ['the oldest of all if all hold the same', 'a.1 b.1 c.1 d.1 e.1 f.1 g.1', '(displaced) b.1 c.1 d.1 e.1 f.1 g.1'],
])('displaces %s', (_what, senders, expected) => {
  Object.assign(httpLimits, { anonymousBodies: 6, anonymousBodiesOfSite: 3, anonymousBodiesOfNetwork: 2 });
  expect(sequence(senders.split(' '))).toBe(expected);
});

test('never displaces a body that has arrived, and refuses the newcomer if all have', () => {
  Object.assign(httpLimits, { anonymousBodies: 3, anonymousBodiesOfSite: 3, anonymousBodiesOfNetwork: 3 });
  expect(sequence(['a.1', 'a.1', 'b.1', 'c.1'], [0, 1])).toBe('a.1 a.1 (displaced) c.1');
  expect(sequence(['a.1', 'a.1', 'b.1', 'c.1'], [0, 1, 2])).toBe('a.1 a.1 b.1 (refused)');
});

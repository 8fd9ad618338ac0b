import { expect, test } from 'vitest';
import { stopParts } from '../src/stop/stop-parts.ts';

function recorded() {
  const lines: { level: string; facts: object; text: string }[] = [];
  const at = (level: string) => (facts: object, text: string) => void lines.push({ level, facts, text });
  return { lines, log: { info: at('info'), warn: at('warn'), error: at('error') } };
}

/** Records each step, and each part that has ended. */
const recording =
  (names: string[], ends: string[] = []) =>
  (...step: string[]) => {
    names.push(step.join(', '));
    return (name: string) => void ends.push(name);
  };

const never = () => new Promise<void>(() => undefined);

test('logs a part that hangs or fails, and stops the others', async () => {
  const { lines, log } = recorded();
  const stopped: string[] = [];
  const names: string[] = [];
  const part = (name: string, stop: () => unknown = () => stopped.push(name)) => [{ name, limitMs: 500, stop }];
  await stopParts(
    [
      part('first'),
      part('hangs', never),
      part('fails', () => Promise.reject(new Error('no'))),
      part('throws', () => {
        throw new Error('at once');
      }),
      part('last'),
    ],
    { log, totalMs: 10_000, onPart: recording(names) },
  );
  expect(stopped).toEqual(['first', 'last']);
  expect(names).toEqual(['first', 'hangs', 'fails', 'throws', 'last']);
  expect(lines).toEqual([
    {
      level: 'warn',
      facts: { part: 'hangs', limit_ms: 500 },
      text: 'part not stopped within its limit; shutdown continues',
    },
    { level: 'error', facts: { part: 'fails', err: new Error('no') }, text: 'stopping part failed' },
    { level: 'error', facts: { part: 'throws', err: new Error('at once') }, text: 'stopping part failed' },
  ]);
});

test('keeps time for later parts when earlier ones hang', async () => {
  const { lines, log } = recorded();
  const since = performance.now();
  const stopped: string[] = [];
  const hanging = ['one', 'two'].map((name) => [{ name, limitMs: 60_000, stop: never }]);
  const last = [{ name: 'last', limitMs: 60_000, stop: () => stopped.push('last') }];
  await stopParts([...hanging, last], { log, totalMs: 2_000 });
  expect(stopped).toEqual(['last']);
  expect(performance.now() - since).toBeLessThan(30_000);
  expect(lines.map(({ facts }) => facts)).toMatchObject([{ part: 'one' }, { part: 'two' }]);
});

test('stops the parts of one step at the same time, each within its limit', async () => {
  const { lines, log } = recorded();
  const begun: string[] = [];
  const step = ['one', 'two', 'three'].map((name) => ({
    name,
    limitMs: 600,
    stop: () => {
      begun.push(name);
      return never();
    },
  }));
  const names: string[] = [];
  const last = [{ name: 'last', limitMs: 600, stop: () => begun.push('last') }];
  const ends: string[] = [];
  const onPart = (...parts: string[]) => {
    names.push(parts.join(', '));
    return (name: string) => void ends.push(`${name}, ${begun.length} begun`);
  };
  await stopParts([step, last], { log, totalMs: 600_000, onPart });
  expect(ends).toEqual(['one, 3 begun', 'two, 3 begun', 'three, 3 begun', 'last, 4 begun']);
  expect(begun).toEqual(['one', 'two', 'three', 'last']);
  expect(names).toEqual(['one, two, three', 'last']);
  expect(lines.map(({ facts }) => facts)).toMatchObject([{ part: 'one' }, { part: 'two' }, { part: 'three' }]);
});

test('does not report a part that waits for its expected time', async () => {
  const { lines, log } = recorded();
  const stop = () => new Promise<void>((resolve) => void setTimeout(resolve, 1_600));
  await stopParts(
    [
      [
        { name: 'announced', limitMs: 60_000, expectedMs: 300_000, stop },
        { name: 'slow', limitMs: 60_000, stop },
      ],
    ],
    { log, totalMs: 60_000 },
  );
  expect(lines).toMatchObject([{ level: 'warn', facts: { part: 'slow' }, text: 'part stopped slowly' }]);
});

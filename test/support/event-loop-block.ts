import { expect } from 'vitest';

/** The longest time for which one request may block the main thread. */
export const blockLimitMs = 50;

/** The processor time that one piece of synchronous work used on this thread, which does not depend on the load of the machine. */
export function threadMs(work: () => unknown): number {
  const before = process.threadCpuUsage();
  work();
  const { user, system } = process.threadCpuUsage(before);
  return (user + system) / 1_000;
}

export function expectNoBlock(usedMs: number, what: string): void {
  expect(usedMs, `${what}: the main thread used ${usedMs.toFixed(0)} ms of processor time in one tick`).toBeLessThan(
    blockLimitMs,
  );
}

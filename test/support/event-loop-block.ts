import { expect } from 'vitest';

/** No request may keep the main thread to itself for longer: everybody else waits meanwhile. */
export const blockLimitMs = 50;

/** What one piece of synchronous work used of this thread: processor time, which a busy machine does not change. */
export function threadMs(work: () => unknown): number {
  const before = process.threadCpuUsage();
  work();
  const { user, system } = process.threadCpuUsage(before);
  return (user + system) / 1_000;
}

export function expectNoBlock(usedMs: number, what: string): void {
  expect(
    usedMs,
    `${what}: the main thread used ${usedMs.toFixed(0)} ms of the processor between two turns`,
  ).toBeLessThan(blockLimitMs);
}

import { createHook } from 'node:async_hooks';
import { readFileSync } from 'node:fs';

const longMs = 20;
const jiffyMs = 10;

/** Processor time that the host took from all processors together, by proc(5); 0 where nobody tells. */
function stolenMs(): number {
  try {
    return Number(readFileSync('/proc/stat', 'utf8').split('\n', 1)[0]?.split(/\s+/)[8] ?? 0) * jiffyMs;
  } catch {
    return 0;
  }
}

export interface LoopMeter {
  readonly worstMs: () => number;
  readonly reset: () => void;
  readonly stop: () => void;
}

/**
 * The most processor time that this thread itself used in one turn. Processor time, not time on the wall: a busy machine takes the
 * processor away and cannot fail a test. A turn is one callback of the event loop with all ticks and promises that follow from it. On
 * a busy machine many callbacks are ready at once; they are as many turns, since none of them keeps the others waiting for longer than
 * itself. What the host of a virtual machine takes away is counted by the kernel as if the thread had used it; a long turn is told
 * without it.
 */
export function startLoopMeter(onWorse: (worstMs: number) => void = () => {}): LoopMeter {
  const ticks = new Set<number>();
  let last = process.threadCpuUsage();
  let worst = 0;
  let stolenBefore = stolenMs();
  const nextTurn = () => {
    const { user, system } = process.threadCpuUsage(last);
    let usedMs = (user + system) / 1_000;
    if (usedMs > longMs) usedMs = Math.max(0, usedMs - (stolenMs() - stolenBefore));
    if (usedMs > worst) {
      worst = usedMs;
      onWorse(worst);
    }
    last = process.threadCpuUsage();
  };
  // A tick belongs to the turn that it follows from. Promises are not followed at all: they are a part of their turn, and it would be slow.
  const hook = createHook({
    init: (id, type) => void (type === 'TickObject' && ticks.add(id)),
    before: (id) => void (ticks.delete(id) || nextTurn()),
    trackPromises: false,
  }).enable();
  // A turn that nothing follows ends as well.
  const timer = setInterval(() => {
    stolenBefore = stolenMs();
  }, 20).unref();
  return {
    worstMs: () => worst,
    reset: () => {
      worst = 0;
      last = process.threadCpuUsage();
    },
    stop: () => {
      hook.disable();
      clearInterval(timer);
    },
  };
}

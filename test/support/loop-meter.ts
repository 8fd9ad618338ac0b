import { createHook } from 'node:async_hooks';
import { readFileSync } from 'node:fs';

const longMs = 20;
const jiffyMs = 10;

/** Processor time that the host took from all processors together, by proc(5); 0 if it is not reported. */
function stolenMs(): number {
  try {
    return Number(readFileSync('/proc/stat', 'utf8').split('\n', 1)[0]?.split(/\s+/)[8] ?? 0) * jiffyMs;
  } catch {
    return 0;
  }
}

interface LoopMeter {
  readonly worstMs: () => number;
  readonly reset: () => void;
  readonly stop: () => void;
}

/**
 * The most processor time that this thread used in one tick. Processor time does not depend on the load of the machine, so a busy
 * machine cannot fail a test. A tick is one callback of the event loop with all nextTick callbacks and promises that follow from it.
 * Callbacks that are ready at the same time are separate ticks, because none of them delays the others for longer than itself. The
 * kernel counts time taken by the host of a virtual machine as used by the thread; it is subtracted from a long tick.
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
  // A nextTick callback belongs to the tick that it follows from. Promises are not tracked: they are part of their tick, and tracking
  // would be slow.
  const hook = createHook({
    init: (id, type) => void (type === 'TickObject' && ticks.add(id)),
    before: (id) => void (ticks.delete(id) || nextTurn()),
    trackPromises: false,
  }).enable();
  // A tick without a successor ends as well.
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

import type { Registry } from '../registry/registry.ts';
import { settleDue } from './settle.ts';

const tickMs = 250;

/** Makes due changes without a command; another process may have moved the clock. */
export function startTicker(registry: Registry, onFault: (error: unknown) => void): { stop(): Promise<void> } {
  let running: Promise<void> = Promise.resolve();
  let busy = false;
  const timer = setInterval(() => {
    if (busy) return;
    busy = true;
    running = settleDue(registry)
      .then(() => {}, onFault)
      .finally(() => {
        busy = false;
      });
  }, tickMs);
  return {
    async stop() {
      clearInterval(timer);
      await running;
    },
  };
}

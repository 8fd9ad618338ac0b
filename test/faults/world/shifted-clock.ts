import { readFileSync } from 'node:fs';

/**
 * Loaded into a service process before everything else (`node --import`). It shifts the wall clock of that process by
 * the number of milliseconds in a file. As on a real host only the time of day jumps; timers and performance.now() continue.
 */
const file = process.env.WORLD_CLOCK_FILE;
const recheckMs = 5;

let shiftMs = 0;
let readAt = Number.NEGATIVE_INFINITY;

function shift(): number {
  if (file === undefined || performance.now() - readAt < recheckMs) return shiftMs;
  readAt = performance.now();
  try {
    shiftMs = Math.trunc(Number(readFileSync(file, 'utf8'))) || 0;
  } catch {
    shiftMs = 0;
  }
  return shiftMs;
}

const TrueDate = Date;
const now = () => TrueDate.now() + shift();

globalThis.Date = new Proxy(TrueDate, {
  construct: (target, given, newTarget) =>
    Reflect.construct(target, given.length === 0 ? [now()] : given, newTarget === globalThis.Date ? target : newTarget),
  apply: () => new TrueDate(now()).toString(),
  get: (target, key) => (key === 'now' ? now : Reflect.get(target, key)),
});

import { performance } from 'node:perf_hooks';

export interface Measured {
  readonly count: number;
  readonly perSecond: number;
  readonly p50Ms: number;
  readonly p95Ms: number;
  readonly maxMs: number;
}

/** Runs `work` for 0..count-1 with limited concurrency. */
export function measure(count: number, width: number, work: (index: number) => Promise<unknown>): Promise<Measured> {
  return measureWhile((index) => index < count, width, work);
}

/** The same for a fixed time, because the speed of the machine is not known before. */
export function measureFor(ms: number, width: number, work: (index: number) => Promise<unknown>): Promise<Measured> {
  const until = performance.now() + ms;
  return measureWhile(() => performance.now() < until, width, work);
}

async function measureWhile(
  goesOn: (index: number) => boolean,
  width: number,
  work: (index: number) => Promise<unknown>,
): Promise<Measured> {
  const tookMs: number[] = [];
  let next = 0;
  const started = performance.now();
  await Promise.all(
    Array.from({ length: width }, async () => {
      for (let index = next++; goesOn(index); index = next++) {
        const begun = performance.now();
        await work(index);
        tookMs.push(performance.now() - begun);
      }
    }),
  );
  const perSecond = (tookMs.length * 1_000) / (performance.now() - started);
  tookMs.sort((a, b) => a - b);
  const at = (share: number) => tookMs[Math.min(tookMs.length - 1, Math.floor(tookMs.length * share))] ?? 0;
  return { count: tookMs.length, perSecond, p50Ms: at(0.5), p95Ms: at(0.95), maxMs: at(1) };
}

export const rounded = (value: number, digits = 1): number => Number(value.toFixed(digits));

export function show(measured: Measured): Record<string, number> {
  return {
    per_second: rounded(measured.perSecond),
    p50_ms: rounded(measured.p50Ms, 2),
    p95_ms: rounded(measured.p95Ms, 2),
    max_ms: rounded(measured.maxMs, 1),
  };
}

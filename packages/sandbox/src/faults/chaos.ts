import type { FaultSpec } from './fault.ts';

const rate = 0.02;

/**
 * What no client may stumble over: nothing is lost by it and nothing comes late, but for milliseconds. Each strikes one command
 * in fifty. It stands beside the dial: neither seen there nor turned off.
 */
export const chaosFaults = (seed: number): FaultSpec[] =>
  [
    { kind: 'delay', ms: 15 } as const,
    { kind: 'slow', bytes: 150, ms: 1 } as const,
    // Long after the answer: a command that is on its way when the line ends has an unknown outcome, which is no harmless thing.
    { kind: 'hang-up', ms: 2_000 } as const,
    { kind: 'other-prefixes' } as const,
    { kind: 'other-dates' } as const,
    { kind: 'poll-doubled' } as const,
  ].map((fault, place) => ({ ...fault, rate, seed: (seed + place) >>> 0 }));

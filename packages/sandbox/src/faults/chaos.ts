import type { FaultSpec } from './fault.ts';

const rate = 0.02;

/**
 * The faults of chaos mode, which a correct client handles: nothing is lost, and delays are milliseconds. Each affects one
 * command in fifty. The fault injector's control calls neither list nor end them.
 */
export const chaosFaults = (seed: number): FaultSpec[] =>
  [
    { kind: 'delay', ms: 15 } as const,
    { kind: 'slow', bytes: 150, ms: 1 } as const,
    // Long after the answer: a command in flight when the connection closes would have an unknown outcome, which is not harmless.
    { kind: 'hang-up', ms: 2_000 } as const,
    { kind: 'other-prefixes' } as const,
    { kind: 'other-dates' } as const,
    { kind: 'poll-doubled' } as const,
  ].map((fault, place) => ({ ...fault, rate, seed: (seed + place) >>> 0 }));

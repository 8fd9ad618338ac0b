/** Ways in which the registry can misbehave. */
export const faultKinds = [
  'drop-after-commit',
  'drop-before',
  'delay',
  'cut',
  '2400',
  '2500',
  '2502',
  'half-frame',
  'repeated-cltrid',
  'slow',
  'session-limit',
  'maintenance',
] as const;
export type FaultKind = (typeof faultKinds)[number];

/** One setting of the dial. The same seed and the same commands give the same faults. */
export interface FaultSpec {
  readonly kind: FaultKind;
  /** Chance a command that matches, 0 to 1. */
  readonly rate: number;
  readonly seed: number;
  /** `create`, `domain:create`, `login`; all commands when left out. */
  readonly commands?: readonly string[];
  /** Only this registrar. */
  readonly client?: string;
  /** Only commands about this domain, host or contact. */
  readonly name?: string;
  /** At most so many times. */
  readonly limit?: number;
  /** Milliseconds, for delay; and between the pieces of slow. */
  readonly ms?: number;
  /** For cut: after so many bytes. For slow: piece size. */
  readonly bytes?: number;
  /** For 2400 and 2500: before the command is carried out, after it, or by lot. */
  readonly when?: 'before' | 'after' | 'either';
  /** For drops: the connection stays open without a word, or is closed. */
  readonly how?: 'silent' | 'close';
  /** For session-limit: logins are refused while so many sessions are open. */
  readonly sessions?: number;
}

export interface ActiveFault extends FaultSpec {
  readonly id: string;
  readonly seen: number;
  readonly struck: number;
}

/** Wire faults: at most one of these affects a command. */
const wireKinds = [
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
  'held',
] as const;
export type WireFaultKind = (typeof wireKinds)[number];

/** Complete but unusual answers. They can be combined with each other and with a wire fault. */
const answerKinds = [
  'swapped-answers',
  'midnight-dates',
  'zone-dates',
  'lagging-info',
  'other-prefixes',
  'other-dates',
  'hang-up',
] as const;

/** Faults of the poll queue, applied when a registrar polls. */
const messageKinds = ['poll-doubled', 'poll-reused', 'poll-lost', 'poll-out-of-order'] as const;
export type MessageFaultKind = (typeof messageKinds)[number];

/** All kinds of faults. */
export const faultKinds = [...wireKinds, ...answerKinds, ...messageKinds] as const;
export type FaultKind = (typeof faultKinds)[number];

export const isWireFaultKind = (kind: FaultKind): kind is WireFaultKind => wireKinds.some((each) => each === kind);
export const isMessageFaultKind = (kind: FaultKind): kind is MessageFaultKind =>
  messageKinds.some((each) => each === kind);

/** One fault rule. The same seed and the same commands give the same faults. */
export interface FaultSpec {
  readonly kind: FaultKind;
  /** Probability for a matching command, 0 to 1. */
  readonly rate: number;
  readonly seed: number;
  /** `create`, `domain:create`, `domain:transfer:request`, `login`. Default: all commands. */
  readonly commands?: readonly string[];
  /** Only this registrar. */
  readonly client?: string;
  /** Only commands about this domain, host or contact. */
  readonly name?: string;
  /** Not before a command of this form arrived, about the same name and from the same registrar: `domain:renew`. */
  readonly after?: string;
  /** Maximum number of times. */
  readonly limit?: number;
  /**
   * Milliseconds. For delay: the delay. For slow: between the pieces. For a held command: until it is executed (with the other two ends
   * of a hold: the latest time). For a swap: how long an answer waits for another. For stale reads: how long an info lags. For hang-up:
   * how long a session may be idle.
   */
  readonly ms?: number;
  /** For cut: after this many bytes. For slow: piece size. */
  readonly bytes?: number;
  /** For 2400 and 2500: before the command is executed, after it, or at random. */
  readonly when?: 'before' | 'after' | 'either';
  /** For held: it is executed after `ms`, after the next query (info) about the same object, or after the next change of it. */
  readonly until?: 'time' | 'question' | 'command';
  /** For zone-dates: the registry's own zone, such as "+07:00". */
  readonly zone?: string;
  /** For zone-dates: the zone is written, omitted, or replaced by an incorrect Z. */
  readonly mark?: 'offset' | 'none' | 'Z';
  /** For drops and held: the connection stays open without an answer, or is closed. */
  readonly how?: 'silent' | 'close';
  /** For session-limit: logins are refused while this many sessions are open. */
  readonly sessions?: number;
}

export interface ActiveFault extends FaultSpec {
  readonly id: string;
  readonly seen: number;
  readonly struck: number;
}

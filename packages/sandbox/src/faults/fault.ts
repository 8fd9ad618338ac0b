/** Harm to the wire: of these one strikes a command at most. */
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

/** Whole answers that say something odd; they go together with each other and with harm to the wire. */
const answerKinds = [
  'swapped-answers',
  'midnight-dates',
  'zone-dates',
  'lagging-info',
  'other-prefixes',
  'other-dates',
  'hang-up',
] as const;

/** What happens to the mail of a registrar when it asks for it. */
const mailKinds = ['poll-doubled', 'poll-reused', 'poll-lost', 'poll-out-of-order'] as const;
export type MessageFaultKind = (typeof mailKinds)[number];

/** Ways in which the registry can misbehave. */
export const faultKinds = [...wireKinds, ...answerKinds, ...mailKinds] as const;
export type FaultKind = (typeof faultKinds)[number];

export const isWireFaultKind = (kind: FaultKind): kind is WireFaultKind => wireKinds.some((each) => each === kind);
export const isMessageFaultKind = (kind: FaultKind): kind is MessageFaultKind =>
  mailKinds.some((each) => each === kind);

/** One setting of the dial. The same seed and the same commands give the same faults. */
export interface FaultSpec {
  readonly kind: FaultKind;
  /** Chance a command that matches, 0 to 1. */
  readonly rate: number;
  readonly seed: number;
  /** `create`, `domain:create`, `domain:transfer:request`, `login`; all commands when left out. */
  readonly commands?: readonly string[];
  /** Only this registrar. */
  readonly client?: string;
  /** Only commands about this domain, host or contact. */
  readonly name?: string;
  /** At most so many times. */
  readonly limit?: number;
  /**
   * Milliseconds: for delay; between the pieces of slow; until a held command arrives (for the other two ends of a hold:
   * at the latest then); how long an answer waits for another to be swapped with; how long an info lags; how long a session may be idle before it is hung up.
   */
  readonly ms?: number;
  /** For cut: after so many bytes. For slow: piece size. */
  readonly bytes?: number;
  /** For 2400 and 2500: before the command is carried out, after it, or by lot. */
  readonly when?: 'before' | 'after' | 'either';
  /** For held: it arrives after `ms`, after the next question (info) about the same object, or after the next change of it. */
  readonly until?: 'time' | 'question' | 'command';
  /** For zone-dates: the registry's own zone, such as "+07:00". */
  readonly zone?: string;
  /** For zone-dates: the zone stands with the time, nothing stands there, or a Z that is not true. */
  readonly mark?: 'offset' | 'none' | 'Z';
  /** For drops and held: the connection stays open without a word, or is closed. */
  readonly how?: 'silent' | 'close';
  /** For session-limit: logins are refused while so many sessions are open. */
  readonly sessions?: number;
}

export interface ActiveFault extends FaultSpec {
  readonly id: string;
  readonly seen: number;
  readonly struck: number;
}

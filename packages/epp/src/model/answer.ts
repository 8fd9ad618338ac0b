import type { AnswerExtensions } from './extension.ts';
import type { MessageQueue } from './poll.ts';
import type { ResultSpec } from './response.ts';

type Result = ResultSpec & { readonly msg: string };

/** Codes 1000 to 1999. `pending` is 1001: accepted, the result comes by poll. */
export type Done<T> = {
  readonly kind: 'done';
  readonly code: number;
  readonly pending: boolean;
  readonly text: string;
  readonly data: T;
  readonly ext: AnswerExtensions;
  readonly results: readonly Result[];
  readonly msgQ?: MessageQueue;
  readonly clTRID: string;
  readonly svTRID: string;
  /** The answer as received, including secrets: encrypt it before storing. */
  readonly frame: string;
  /** Unreadable parts beside the result; only on answers whose result is sufficient. */
  readonly unreadable?: string;
};

/** The registry refused the command. This is certain. */
export type Refused = {
  readonly kind: 'refused';
  readonly code: number;
  readonly text: string;
  /** Every reason text of every result, in order. */
  readonly reasons: readonly string[];
  readonly results: readonly Result[];
  /** True for 2002, 2200, 2501 and 2502: the refusal is about the connection, not about the object. */
  readonly sessionFault: boolean;
  readonly ext: AnswerExtensions;
  readonly msgQ?: MessageQueue;
  readonly clTRID: string;
  readonly svTRID: string;
  readonly frame: string;
};

export type UnknownReason = 'timeout' | 'socket-died' | 'server-error' | 'unreadable-answer' | 'closed-by-us';

/** Bytes were sent and no clear answer came. RFC 5730 2.6 forbids to assume success or failure, so query before a repeat. */
export type Unknown = {
  readonly kind: 'unknown';
  readonly clTRID: string;
  readonly why: UnknownReason;
  readonly text: string;
  /** 2400 or 2500, if the registry did answer. */
  readonly code?: number;
  readonly svTRID?: string;
  readonly frame?: string;
};

export type Answer<T> = Done<T> | Refused | Unknown;

import type { WallClock } from '../clock.ts';
import type { Answer } from '../model/answer.ts';
import type { CheckItem } from '../model/common.ts';
import type { FeeCheck, FeeCheckItem } from '../model/extension.ts';
import type { DataOf, ObjectRequest } from '../model/request.ts';
import type { RegistryProfile } from '../profile.ts';
import type {
  AccountRateLimit,
  ConnectionLeases,
  EppClientEvent,
  EppCredentials,
  EppEndpoint,
  Journal,
} from './ports.ts';

/** `money` = transforms, `interactive` = a person waits, `background` = sync and poll. */
export type Priority = 'money' | 'interactive' | 'background';

export type SendOptions<C = unknown> = {
  /** By default transforms go by `money`, checks and infos by `interactive`, poll by `background`. */
  readonly priority?: Priority;
  /** The caller's own transaction id: 3 to 64 characters, never used before. Made by the client when left out. */
  readonly clTRID?: string;
  /** Handed to the journal untouched. */
  readonly context?: C;
  /** What fixed extensions of the profile may want to know of the order. */
  readonly order?: Readonly<Record<string, string>>;
  /** Instead of the profile's time-out for this kind of command. */
  readonly timeoutMs?: number;
};

export type EppClientOptions<C = unknown> = {
  readonly endpoint: EppEndpoint;
  /** A function is asked at each login, so that a changed password needs no new client. */
  readonly credentials: EppCredentials | (() => Promise<EppCredentials>);
  readonly profile: RegistryProfile;
  readonly journal?: Journal<C>;
  readonly clock?: WallClock;
  /** Makes transaction ids; must never repeat, also not after a restart. */
  readonly newClTRID?: () => string;
  readonly onEvent?: (event: EppClientEvent) => void;
};

export type EppPoolOptions<C = unknown> = EppClientOptions<C> & {
  /** Who may hold how many connections; by default `profile.limits.sessions` in this process. */
  readonly connectionLeases?: ConnectionLeases;
  /** How fast, and when to log in; by default by the profile, in this process. */
  readonly account?: AccountRateLimit;
  /** After 2502; 30 s doubling up to 10 min by default. */
  readonly backoff?: { readonly firstMs: number; readonly maxMs: number };
  /** A command that found no connection for this long is given up as unsent; 30 s by default. */
  readonly maxWaitMs?: number;
};

/** One name out of a check that may have been gathered with others. */
export type CheckedName = {
  readonly item: CheckItem;
  readonly fee?: FeeCheckItem;
  readonly feeCurrency?: string;
};

export type EppPool<C = unknown> = {
  /** @throws EppInputError before sending, EppUnsentError when no byte left. */
  send<R extends ObjectRequest>(request: R, options?: SendOptions<C>): Promise<Answer<DataOf<R>>>;
  /** Checks one name; names asked within a few milliseconds share a frame, equal names share the answer. */
  checkName(
    name: string,
    options?: { readonly fee?: FeeCheck; readonly priority?: Priority },
  ): Promise<Answer<CheckedName>>;
  /** After a refused login no other is tried for a while, longer each time; this ends the pause. */
  resumeLogins(): void;
  /**
   * Before work is taken up that others could do as well. False: there is no session here, and none to be had, because other processes have
   * them all. Begins to open one where there is none and may be one.
   */
  hasRoom(): Promise<boolean>;
  state(): EppPoolState;
  /** Finishes what is in flight, refuses what waits (EppUnsentError `closed`), logs out. */
  close(): Promise<void>;
};

export type EppPoolState = {
  readonly sessions: number;
  /** There is no session here because other processes have them all, as was told a moment ago. */
  readonly crowded: boolean;
  readonly busy: number;
  readonly waiting: Readonly<Record<Priority, number>>;
  readonly loginsStopped: boolean;
  readonly backingOffUntilMs: number | undefined;
};

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

/** `money` = transforms, `interactive` = a user waits, `background` = sync and poll. */
export type Priority = 'money' | 'interactive' | 'background';

export type SendOptions<C = unknown> = {
  /** Default: transforms use `money`, checks and infos `interactive`, poll `background`. */
  readonly priority?: Priority;
  /** The caller's own transaction id: 3 to 64 characters, never used before. Default: the client makes one. */
  readonly clTRID?: string;
  /** Passed to the journal unchanged. */
  readonly context?: C;
  /** Data of the order for the fixed extensions of the profile. */
  readonly order?: Readonly<Record<string, string>>;
  /** Overrides the profile's timeout for this kind of command. */
  readonly timeoutMs?: number;
};

type EppClientOptions<C = unknown> = {
  readonly endpoint: EppEndpoint;
  /** A function is called at each login, so that a changed password needs no new client. */
  readonly credentials: EppCredentials | (() => Promise<EppCredentials>);
  readonly profile: RegistryProfile;
  readonly journal?: Journal<C>;
  readonly clock?: WallClock;
  /** Makes transaction ids, which must never repeat, also not after a restart. */
  readonly newClTRID?: () => string;
  readonly onEvent?: (event: EppClientEvent) => void;
};

export type EppPoolOptions<C = unknown> = EppClientOptions<C> & {
  /** Who may hold how many connections. Default: `profile.limits.sessions` in this process. */
  readonly connectionLeases?: ConnectionLeases;
  /** Rate limit and login pauses. Default: from the profile, in this process. */
  readonly account?: AccountRateLimit;
  /** After 2502. Default: 30 s, doubled up to 10 min. */
  readonly backoff?: { readonly firstMs: number; readonly maxMs: number };
  /** A command that gets no connection within this time fails as unsent. Default: 30 s. */
  readonly maxWaitMs?: number;
};

/** The result for one name of a check that may have been combined with others. */
export type CheckedName = {
  readonly item: CheckItem;
  readonly fee?: FeeCheckItem;
  readonly feeCurrency?: string;
};

export type EppPool<C = unknown> = {
  /** @throws EppInputError before sending, EppUnsentError when no byte left. */
  send<R extends ObjectRequest>(request: R, options?: SendOptions<C>): Promise<Answer<DataOf<R>>>;
  /** Checks one name. Names checked within a few milliseconds share a frame, and equal names share the answer. */
  checkName(
    name: string,
    options?: { readonly fee?: FeeCheck; readonly priority?: Priority },
  ): Promise<Answer<CheckedName>>;
  /** After a refused login the pool pauses logins, longer each time. This ends the pause. */
  resumeLogins(): void;
  /**
   * Called before taking work that other processes could do as well. False: this process has no session and can get none, because other
   * processes hold them all. Starts to open a session if there is none and one is available.
   */
  hasFreeSession(): Promise<boolean>;
  state(): EppPoolState;
  /** Finishes commands in flight, rejects waiting ones (EppUnsentError `closed`), and logs out. */
  close(): Promise<void>;
};

export type EppPoolState = {
  readonly sessions: number;
  /** This process has no session because other processes hold them all, by the last recent result. */
  readonly isSessionLimitReached: boolean;
  readonly busy: number;
  readonly waiting: Readonly<Record<Priority, number>>;
  readonly loginsStopped: boolean;
  readonly backingOffUntilMs: number | undefined;
};

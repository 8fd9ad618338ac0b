import type { FastifyReply, FastifyRequest } from 'fastify';
import type { AppContext, BrandHost } from '../../core/app-context.ts';
import type { AppOptions } from '../app.ts';
import type { Authenticator, Identity } from '../authenticate.ts';
import type { GuessThrottle } from '../guess-throttle.ts';
import type { OpenRequest } from '../idempotency/idempotency.ts';
import type { LateKeys } from '../idempotency/late-keys.ts';
import type { BrandHosts } from '../identity/brand-hosts.ts';
import type { LastUses } from '../identity/last-uses.ts';
import type { Sessions } from '../identity/sessions.ts';
import type { TopAccounts } from '../identity/top-accounts.ts';
import type { Fields } from '../input.ts';
import type { CapacityOwner, LoadGate } from '../load-gate.ts';
import type { RateLimiter } from '../rate-limit.ts';
import type { RefusalCounter } from '../refusal-counter.ts';
import type { Answer, Caller, Route } from '../route.ts';
import type { EventStreams } from '../streams/event-streams.ts';

/** One request and what the steps found out about it. Each field is set by the step that its comment names. */
export interface Exchange {
  readonly definition: Route;
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
  /** Arrival, by `performance.now()`. */
  readonly since: number;
  readonly address: string;
  /** `findBrandHost`: undefined for the service's own host. */
  brandHost?: BrandHost | undefined;
  /** `authenticateCaller`: undefined for public routes. */
  identity?: Identity;
  /** `limitConcurrency`: whose capacity the request uses. */
  capacityOwner?: CapacityOwner;
  /** `takeBudget`: the state of the caller's budget, for the answer. */
  rateHeaders?: Record<string, string>;
  /** `authorise`; again `recheckCaller`. */
  caller?: Caller;
  /** `openBody`: when an authenticated caller passed all checks before the body. */
  authorisedAt?: number;
  /** `readInput`: the fields as sent, and as the route reads them. */
  fields?: Fields;
  input?: Fields;
  /** `readInput`: for a route with earlier names, the names that the request uses. */
  sentNames?: ReadonlySet<string>;
  /** `findEarlierAnswer`: the Idempotency-Key that this request holds. */
  heldKey?: OpenRequest;
  /** `findEarlierAnswer` or `callRoute`. */
  answer?: Answer;
}

/** What the steps share: one of each in a process. */
export interface StepContext {
  readonly ctx: AppContext;
  readonly options: AppOptions;
  readonly authenticator: Authenticator;
  readonly brandHosts: BrandHosts;
  readonly gate: LoadGate;
  readonly guesses: GuessThrottle;
  readonly lateKeys: LateKeys;
  readonly lastUses: LastUses;
  readonly rates: RateLimiter;
  readonly refusals: RefusalCounter;
  readonly sessions: Sessions;
  readonly streams: EventStreams;
  readonly topAccounts: TopAccounts;
  publicUrl(): string;
  /** Drops cached keys, accounts and brand hosts. */
  evictKeys(): void;
}

/** A step does one thing. It throws a refusal to end the request. */
export type Step = (exchange: Exchange, shared: StepContext) => void | Promise<void>;
/** Runs after an error, also of a request without a route. */
export type ErrorStep = (failed: Failed, shared: StepContext) => void | Promise<void>;
/** Runs after every answer. */
export type LastStep = (
  sent: Pick<Exchange, 'request' | 'reply'>,
  options: Pick<AppOptions, 'logger' | 'metrics'>,
) => void;

interface Failed extends Pick<Exchange, 'request' | 'reply'> {
  readonly exchange: Exchange | undefined;
  /** The error as it was thrown. */
  readonly error: unknown;
  /** The error in the terms of the caller. */
  readonly shown: unknown;
}

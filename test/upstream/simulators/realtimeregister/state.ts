import type { SimulatorClock } from '../clock.ts';
import type { FaultRule } from '../faults.ts';
import type { Ledger } from '../ledger.ts';
import type { Portfolio, SimulatedDomain } from '../portfolio.ts';
import type { RealtimeRegisterSettings } from './settings.ts';

export type Fields = Readonly<Record<string, unknown>>;

/** A refusal in the form of the API: a type, a message, and fields of the type. */
export class Refused extends Error {
  readonly type: string;
  readonly status: number;
  readonly more: Fields;

  constructor(type: string, message: string, more: Fields = {}, status = 400) {
    super(message);
    this.type = type;
    this.more = more;
    this.status = status;
  }
}

export interface Contact {
  readonly handle: string;
  fields: Fields;
  /** By registry. */
  readonly properties: Record<string, Readonly<Record<string, string>>>;
  readonly createdAt: number;
}

/** A domain that is registered, but not by this account. */
export interface Elsewhere {
  /** In another account of Realtime Register. */
  readonly sameRegistrar: boolean;
  readonly authCode: string;
  readonly locked: boolean;
  readonly expiresAt: number;
}

export interface Notification {
  readonly id: number;
  readonly at: number;
  readonly domain: string;
  readonly message: string;
  isAcknowledged: boolean;
}

/** The state of the simulated account. */
export interface State {
  readonly settings: RealtimeRegisterSettings;
  readonly clock: SimulatorClock;
  readonly ledger: Ledger;
  readonly portfolio: Portfolio;
  readonly contacts: Map<string, Contact>;
  readonly elsewhere: Map<string, Elsewhere>;
  /** Prices of premium domains, in cents. */
  readonly premium: Map<string, { readonly create: number; readonly renew: number }>;
  /** Domains with a lock for updates and deletes. */
  readonly locked: Set<string>;
  readonly notifications: Notification[];
  /** The input of each order. */
  readonly commands: Map<string, Fields>;
  /** Orders that are executed before the request with this number. */
  readonly running: Map<string, number>;
  requests: number;
  code(): string;
}

/** A request, as a route sees it. */
export interface Asked {
  readonly path: readonly string[];
  readonly query: URLSearchParams;
  readonly body: Fields;
  readonly fault: FaultRule | undefined;
}

export interface Answer {
  readonly status: number;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

export interface Route {
  /** As the documents name the operation. */
  readonly call: string;
  readonly method: string;
  /** `*` stands for one part. */
  readonly path: string;
  /** Fields of the body; all others are unknown. */
  readonly required?: readonly string[];
  readonly optional?: readonly string[];
  /** Parameters of the query; lists have more. */
  readonly parameters?: readonly string[];
  run(state: State, asked: Asked): Answer;
}

export const tldOf = (name: string): string => name.slice(name.indexOf('.') + 1);

export function rulesOf({ settings }: State, name: string) {
  const rules = settings.tlds[tldOf(name)];
  if (!rules) throw new Refused('UnsupportedTld', `The TLD of ${name} is not supported`);
  return rules;
}

export const notFound = (what: string): Refused => new Refused('ObjectDoesNotExist', `${what} does not exist`, {}, 404);

export const badField = (field: string, message: string): Refused =>
  new Refused('ConstraintViolationException', 'Validation failed', { violations: [{ field, message }] });

/** A domain that is registered in the account. */
export function heldDomain(state: State, name: string, isStale = false): SimulatedDomain {
  const found = isStale ? state.portfolio.stale(name) : state.portfolio.find(name);
  if (found?.status === 'active' || found?.status === 'redemption') return found;
  const other = state.elsewhere.get(name);
  if (other?.sameRegistrar && state.settings.otherAccount === 'forbidden')
    throw new Refused('AuthorizationError', 'Not allowed', {}, 403);
  throw notFound(`Domain ${name}`);
}

export const timestamp = (at: number): string => `${new Date(at).toISOString().slice(0, 19)}Z`;

import type { TestService } from '../../support/service.ts';
import type { FaultKind } from '../simulators/faults.ts';
import type { OrderVerb } from '../simulators/upstreams.ts';

export type ChargedVerb = Exclude<OrderVerb, 'delete' | 'contact'>;

export interface HeldDomain {
  readonly name: string;
  readonly status: 'active' | 'redemption';
}

/** An order that is charged, by the upstream's own records. */
export interface CarriedOut {
  readonly verb: ChargedVerb;
  readonly domain: string;
}

/** How a service connects to the account. */
export interface Link {
  readonly sessions: number;
  readonly requestsPerMinute: number;
  readonly timeouts?: { readonly queryMs: number; readonly transformMs: number };
  /** How long an order may be absent from the upstream's lists. Default: as in the profile. */
  readonly visibleAfterSeconds?: number;
}

/** The next `times` requests that carry out this order meet the fault. */
export interface AccountFault {
  readonly kind: FaultKind;
  readonly verb: OrderVerb;
  readonly domain: string;
  readonly times: number;
}

/** What happens to all requests: some of them fail, the account is blocked, or the upstream does not answer. */
export type Disturbance = 'queries' | 'block' | 'outage';

/** A query of the service to the upstream, whose answer announces waiting messages. */
export type Nudge = () => Promise<unknown>;

/** An account at an upstream that loses answers, for tests that are the same for HTTP and EPP. */
export interface UpstreamAccount {
  /** A second renewal from the same date is refused. */
  readonly refusesRepeatedRenewal: boolean;
  connect(t: TestService, link: Link): Promise<void>;
  inject(fault: AccountFault): Promise<void>;
  disturb(what: Disturbance, seed: number): Promise<void>;
  /** Ends all faults, and waits until requests are sent again where pauses of the service follow real time. */
  heal(nudge: Nudge): Promise<void>;
  /** How often each fault was applied. */
  faultsApplied(): Promise<string>;
  /** Ends orders that wait for the registry or another registrar. False: the service has not read all of their ends yet. */
  settle(nudge: Nudge): Promise<boolean>;
  /** A domain of another registrar, which can be transferred with the code `authCode`. */
  addElsewhere(name: string): Promise<void>;
  /** The domain is so much older than it was. */
  age(name: string, ms: number): Promise<void>;
  /** Registered domains of the account. */
  domains(): Promise<HeldDomain[]>;
  contactsOf(name: string): Promise<{ readonly registrant: unknown; readonly admin: unknown }>;
  /** All orders, or those of a domain, the oldest first. */
  carriedOut(name?: string): Promise<CarriedOut[]>;
  /** Charges less refunds, in minor units. */
  charged(name?: string): Promise<number>;
  /** Differences between the upstream's orders and its money. */
  problems(): Promise<string[]>;
  requests(): Promise<number>;
  /** The largest number of identical requests within this time. Absent: the upstream does not limit them. */
  mostIdentical?(withinMs: number): number;
  stop(): Promise<void>;
}

export interface AccountOptions {
  /** The clock of the upstream. */
  readonly now?: () => number;
}

import type { SimulatorClock } from '../clock.ts';
import type { FaultRule } from '../faults.ts';
import type { Ledger } from '../ledger.ts';
import type { Portfolio, SimulatedDomain } from '../portfolio.ts';
import type { OpsData, OpsMap } from './envelope.ts';
import type { OpenSrsSettings, TldPrices } from './settings.ts';

/** A refusal: HTTP 200, and a code in the answer. */
export class Refused extends Error {
  readonly code: number;

  constructor(code: number, message: string) {
    super(message);
    this.code = code;
  }
}

export interface Elsewhere {
  readonly authCode: string;
  readonly locked: boolean;
  readonly expiresAt: number;
}

interface OpsEvent {
  readonly id: string;
  readonly at: number;
  readonly object: string;
  readonly event: string;
  readonly data: OpsMap;
}

/** What OpenSRS keeps of a domain besides the common fields. */
interface Profile {
  readonly username: string;
  readonly password: string;
  contactSet: OpsMap;
}

export interface State {
  readonly settings: OpenSrsSettings;
  readonly clock: SimulatorClock;
  readonly ledger: Ledger;
  readonly portfolio: Portfolio;
  readonly profiles: Map<string, Profile>;
  readonly elsewhere: Map<string, Elsewhere>;
  /** The price of a premium domain a year. */
  readonly premium: Map<string, number>;
  readonly events: OpsEvent[];
  code(): string;
}

/** A successful answer. */
export interface Reply {
  readonly code?: number;
  readonly text?: string;
  readonly attributes?: OpsMap;
}

export interface Call {
  readonly required: readonly string[];
  readonly optional?: readonly string[];
  run(state: State, attributes: Attributes, fault: FaultRule | undefined): Reply;
}

export class Attributes {
  readonly #values: OpsMap;

  constructor(values: OpsMap) {
    this.#values = values;
  }

  get keys(): string[] {
    return Object.keys(this.#values);
  }

  value(key: string): OpsData | undefined {
    return this.#values[key];
  }

  optional(key: string): string | undefined {
    const value = this.#values[key];
    return typeof value === 'string' && value !== '' ? value : undefined;
  }

  text(key: string): string {
    const value = this.optional(key);
    if (value === undefined) throw new Refused(460, `Missing required field: ${key}`);
    return value;
  }

  domain(): string {
    return this.text('domain').toLowerCase();
  }

  flag(key: string): boolean {
    const value = this.optional(key) ?? '0';
    return value === '1' || value.toUpperCase() === 'Y';
  }

  number(key: string, fallback?: number): number {
    const value = this.optional(key) ?? (fallback === undefined ? this.text(key) : String(fallback));
    if (!/^\d{1,9}$/.test(value)) throw new Refused(465, `Invalid data: ${key}`);
    return Number(value);
  }

  list(key: string): OpsData[] {
    const value = this.#values[key];
    return Array.isArray(value) ? value : [];
  }

  map(key: string): OpsMap | undefined {
    const value = this.#values[key];
    return typeof value === 'object' && !Array.isArray(value) ? value : undefined;
  }
}

export function pricesOf({ settings }: State, name: string): TldPrices {
  const tld = name.slice(name.indexOf('.') + 1);
  const prices = settings.tlds[tld];
  if (!prices) throw new Refused(465, `Invalid data: the TLD ${tld} is not enabled for this account`);
  return prices;
}

/** A domain of this account. A deleted one is no longer in it, even if it can be redeemed. */
export function ownDomain({ portfolio, settings }: State, attributes: Attributes): SimulatedDomain {
  const name = attributes.domain();
  const found = portfolio.find(name);
  if (found?.status === 'active') return found;
  const text = settings.unknownDomain === 415 ? 'Authentication Error.' : `Domain ${name} does not exist with OpenSRS`;
  throw new Refused(settings.unknownDomain, text);
}

export const stamp = (at: number): string => new Date(at).toISOString().slice(0, 19).replace('T', ' ');
export const day = (at: number): string => stamp(at).slice(0, 10);

export function emit(state: State, object: string, event: string, data: OpsMap): void {
  if (!state.settings.events) return;
  const id = String(8_000_001 + state.events.length);
  state.events.push({ id, at: state.clock.now(), object, event, data });
}

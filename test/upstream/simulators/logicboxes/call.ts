import type { SimulatorClock } from '../clock.ts';
import type { FaultRule } from '../faults.ts';
import type { Ledger } from '../ledger.ts';
import type { Portfolio, SimulatedDomain } from '../portfolio.ts';
import { type Parameters, Refused } from './parameters.ts';
import type { LogicBoxesSettings, TldRules } from './settings.ts';

export interface Contact {
  readonly id: string;
  readonly customer: string;
  readonly type: string;
  deleted: boolean;
  readonly fields: Readonly<Record<string, string>>;
  readonly attributes: Readonly<Record<string, string>>;
}

export interface Customer {
  readonly id: string;
  readonly username: string;
  readonly fields: Readonly<Record<string, string>>;
}

/** A domain that is registered, but not by this account. */
export interface Elsewhere {
  /** Whether it is registered through the same registrar by another reseller. */
  readonly sameRegistrar: boolean;
  readonly authCode: string;
  readonly locked: boolean;
  readonly expiresAt: number;
}

interface PremiumPrices {
  readonly create: number;
  readonly renew: number;
  readonly transfer: number;
}

/** The state of the simulated account. */
export interface State {
  readonly settings: LogicBoxesSettings;
  readonly clock: SimulatorClock;
  readonly ledger: Ledger;
  readonly portfolio: Portfolio;
  readonly contacts: Map<string, Contact>;
  readonly customers: Map<string, Customer>;
  readonly elsewhere: Map<string, Elsewhere>;
  readonly premium: Map<string, PremiumPrices>;
  /** Names whose availability the registry connection does not know. */
  readonly unknown: Set<string>;
  nextId(): string;
  code(): string;
}

export interface Call {
  readonly method: 'GET' | 'POST';
  readonly required: readonly string[];
  readonly optional?: readonly string[];
  run(state: State, parameters: Parameters, fault: FaultRule | undefined): unknown;
}

/** A bare text in the answer, without JSON quotes. */
export class Bare {
  readonly text: string;
  constructor(text: string) {
    this.text = text;
  }
}

export function rulesOf({ settings }: State, name: string): TldRules {
  const tld = name.slice(name.indexOf('.') + 1);
  const rules = settings.tlds[tld];
  if (!rules) throw new Refused(`You are not allowed to sell the product for .${tld}`);
  return rules;
}

/** The domain of an order id of this account. */
export function orderOf({ portfolio }: State, parameters: Parameters): SimulatedDomain {
  const id = parameters.text('order-id');
  const found = portfolio.byId(id);
  if (!found) throw new Refused(`No Entity found for Entityid: ${id}`);
  return found;
}

export function activeOrderOf(state: State, parameters: Parameters): SimulatedDomain {
  const found = orderOf(state, parameters);
  if (found.status !== 'active') throw new Refused('Order is not Active', 'error');
  if (found.suspended) throw new Refused('Order is Suspended', 'error');
  return found;
}

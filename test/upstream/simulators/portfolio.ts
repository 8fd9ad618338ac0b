import { dayMs, type SimulatorClock, yearsLater } from './clock.ts';
import type { FaultRule } from './faults.ts';
import type { Ledger } from './ledger.ts';

type DomainStatus = 'pending' | 'active' | 'redemption' | 'deleted' | 'failed' | 'transferred_out';

export interface SimulatedDomain {
  readonly id: string;
  readonly name: string;
  readonly customer: string;
  status: DomainStatus;
  createdAt: number;
  expiresAt: number | null;
  deletedAt: number | null;
  autoRenew: boolean;
  locked: boolean;
  suspended: boolean;
  privacy: boolean;
  authCode: string;
  nameservers: string[];
  hosts: Record<string, string[]>;
  contacts: Record<string, string>;
  dnssec: Record<string, string>[];
}

export type Verb = 'register' | 'renew' | 'transfer' | 'restore' | 'delete' | 'change';
export type OrderState = 'open' | 'saved' | 'in_doubt' | 'done' | 'failed' | 'cancelled';

export interface SimulatedOrder {
  readonly id: string;
  readonly domainId: string;
  readonly domain: string;
  readonly verb: Verb;
  readonly at: number;
  doneAt: number | null;
  state: OrderState;
  /** In minor units. */
  readonly cost: number;
  readonly years: number;
  /** Why it failed, or what it waits for. */
  text: string;
  /** The caller's own reference, where the upstream keeps one. */
  readonly reference: string;
  /** How `settle()` ends it. */
  readonly willFail: boolean;
}

type Effect = (domain: SimulatedDomain) => void;

export interface PlacedOrder {
  readonly domain: SimulatedDomain;
  readonly verb: Verb;
  readonly cost: number;
  readonly years?: number;
  readonly reference?: string;
  readonly text: string;
  /** Waits for `complete()` instead of being carried out at once. */
  readonly waits?: boolean;
  readonly effect: Effect;
}

const redemptionDays = 30;

/** Domains and orders of an account at a simulated upstream. An order holds its cost, and is charged when it is carried out. */
export class Portfolio {
  readonly domains = new Map<string, SimulatedDomain>();
  readonly orders = new Map<string, SimulatedOrder>();
  readonly #byName = new Map<string, SimulatedDomain[]>();
  readonly #byDomain = new Map<string, SimulatedOrder[]>();
  readonly #effects = new Map<string, Effect>();
  /** The state before the last change, for answers from a cache. */
  readonly #before = new Map<string, SimulatedDomain | undefined>();
  readonly #clock: SimulatorClock;
  readonly #ledger: Ledger;
  #nextDomain: number;
  #nextOrder: number;

  constructor(clock: SimulatorClock, ledger: Ledger, firstDomain: number, firstOrder: number) {
    this.#clock = clock;
    this.#ledger = ledger;
    this.#nextDomain = firstDomain;
    this.#nextOrder = firstOrder;
  }

  enter(domain: Partial<SimulatedDomain> & Pick<SimulatedDomain, 'name' | 'customer'>): SimulatedDomain {
    const entered: SimulatedDomain = {
      id: String(this.#nextDomain),
      status: 'pending',
      createdAt: this.#clock.now(),
      expiresAt: null,
      deletedAt: null,
      autoRenew: false,
      locked: false,
      suspended: false,
      privacy: false,
      authCode: '',
      nameservers: [],
      hosts: {},
      contacts: {},
      dnssec: [],
      ...domain,
    };
    this.#nextDomain += 1;
    this.domains.set(entered.id, entered);
    this.#byName.set(entered.name, [...(this.#byName.get(entered.name) ?? []), entered]);
    return entered;
  }

  /** The domain that is registered or being registered here; else the last one that was. */
  find(name: string): SimulatedDomain | undefined {
    const all = (this.#byName.get(name) ?? []).map((each) => this.refresh(each));
    return all.findLast(isHeld) ?? all.at(-1);
  }

  holds(name: string): boolean {
    const found = this.find(name);
    return found !== undefined && isHeld(found);
  }

  byId(id: string): SimulatedDomain | undefined {
    const found = this.domains.get(id);
    return found && this.refresh(found);
  }

  /** As an outdated cache shows it. */
  stale(name: string): SimulatedDomain | undefined {
    return this.#before.has(name) ? this.#before.get(name) : this.find(name);
  }

  ordersOf(domainId: string): SimulatedOrder[] {
    return this.#byDomain.get(domainId) ?? [];
  }

  openOrder(domainId: string): SimulatedOrder | undefined {
    return this.ordersOf(domainId).find(({ state }) => state === 'open' || state === 'saved' || state === 'in_doubt');
  }

  /** Throws `InsufficientFunds`, and then nothing was placed. */
  place(placed: PlacedOrder, fault?: FaultRule): SimulatedOrder {
    const { domain, verb, cost, years = 0, reference = '', text, effect } = placed;
    const id = String(this.#nextOrder);
    this.#ledger.hold(id, cost);
    this.#nextOrder += 1;
    const state: OrderState = fault?.kind === 'saved' ? 'saved' : fault?.kind === 'in_doubt' ? 'in_doubt' : 'open';
    const at = this.#clock.now();
    const willFail = fault?.kind === 'fails_later';
    const [domainId, name] = [domain.id, domain.name];
    const order = { id, domainId, domain: name, verb, at, doneAt: null, state, cost, years, text, reference, willFail };
    this.orders.set(id, order);
    this.#byDomain.set(domain.id, [...this.ordersOf(domain.id), order]);
    this.#effects.set(id, effect);
    const waits = placed.waits === true || state !== 'open' || willFail;
    if (!waits) this.complete(id);
    return order;
  }

  /** Carries out an order that waits. */
  complete(orderId: string): SimulatedOrder {
    const order = this.#waiting(orderId);
    const domain = this.domains.get(order.domainId)!;
    this.#keepBefore(domain, order.verb === 'register');
    this.#ledger.capture(orderId, order.domain, order.text);
    this.#effects.get(orderId)!(domain);
    order.state = 'done';
    order.doneAt = this.#clock.now();
    return order;
  }

  /** Ends an order that waits, without a charge. */
  fail(orderId: string, why: string, state: 'failed' | 'cancelled' = 'failed'): SimulatedOrder {
    const order = this.#waiting(orderId);
    this.#ledger.release(orderId);
    order.state = state;
    order.text = why;
    order.doneAt = this.#clock.now();
    const domain = this.domains.get(order.domainId)!;
    if (domain.status === 'pending') domain.status = 'failed';
    return order;
  }

  /** Ends all orders that wait. */
  settle(): void {
    for (const { id, doneAt, willFail } of this.orders.values()) {
      if (doneAt !== null) continue;
      if (willFail) this.fail(id, 'The registry refused the order');
      else this.complete(id);
    }
  }

  /** A change without a charge. */
  change(domain: SimulatedDomain, text: string, effect: Effect, fault?: FaultRule): SimulatedOrder {
    return this.place({ domain, verb: 'change', cost: 0, text, effect }, fault);
  }

  /** Domains leave the redemption period when its time is over. */
  refresh(domain: SimulatedDomain): SimulatedDomain {
    if (domain.status === 'redemption' && this.#clock.now() >= domain.deletedAt! + redemptionDays * dayMs)
      domain.status = 'deleted';
    return domain;
  }

  /** The upstream's own auto-renewal: it renews what is set to auto-renew and has expired, and charges for it. */
  renewExpired(costOf: (domain: SimulatedDomain) => number): SimulatedOrder[] {
    const due = [...this.domains.values()].filter(
      ({ status, autoRenew, expiresAt }) => status === 'active' && autoRenew && expiresAt! <= this.#clock.now(),
    );
    return due.map((domain) =>
      this.place({
        domain,
        verb: 'renew',
        cost: costOf(domain),
        years: 1,
        text: `Automatic renewal of ${domain.name} for 1 year`,
        effect: (each) => {
          each.expiresAt = yearsLater(each.expiresAt!, 1);
        },
      }),
    );
  }

  #waiting(orderId: string): SimulatedOrder {
    const order = this.orders.get(orderId);
    if (!order || order.doneAt !== null) throw new Error(`order ${orderId} does not wait`);
    return order;
  }

  #keepBefore(domain: SimulatedDomain, isNew: boolean): void {
    this.#before.set(domain.name, isNew ? undefined : structuredClone(domain));
  }
}

export const isHeld = ({ status }: SimulatedDomain): boolean =>
  status === 'pending' || status === 'active' || status === 'redemption';

/** Differences between the orders and the money; none if they agree. */
export function moneyProblems({ orders }: Portfolio, ledger: Ledger): string[] {
  const problems: string[] = [];
  const sum = ledger.entries.reduce((total, { amount }) => total + amount, 0);
  if (sum !== ledger.balance) problems.push(`the entries make ${sum}, and the balance is ${ledger.balance}`);
  const charges = Map.groupBy(ledger.charges(), ({ orderId }) => orderId);
  let held = 0;
  for (const order of orders.values()) {
    const charged = charges.get(order.id) ?? [];
    const wanted = order.state === 'done' && order.cost > 0 ? 1 : 0;
    if (charged.length !== wanted)
      problems.push(`order ${order.id} (${order.state}) was charged ${charged.length} times`);
    if (charged.some(({ amount }) => amount !== -order.cost)) problems.push(`order ${order.id} has another amount`);
    if (order.doneAt === null) held += order.cost;
    charges.delete(order.id);
  }
  if (charges.size > 0) problems.push(`${charges.size} charges are of no order`);
  if (held !== ledger.held) problems.push(`open orders hold ${held}, and the ledger holds ${ledger.held}`);
  return problems;
}

import type { SimulatorClock } from './clock.ts';

export interface LedgerEntry {
  readonly id: string;
  readonly at: number;
  readonly kind: 'funds' | 'charge' | 'refund';
  /** In minor units. A charge is negative. */
  readonly amount: number;
  readonly domain: string;
  readonly orderId: string;
  readonly text: string;
}

export class InsufficientFunds extends Error {}

/** The money of the reseller's account at a simulated upstream, in minor units of one currency. */
export class Ledger {
  readonly currency: string;
  readonly entries: LedgerEntry[] = [];
  readonly #holds = new Map<string, number>();
  readonly #clock: SimulatorClock;
  #nextId: number;
  #balance = 0;
  #held = 0;

  constructor(clock: SimulatorClock, currency: string, funds: number, firstId = 700_001) {
    this.#clock = clock;
    this.currency = currency;
    this.#nextId = firstId;
    this.#write('funds', funds, '', '', 'Funds added');
  }

  get balance(): number {
    return this.#balance;
  }

  get held(): number {
    return this.#held;
  }

  get available(): number {
    return this.balance - this.held;
  }

  addFunds(amount: number): void {
    this.#write('funds', amount, '', '', 'Funds added');
  }

  hold(orderId: string, amount: number): void {
    if (this.#holds.has(orderId)) throw new Error(`order ${orderId} holds money already`);
    if (amount > this.available) throw new InsufficientFunds(`${amount} of ${this.available}`);
    this.#holds.set(orderId, amount);
    this.#held += amount;
  }

  /** Charges what was held for the order. */
  capture(orderId: string, domain: string, text: string): void {
    const amount = this.#take(orderId);
    if (amount !== 0) this.#write('charge', -amount, domain, orderId, text);
  }

  release(orderId: string): void {
    this.#take(orderId);
  }

  refund(orderId: string, text: string): void {
    const charged = this.netOfOrder(orderId);
    const charge = this.entries.find((entry) => entry.orderId === orderId && entry.kind === 'charge');
    if (charged === 0 || !charge) return;
    this.#write('refund', charged, charge.domain, orderId, text);
  }

  /** What an order cost, less its refunds. */
  netOfOrder(orderId: string): number {
    return 0 - this.#sum((entry) => entry.orderId === orderId);
  }

  netOfDomain(domain: string): number {
    return 0 - this.#sum((entry) => entry.domain === domain);
  }

  charges(domain?: string): LedgerEntry[] {
    return this.entries.filter(({ kind, domain: of }) => kind === 'charge' && (domain === undefined || of === domain));
  }

  #sum(wanted: (entry: LedgerEntry) => boolean): number {
    return this.entries.filter(wanted).reduce((sum, { amount }) => sum + amount, 0);
  }

  #take(orderId: string): number {
    const amount = this.#holds.get(orderId);
    if (amount === undefined) throw new Error(`order ${orderId} holds no money`);
    this.#holds.delete(orderId);
    this.#held -= amount;
    return amount;
  }

  #write(kind: LedgerEntry['kind'], amount: number, domain: string, orderId: string, text: string): void {
    if (!Number.isSafeInteger(amount)) throw new Error(`${amount} is not a whole number of minor units`);
    const id = String(this.#nextId);
    this.#nextId += 1;
    this.#balance += amount;
    this.entries.push({ id, at: this.#clock.now(), kind, amount, domain, orderId, text });
  }
}

/** Minor units as decimal text: 1099 is `10.99`. */
export function decimal(minor: number): string {
  const digits = String(Math.abs(minor)).padStart(3, '0');
  return `${minor < 0 ? '-' : ''}${digits.slice(0, -2)}.${digits.slice(-2)}`;
}

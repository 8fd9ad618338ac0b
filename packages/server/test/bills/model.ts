/**
 * A model of what a chain of resellers and their customers own and owe, made only from docs/guide (balances-and-prices.md,
 * customer-billing.md, invoices.md, domain-states.md). It shares no code with the service that it tests. Amounts in minor units.
 */
export type Option = 'no_invoice' | 'keep_invoice' | 'pay_invoice' | 'only_add';
export type Action = 'create' | 'renew';

interface Customer {
  readonly level: number;
  balance: number;
}

interface Reseller {
  balance: number;
  readonly limit: number;
  /** What it received from those below, less refunds. */
  revenue: number;
  /** What it paid to the one above, less refunds. */
  spent: number;
}

/** customer-billing.md, "Bills". */
export interface Bill {
  readonly customer: number;
  readonly action: Action;
  readonly name: string;
  readonly amount: number;
  status: 'unpaid' | 'completed' | 'cancelled' | 'refunded';
  /** Its order has run. */
  isRun: boolean;
  /** Credited before it was paid. */
  credited: number;
  paid: number;
  refunded: number;
  /** The term that a renewal was ordered for. */
  readonly term: number;
}

interface Live {
  readonly customer: number;
  /** Number of renewals. */
  terms: number;
  /** Its purchases, each with its bill if there is one. */
  readonly bought: { readonly action: Action; readonly bill: number | null }[];
}

interface Kept {
  readonly r: readonly Reseller[];
  readonly c: readonly Customer[];
  readonly b: readonly Bill[];
  readonly n: readonly [string, Live][];
}

/** What level 0 pays the operator, level 1 level 0, and level 2 level 1; and the prices of each for its customers. */
export const prices: Record<Action, { readonly resellers: readonly number[]; readonly customers: readonly number[] }> =
  {
    create: { resellers: [1000, 1201, 1399], customers: [1500, 1633, 1999] },
    renew: { resellers: [1100, 1310, 1477], customers: [1600, 1755, 2101] },
  };

export class Model {
  readonly resellers: Reseller[];
  readonly customers: Customer[];
  readonly bills: Bill[] = [];
  readonly names = new Map<string, Live>();

  constructor(limits: readonly number[], customers: readonly number[]) {
    this.resellers = limits.map((limit) => ({ balance: 0, limit, revenue: 0, spent: 0 }));
    this.customers = customers.map((level) => ({ level, balance: 0 }));
  }

  /** Every level pays in one step, or none does. */
  #chainCanPay(level: number, action: Action): boolean {
    const { resellers } = prices[action];
    return this.resellers.every((each, n) => n > level || each.balance - resellers[n]! >= -each.limit);
  }

  #chain(level: number, action: Action, sign: 1 | -1): void {
    for (let n = level; n >= 0; n -= 1) {
      const price = prices[action].resellers[n]!;
      const payer = this.resellers[n]!;
      payer.balance -= sign * price;
      payer.spent += sign * price;
      if (n > 0) this.resellers[n - 1]!.revenue += sign * price;
    }
  }

  /** Why an order would be refused now; none: it would run. */
  #obstacle(bill: Pick<Bill, 'customer' | 'action' | 'name' | 'term'>): string | undefined {
    const live = this.names.get(bill.name);
    if (bill.action === 'create' && live) return 'domain_not_available';
    if (bill.action === 'renew' && !live) return 'gone';
    if (bill.action === 'renew' && live!.terms !== bill.term) return 'already_renewed';
    return this.#chainCanPay(this.customers[bill.customer]!.level, bill.action) ? undefined : 'insufficient_funds';
  }

  #run(bill: Pick<Bill, 'customer' | 'action' | 'name'>, id: number | null): void {
    this.#chain(this.customers[bill.customer]!.level, bill.action, 1);
    const { action, customer } = bill;
    if (action === 'create') this.names.set(bill.name, { customer, terms: 0, bought: [] });
    else this.names.get(bill.name)!.terms += 1;
    this.names.get(bill.name)!.bought.push({ action, bill: id });
  }

  #pay(bill: Bill): void {
    const customer = this.customers[bill.customer]!;
    const owed = bill.amount - bill.credited;
    customer.balance -= owed;
    this.resellers[customer.level]!.revenue += owed;
    Object.assign(bill, { status: 'completed', paid: owed });
  }

  fundReseller(level: number, amount: number): void {
    this.resellers[level]!.balance += amount;
  }

  debitReseller(level: number, amount: number): string | undefined {
    const one = this.resellers[level]!;
    if (one.balance - amount < -one.limit) return 'insufficient_funds';
    one.balance -= amount;
    return undefined;
  }

  fundCustomer(customer: number, amount: number): void {
    this.customers[customer]!.balance += amount;
  }

  /** A customer has no credit. */
  debitCustomer(customer: number, amount: number): string | undefined {
    if (this.customers[customer]!.balance < amount) return 'insufficient_funds';
    this.customers[customer]!.balance -= amount;
    return undefined;
  }

  /** Returns the refusal, or the bill if there is one. */
  order(customer: number, action: Action, name: string, option: Option): { refused?: string; bill?: number } {
    const { level, balance } = this.customers[customer]!;
    const amount = prices[action].customers[level]!;
    const term = this.names.get(name)?.terms ?? 0;
    const wanted = { customer, action, name, amount, term };
    const live = this.names.get(name);
    if (action === 'create' && live) return { refused: 'domain_not_available' };
    const first = this.#waiting(wanted);
    // customer-billing.md: an order that would run at once is refused while an equal order waits.
    if (first && (option === 'keep_invoice' || option === 'no_invoice')) return { refused: 'conflict' };
    const waits = option === 'only_add' || (option === 'pay_invoice' && balance < amount);
    // customer-billing.md: a repeated order returns the one that already waits.
    if (waits && first) return { bill: this.bills.indexOf(first) };
    const obstacle = waits ? undefined : this.#obstacle(wanted);
    if (obstacle ?? first) return { refused: obstacle ?? 'conflict' };
    const id = option === 'no_invoice' ? null : this.bills.length;
    if (id !== null) this.bills.push({ ...wanted, status: 'unpaid', isRun: !waits, credited: 0, paid: 0, refunded: 0 });
    if (!waits) {
      this.#run(wanted, id);
      if (option === 'pay_invoice') this.#pay(this.bills[id!]!);
    }
    return id === null ? {} : { bill: id };
  }

  #waiting({ customer, action, name, term }: Pick<Bill, 'customer' | 'action' | 'name' | 'term'>): Bill | undefined {
    const isFirst = (bill: Bill) =>
      bill.customer === customer && bill.action === action && bill.name === name && bill.term === term;
    return this.bills.find((bill) => isFirst(bill) && !bill.isRun && bill.status === 'unpaid');
  }

  /** `pay`, `pay_add_only`, `retry`: several at once succeed together or not at all. */
  pay(ids: readonly number[], how: { deposit?: boolean; onlyWaiting?: boolean }): string | undefined {
    const bills = ids.map((id) => this.bills[id]!);
    for (const bill of bills) if (bill.status !== 'unpaid' || (how.onlyWaiting && bill.isRun)) return 'conflict';
    if (
      new Set(bills.filter((bill) => !bill.isRun).map(({ name }) => name)).size < bills.filter((b) => !b.isRun).length
    )
      return 'invalid_argument';
    const before = this.#copy();
    for (const [n, bill] of bills.entries()) {
      const owed = bill.amount - bill.credited;
      const customer = this.customers[bill.customer]!;
      if (how.deposit) customer.balance += owed;
      const obstacle = customer.balance < owed ? 'insufficient_funds' : bill.isRun ? undefined : this.#obstacle(bill);
      if (obstacle) {
        this.#restore(before);
        return obstacle;
      }
      this.#pay(bill);
      if (!bill.isRun) this.#run(bill, ids[n]!);
      bill.isRun = true;
    }
    return undefined;
  }

  retry(id: number): string | undefined {
    const bill = this.bills[id]!;
    if (bill.status === 'cancelled') return bill.isRun ? undefined : 'conflict';
    return bill.isRun ? undefined : this.pay([id], { onlyWaiting: true });
  }

  execute(id: number, cancelInvoice: boolean): string | undefined {
    const bill = this.bills[id]!;
    if (bill.status !== 'unpaid' || bill.isRun) return 'conflict';
    const obstacle = this.#obstacle(bill);
    if (obstacle) return obstacle;
    this.#run(bill, cancelInvoice ? null : id);
    Object.assign(bill, { isRun: true, status: cancelInvoice ? 'cancelled' : 'unpaid' });
    return undefined;
  }

  cancel(id: number): string | undefined {
    const bill = this.bills[id]!;
    if (bill.isRun) return 'conflict';
    bill.status = 'cancelled';
    return undefined;
  }

  /**
   * domain-states.md: within the add grace period the domain is gone at once, and the registration is refunded with every renewal since.
   */
  delete(name: string): void {
    const live = this.names.get(name)!;
    this.names.delete(name);
    // An order for a domain that is gone can never run.
    for (const bill of this.bills)
      if (bill.action === 'renew' && bill.name === name && !bill.isRun && bill.status === 'unpaid')
        bill.status = 'cancelled';
    for (const { action, bill: id } of live.bought) {
      this.#chain(this.customers[live.customer]!.level, action, -1);
      const bill = id === null ? undefined : this.bills[id]!;
      if (bill?.status === 'unpaid') Object.assign(bill, { status: 'cancelled', credited: bill.amount });
      if (bill?.status === 'completed') this.#giveBack(bill, bill.paid - bill.refunded);
    }
  }

  #giveBack(bill: Bill, amount: number): void {
    const customer = this.customers[bill.customer]!;
    customer.balance += amount;
    this.resellers[customer.level]!.revenue -= amount;
    bill.refunded += amount;
    if (bill.refunded === bill.paid) bill.status = 'refunded';
  }

  /** The amount of the bill that a document can still credit. */
  creditable(id: number): number {
    const bill = this.bills[id]!;
    if (!bill.isRun || (bill.status !== 'unpaid' && bill.status !== 'completed')) return 0;
    return bill.status === 'unpaid' ? bill.amount - bill.credited : bill.paid - bill.refunded;
  }

  /** invoices.md: an open amount is no longer owed, a paid amount goes to the balance; the purchase stays. */
  credit(id: number, amount: number): void {
    const bill = this.bills[id]!;
    if (bill.status === 'completed') this.#giveBack(bill, amount);
    else {
      bill.credited += amount;
      if (bill.credited === bill.amount) bill.status = 'cancelled';
    }
  }

  #copy(): Kept {
    return structuredClone({ r: this.resellers, c: this.customers, b: this.bills, n: [...this.names] });
  }

  #restore({ r, c, b, n }: Kept): void {
    for (const [at, each] of r.entries()) Object.assign(this.resellers[at]!, each);
    for (const [at, each] of c.entries()) Object.assign(this.customers[at]!, each);
    for (const [at, each] of b.entries()) Object.assign(this.bills[at]!, each);
    this.names.clear();
    for (const [name, live] of n) this.names.set(name, live);
  }
}

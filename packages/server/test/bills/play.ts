import { allTenants, sql } from '@namehold/postgres';
import fc from 'fast-check';
import { expect } from 'vitest';
import { makeContact, makeCustomer } from '../../../../test/support/parties.ts';
import { makeReseller } from '../../../../test/support/resellers.ts';
import type { Called, TestService } from '../../../../test/support/service.ts';
import { expireOrders } from '../../src/core/domains/orders/cancel.ts';
import { issueDue } from '../../src/core/invoices/issue.ts';
import { type Action, type Bill, Model, prices } from './model.ts';
import { type Step, step } from './steps.ts';

/** Level 2 has a small credit limit; the others have none. */
const limits = [0, 0, 5_00];
/** The levels of the customers: one of each level, and a second of the lowest. */
const levels = [0, 1, 2, 2];
const namesInPlay = 6;

const text = (minor: number) => (minor / 100).toFixed(2);
const minor = ({ amount }: { amount: string }) => Math.round(Number(amount) * 100);
let chains = 0;
let calls = 0;

interface Party {
  readonly id: string;
  readonly contact: string;
}

/** A chain of three resellers with their customers, beside its model: every step is applied to both. */
class ResellerChain {
  readonly #t: TestService;
  readonly #model = new Model(limits, levels);
  readonly #as: readonly string[];
  readonly #customers: readonly Party[];
  readonly #billIds: string[] = [];
  readonly #word: string;

  private constructor(t: TestService, as: readonly string[], customers: readonly Party[], prefix: string) {
    this.#t = t;
    this.#as = as;
    this.#customers = customers;
    this.#word = prefix;
  }

  static async open(t: TestService): Promise<ResellerChain> {
    const as: string[] = [];
    for (const [n, limit] of limits.entries()) {
      const parent = as[n - 1] ?? t.operator;
      as.push(await makeReseller(t, parent));
      const id = as[n]!.split(':')[0]!;
      if (limit > 0)
        ok(
          await t.call('PUT', `/v1/resellers/${id}/credit_limit`, { as: parent, form: { credit_limit: text(limit) } }),
        );
      const list = (of: 'resellers' | 'customers', at: number) =>
        (['create', 'renew'] as const).map((action) => {
          return { tld: 'com', action, years: 1, amount: text(prices[action][of][at]!), currency: 'USD' };
        });
      const set = (target: string, seller: string, list: object[]) =>
        t.call('PUT', '/v1/account/price_list', { as: seller, json: { target, prices: list } });
      ok(await set('reseller', parent, list('resellers', n)));
      ok(await set('customer', as[n]!, list('customers', n)));
    }
    const customers: Party[] = [];
    for (const level of levels) {
      const id = await makeCustomer(t, as[level]!);
      customers.push({ id, contact: await makeContact(t, id, as[level]!) });
    }
    chains += 1;
    return new ResellerChain(t, as, customers, `w${chains}-${Date.now().toString(36)}`);
  }

  #name(index: number): string {
    return `${this.#word}-${index % namesInPlay}.com`;
  }

  #bill(index: number): number | undefined {
    const { length } = this.#model.bills;
    return length === 0 ? undefined : index % length;
  }

  #call(customer: number, method: string, path: string, form: Record<string, string>, key?: string): Promise<Called> {
    calls += 1;
    const headers = { 'Idempotency-Key': key ?? `${this.#word}-${calls}` };
    return this.#t.call(method, path, { as: this.#as[levels[customer]!]!, form, headers });
  }

  #ofBill(id: number, verb: string, form: Record<string, string>, key?: string): Promise<Called> {
    const { customer } = this.#model.bills[id]!;
    const path = `/v1/customers/${this.#customers[customer]!.id}/transactions/${verb}`;
    return this.#call(customer, 'POST', path, form, key);
  }

  async play(one: Step): Promise<void> {
    if ('level' in one) await this.#charge(one);
    else if (one.do === 'fundCustomer' || one.do === 'debitCustomer') await this.#chargeCustomer(one);
    else if (one.do === 'order') await this.#order(one);
    else if (one.do === 'pay') await this.#pay(one.bills, one);
    else if (one.do === 'payAddOnly') await this.#pay(one.bills, { onlyWaiting: true });
    else if (one.do === 'delete') await this.#delete(this.#name(one.name));
    else if ('bill' in one) {
      const id = this.#bill(one.bill);
      if (id !== undefined) await this.#withBill(one, id);
    }
  }

  async #charge(one: Step & { level: number; amount: number }): Promise<void> {
    const id = this.#as[one.level]!.split(':')[0]!;
    const as = this.#as[one.level - 1] ?? this.#t.operator;
    const verb = one.do === 'fundReseller' ? 'fund' : 'debit_note';
    const form = { amount: text(one.amount), description: 'x' };
    const called = await this.#t.call('POST', `/v1/resellers/${id}/transactions/${verb}`, { as, form });
    const refused =
      verb === 'fund'
        ? this.#model.fundReseller(one.level, one.amount)
        : this.#model.debitReseller(one.level, one.amount);
    compareOutcome(one, called, refused ?? undefined);
  }

  async #chargeCustomer(one: Step & { customer: number; amount: number }): Promise<void> {
    const verb = one.do === 'fundCustomer' ? 'fund' : 'debit_note';
    const path = `/v1/customers/${this.#customers[one.customer]!.id}/transactions/${verb}`;
    const called = await this.#call(one.customer, 'POST', path, { amount: text(one.amount), description: 'x' });
    const refused =
      verb === 'fund'
        ? this.#model.fundCustomer(one.customer, one.amount)
        : this.#model.debitCustomer(one.customer, one.amount);
    compareOutcome(one, called, refused ?? undefined);
  }

  async #order(one: Step & { do: 'order' }): Promise<void> {
    const name = this.#name(one.name);
    const live = this.#model.names.get(name);
    // The owner of the domain orders its renewal.
    const customer = one.action === 'renew' ? live?.customer : one.customer;
    if (customer === undefined) return;
    const send = await this.#purchase(customer, one.action, name, one.option);
    const called = await send();
    const { refused, bill } = this.#model.order(customer, one.action, name, one.option);
    compareOutcome(one, called, refused);
    if (bill !== undefined) this.#billIds[bill] = called.body.transaction_id;
    if (one.again && !refused) expect((await send()).body.transaction_id).toBe(called.body.transaction_id);
  }

  async #purchase(customer: number, action: Action, name: string, option: string): Promise<() => Promise<Called>> {
    const { id, contact } = this.#customers[customer]!;
    const roles = ['registrant', 'admin', 'tech', 'billing'].map((role) => [`${role}_contact_id`, contact]);
    calls += 1;
    const key = `${this.#word}-order-${calls}`;
    if (action === 'create') {
      const form = { domain_name: name, customer_id: id, ...Object.fromEntries(roles), invoice_option: option };
      return () => this.#call(customer, 'POST', '/v1/domains', form, key);
    }
    const as = this.#as[levels[customer]!]!;
    const { end_date } = (await this.#t.call('GET', `/v1/domains/${name}`, { as })).body;
    const form = { years: '1', current_date: end_date, invoice_option: option };
    return () => this.#call(customer, 'POST', `/v1/domains/${name}/renew`, form, key);
  }

  /** Bills of one customer: the first drawn bill decides which. */
  async #pay(indexes: readonly number[], options: { deposit?: boolean; onlyWaiting?: boolean; again?: boolean }) {
    const selected = [...new Set(indexes.map((index) => this.#bill(index)))].filter((id) => id !== undefined);
    const [first] = selected;
    if (first === undefined) return;
    const { customer } = this.#model.bills[first]!;
    // In the order of their creation, which is the order in which they are paid.
    const ids = selected.filter((id) => this.#model.bills[id]!.customer === customer).sort((a, b) => a - b);
    calls += 1;
    const form = { transaction_id: ids.map((id) => this.#billIds[id]!).join(',') };
    const all = options.onlyWaiting ? form : { ...form, subtract_balance: options.deposit ? 'false' : 'true' };
    const key = `${this.#word}-pay-${calls}`;
    const send = () => this.#ofBill(first, options.onlyWaiting ? 'pay_add_only' : 'pay', all, key);
    const called = await send();
    const refused = this.#model.pay(ids, options);
    compareOutcome({ do: 'pay', ids, how: options }, called, refused, ids.length > 1);
    if (options.again && !refused) expect((await send()).status).toBe(200);
  }

  async #delete(name: string): Promise<void> {
    const live = this.#model.names.get(name);
    if (!live) return;
    ok(await this.#call(live.customer, 'DELETE', `/v1/domains/${name}`, {}));
    // As the background job does every minute: cancels orders whose domain is gone.
    await expireOrders(this.#t.ctx);
    this.#model.delete(name);
  }

  async #withBill(one: Extract<Step, { bill: number }>, id: number): Promise<void> {
    const transaction_id = this.#billIds[id]!;
    if (one.do === 'credit') {
      await this.#credit(one, id);
      return;
    }
    if (one.do === 'execute') {
      const called = await this.#ofBill(id, 'execute', { transaction_id, cancel_invoice: String(one.cancel) });
      compareOutcome(one, called, this.#model.execute(id, one.cancel));
      return;
    }
    const called = await this.#ofBill(id, one.do, { transaction_id });
    compareOutcome(one, called, this.#model[one.do](id));
  }

  async #documents(id: number) {
    await issueDue(this.#t.ctx);
    const as = this.#as[levels[this.#model.bills[id]!.customer]!]!;
    const query = { transaction_id: this.#billIds[id]!, limit: '100' };
    return ok(await this.#t.call('GET', '/v1/invoices', { as, query })).body as Document[];
  }

  async #credit(one: Step & { do: 'credit' }, id: number): Promise<void> {
    const creditable = this.#model.creditable(id);
    const invoice = (await this.#documents(id)).find(
      ({ kind, state }) => kind === 'invoice' && /open|paid/.test(state),
    );
    if (creditable === 0 || !invoice) return;
    const amount = Math.max(1, Math.floor((creditable * one.part) / 100));
    const form = { reason: 'x', ...(one.reissue ? { reissue: 'true' } : { amount: text(amount) }) };
    ok(
      await this.#call(this.#model.bills[id]!.customer, 'POST', `/v1/invoices/${invoice.invoice_id}/credit_note`, form),
    );
    if (!one.reissue) this.#model.credit(id, amount);
  }

  /** Balances, bills, documents and margins equal the model, and no balance is below its limit. */
  async check(): Promise<void> {
    const { resellers, customers, bills } = this.#model;
    for (const [n, one] of resellers.entries()) {
      const funds = ok(await this.#t.call('GET', '/v1/account/funds', { as: this.#as[n]! })).body;
      expect([minor(funds.balance), minor(funds.held)], `level ${n}`).toEqual([one.balance, 0]);
      expect(one.balance).toBeGreaterThanOrEqual(-one.limit);
      expect(await this.#margin(n), `margin of level ${n}`).toBe(one.revenue - one.spent);
    }
    for (const [n, one] of customers.entries()) {
      const path = `/v1/customers/${this.#customers[n]!.id}`;
      const as = this.#as[one.level]!;
      const funds = ok(await this.#t.call('GET', `${path}/funds`, { as })).body;
      expect([minor(funds.balance), minor(funds.held)], `customer ${n}`).toEqual([one.balance, 0]);
      expect(one.balance).toBeGreaterThanOrEqual(0);
      const day = this.#t.ctx.clock.now().toISOString().slice(0, 10);
      const statement = ok(await this.#t.call('GET', `${path}/statement`, { as, query: { from: day, to: day } })).body;
      expect(minor(statement.closing.balance), `statement of customer ${n}`).toBe(one.balance);
    }
    for (const [id, bill] of bills.entries()) await this.#checkBill(id, bill);
  }

  async #checkBill(id: number, bill: Bill): Promise<void> {
    const as = this.#as[levels[bill.customer]!]!;
    const path = `/v1/customers/${this.#customers[bill.customer]!.id}/transactions/${this.#billIds[id]}`;
    const { status, amount } = ok(await this.#t.call('GET', path, { as })).body;
    const context = `bill ${this.#billIds[id]}: ${JSON.stringify(bill)}`;
    // A credited amount is not owed any more; a finished bill keeps its amount.
    const shown = bill.status === 'cancelled' ? bill.amount : bill.amount - bill.credited;
    expect([status, amount], context).toEqual([bill.status, shown / 100]);
    const documents = (await this.#documents(id)).filter(({ number }) => number !== null);
    const sum = (kind: string) =>
      documents.filter((each) => each.kind === kind).reduce((total, each) => total + minor(each.total), 0);
    const isGivenAway = bill.isRun && bill.status === 'cancelled' && bill.credited === 0;
    const isSold = bill.isRun && !isGivenAway;
    expect(sum('invoice') - sum('credit_note'), context).toBe(isSold ? bill.amount - bill.credited - bill.refunded : 0);
    if (!isSold) return expect(documents, context).toEqual([]);
    const openInvoices = documents.filter(({ kind, state }) => kind === 'invoice' && state !== 'credited');
    const state = { unpaid: ['open'], completed: ['paid'], cancelled: [], refunded: [] }[bill.status];
    expect(
      openInvoices.map((each) => each.state),
      context,
    ).toEqual(state);
  }

  async #margin(level: number): Promise<number> {
    const id = this.#as[level]!.split(':')[0]!;
    const row = await this.#t.ctx.db.as(allTenants).one<{ revenue: string; spent: string }>(sql`
      select coalesce(sum(e.amount) filter (where a.kind = 'revenue' and a.reseller_id = ${id}), 0) as revenue,
        coalesce(sum(e.amount) filter (where a.kind = 'revenue' and t.reseller_id = ${id} and t.customer_id is null), 0) as spent
      from ledger_entry e join ledger_account a on a.id = e.account_id join ledger_transaction t on t.id = e.transaction_id`);
    return Number(row.revenue) - Number(row.spent);
  }
}

interface Document {
  readonly invoice_id: string;
  readonly kind: string;
  readonly state: string;
  readonly number: string | null;
  readonly total: { readonly amount: string };
}

function ok(called: Called): Called {
  expect(called.status, called.text).toBe(200);
  return called;
}

/** If several reasons apply, the answer may name any of them. */
const reasons = ['insufficient_funds', 'domain_not_available', 'already_renewed'];

/** Of several orders the first reason is reported, whichever that is. */
function compareOutcome(what: object, called: Called, refused: string | undefined, isOneOfMany = false): void {
  const context = `${JSON.stringify(what)}: ${called.text}`;
  if (refused === undefined) {
    expect(called.status, context).toBe(200);
    return;
  }
  expect([400, 402, 404, 409], context).toContain(called.status);
  const expected = reasons.includes(refused) ? reasons : [refused];
  if (!isOneOfMany && refused !== 'gone') expect(expected, context).toContain(called.body.code);
}

/** Sequences of steps, each with its own accounts. */
export async function playAll(t: TestService, seed: number, runs: number, steps: number): Promise<void> {
  const sequences = fc.array(step, { minLength: steps, maxLength: steps });
  await fc.assert(
    fc.asyncProperty(sequences, async (sequence) => {
      const chain = await ResellerChain.open(t);
      for (const one of sequence) await chain.play(one);
      await chain.check();
    }),
    // A failing sequence is repeated by its seed; shrinking it would take hours.
    { seed, numRuns: runs, endOnFailure: true },
  );
}

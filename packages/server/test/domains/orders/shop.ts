import { allTenants, sql } from '@namehold/postgres';
import { expect } from 'vitest';
import { type OtherRegistrar, openOtherRegistrar } from '../../../../../test/support/other-registrar.ts';
import { makeContact, makeCustomer } from '../../../../../test/support/parties.ts';
import { expectReconciled } from '../../../../../test/support/reconciliation.ts';
import { makeReseller } from '../../../../../test/support/resellers.ts';
import { type Called, startTestService, type TestService } from '../../../../../test/support/service.ts';
import { schedulerFor } from '../../../src/core/actors.ts';
import { orderPurchase } from '../../../src/core/domains/buy/order-purchase.ts';
import { renew } from '../../../src/core/domains/buy/renew.ts';
import { automaticOrder } from '../../../src/core/domains/renewal/automatic-order.ts';
import type { With } from '../../../src/core/model/domain.ts';
import { findDomainByName } from '../../../src/core/tables/domain.sql.ts';
import { rulesOf } from '../../../src/core/tlds/rules-of.ts';

/** Customer prices: 15 for a registration, 16 for a renewal, 90 for a restore, 4 for privacy, 14 for a transfer. */
const prices = { create: '15.00', renew: '16.00', restore: '90.00', privacy: '4.00', transfer: '14.00' };

export const transferCode = 'a-long-auth-code-4711';

/** Only the registry knows that they are missing. */
export const unknownHosts = { ns: 'ns1.nobody-holds-this.com,ns2.nobody-holds-this.com' };

export function ok(called: Called): Called {
  expect(called.status, called.text).toBe(200);
  return called;
}

/** A service whose demo reseller and its sub-reseller sell to customers. */
export class OrderShop {
  readonly t: TestService;
  readonly child: string;
  readonly #otherRegistrar: OtherRegistrar;
  constructor(t: TestService, child: string, otherRegistrar: OtherRegistrar) {
    this.t = t;
    this.child = child;
    this.#otherRegistrar = otherRegistrar;
  }

  static async open(): Promise<OrderShop> {
    const t = await startTestService({ sandbox: true });
    const child = await makeReseller(t, t.demo);
    const shop = new OrderShop(t, child, openOtherRegistrar(t.service.credentials!.rival_registry_account!));
    for (const as of [t.demo, child]) await shop.setPrices(as);
    await shop.fundReseller(child.split(':')[0]!, t.demo);
    await shop.fundReseller('1000', t.operator);
    return shop;
  }

  async close(): Promise<void> {
    await this.#otherRegistrar.close();
    await expectReconciled(this.t);
    await this.t.stop();
  }

  /** The other registrar has it, ready to be transferred. */
  elsewhere(name: string): Promise<void> {
    return this.#otherRegistrar.hold(name, transferCode);
  }

  async setPrices(as: string): Promise<void> {
    const list = Object.entries(prices).map(([action, amount]) => ({
      tld: 'com',
      action,
      years: 1,
      amount,
      currency: 'USD',
    }));
    ok(await this.t.call('PUT', '/v1/account/price_list', { as, json: { target: 'customer', prices: list } }));
  }

  async fundReseller(id: string, as: string): Promise<void> {
    const form = { amount: '2000', description: 'x' };
    ok(await this.t.call('POST', `/v1/resellers/${id}/transactions/fund`, { as, form }));
  }

  async buyer(as = this.t.demo, paidIn?: string): Promise<Buyer> {
    const id = await makeCustomer(this.t, as);
    const made = new Buyer(this.t, id, await makeContact(this.t, id, as), as);
    if (paidIn) await made.fund(paidIn);
    return made;
  }

  /** As the scheduler renews a domain whose renewal mode says so. */
  async renewAutomatically(name: string): Promise<void> {
    const { ctx } = this.t;
    const db = ctx.db.as(allTenants);
    const domain = (await findDomainByName(db, '1000', name)) as With<'end_date'>;
    const order = automaticOrder(domain, await rulesOf(db, domain), null);
    await ctx.engine.start(await orderPurchase(ctx, schedulerFor(domain, 'auto-renew'), renew, order));
  }

  async spendable(as = this.t.demo): Promise<string> {
    return (await this.t.call('GET', '/v1/account/funds', { as })).body.balance.amount;
  }

  async held(as = this.t.demo): Promise<string> {
    return (await this.t.call('GET', '/v1/account/funds', { as })).body.held.amount;
  }

  /** The reseller's revenue, in minor units. */
  async revenue(resellerId: string): Promise<bigint> {
    const row = await this.t.ctx.db.as(allTenants).one<{ total: string }>(sql`
      select coalesce(sum(e.amount), 0) as total from ledger_entry e join ledger_account a on a.id = e.account_id
      where a.kind = 'revenue' and a.reseller_id = ${resellerId}`);
    return BigInt(row.total);
  }
}

/** A customer with a contact, and the calls of its reseller for it. */
export class Buyer {
  readonly #t: TestService;
  readonly id: string;
  readonly contact: string;
  readonly as: string;
  constructor(t: TestService, id: string, contact: string, as: string) {
    this.#t = t;
    this.id = id;
    this.contact = contact;
    this.as = as;
  }
  order(name: string, invoice: string, more: Record<string, string> = {}, path = '') {
    const roles = ['registrant', 'admin', 'tech', 'billing'].map((role) => [`${role}_contact_id`, this.contact]);
    const form = {
      domain_name: name,
      customer_id: this.id,
      ...Object.fromEntries(roles),
      invoice_option: invoice,
      ...more,
    };
    return this.#t.call('POST', `/v1/domains${path}`, { form, as: this.as });
  }
  do(verb: string, form: Record<string, string>, headers: Record<string, string> = {}) {
    return this.#t.call('POST', `/v1/customers/${this.id}/transactions/${verb}`, { form, as: this.as, headers });
  }
  async fund(amount: string) {
    ok(await this.do('fund', { amount, description: 'paid in' }));
  }
  async funds() {
    const { body } = await this.#t.call('GET', `/v1/customers/${this.id}/funds`, { as: this.as });
    return `${body.balance.amount} held ${body.held.amount}`;
  }
  async bill(id: string) {
    return ok(await this.#t.call('GET', `/v1/customers/${this.id}/transactions/${id}`, { as: this.as })).body;
  }
  detail(name: string) {
    return this.#t.call('GET', `/v1/domains/${name}`, { as: this.as });
  }
}

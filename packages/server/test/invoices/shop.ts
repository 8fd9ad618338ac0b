import { allTenants, sql } from '@namehold/postgres';
import { expect, vi } from 'vitest';
import { makeContact, makeCustomer } from '../../../../test/support/parties.ts';
import { makeReseller } from '../../../../test/support/resellers.ts';
import type { Called, TestService } from '../../../../test/support/service.ts';
import { issueDue } from '../../src/core/invoices/issue.ts';

export function ok(called: Called): Called {
  expect(called.status, called.text).toBe(200);
  return called;
}

/** A reseller with prices for customers and money to buy with. */
export class BillingShop {
  readonly t: TestService;
  readonly as: string;
  readonly id: string;

  constructor(t: TestService, as: string) {
    this.t = t;
    this.as = as;
    this.id = as.split(':')[0]!;
  }

  static async open(t: TestService): Promise<BillingShop> {
    const shop = new BillingShop(t, await makeReseller(t, t.demo));
    const prices = Object.entries({ create: '15.00', renew: '16.00' }).map(([action, amount]) => {
      return { tld: 'com', action, years: 1, amount, currency: 'USD' };
    });
    await shop.ok('PUT', '/v1/account/price_list', { json: { target: 'customer', prices } });
    const form = { amount: '2000', description: 'x' };
    ok(await t.call('POST', `/v1/resellers/${shop.id}/transactions/fund`, { form }));
    return shop;
  }

  call(method: string, path: string, options: object = {}): Promise<Called> {
    return this.t.call(method, path, { as: this.as, ...options });
  }

  async ok(method: string, path: string, options: object = {}) {
    return ok(await this.call(method, path, options)).body;
  }

  async customer(fields: Record<string, string> = {}): Promise<ShopCustomer> {
    const id = await makeCustomer(this.t, this.as, fields);
    return new ShopCustomer(this, id, await makeContact(this.t, id, this.as));
  }

  /** Waits until all due documents are issued, by any process. */
  async documents(query: Record<string, string> = {}) {
    await vi.waitFor(async () => {
      await issueDue(this.t.ctx);
      const { due } = await this.t.ctx.db
        .as(allTenants)
        .one<{ due: string }>(sql`select count(*) as due from invoice_due`);
      expect(due).toBe('0');
    }, 300_000);
    return this.ok('GET', '/v1/invoices', { query: { limit: '100', ...query } });
  }
}

export class ShopCustomer {
  readonly shop: BillingShop;
  readonly id: string;
  readonly contact: string;

  constructor(shop: BillingShop, id: string, contact: string) {
    this.shop = shop;
    this.id = id;
    this.contact = contact;
  }

  form(name: string, invoice: string): Record<string, string> {
    const roles = ['registrant', 'admin', 'tech', 'billing'].map((role) => [`${role}_contact_id`, this.contact]);
    return { domain_name: name, customer_id: this.id, ...Object.fromEntries(roles), invoice_option: invoice };
  }

  order(name: string, invoice: string) {
    return this.shop.ok('POST', '/v1/domains', { form: this.form(name, invoice) });
  }

  do(verb: string, form: Record<string, string>) {
    return this.shop.ok('POST', `/v1/customers/${this.id}/transactions/${verb}`, { form });
  }

  fund(amount: string) {
    return this.do('fund', { amount, description: 'paid in' });
  }

  /** Oldest first. */
  async documents() {
    return (await this.shop.documents({ customer_id: this.id })).reverse();
  }
}

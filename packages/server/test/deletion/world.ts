import { allTenants, sql } from '@namehold/postgres';
import { expect } from 'vitest';
import { type OtherRegistrar, openOtherRegistrar } from '../../../../test/support/other-registrar.ts';
import { makeContact, makeCustomer, person } from '../../../../test/support/parties.ts';
import { expectReconciled } from '../../../../test/support/reconciliation.ts';
import { makeReseller } from '../../../../test/support/resellers.ts';
import { type Called, startTestService, type TestService } from '../../../../test/support/service.ts';
import type { PaymentProvider } from '../../src/core/ports/payment-provider.ts';
import { guessLimits } from '../../src/http/guess-throttle.ts';

import { sign, testCard } from '../payments/test-card.ts';

const { perNetwork } = guessLimits;
const cardSecret = 'a secret of the card provider';

export const password = 'a long enough one';
export const transferCode = 'a-long-auth-code-4711';

export function ok(called: Called): Called {
  expect(called.status, called.text).toBeLessThan(300);
  return called;
}

/** A service on which accounts are created, used and deleted. */
export class DeletionService {
  readonly t: TestService;
  readonly otherRegistrar: OtherRegistrar;
  /** Another reseller, with which domains are exchanged. */
  readonly other: string;
  #made = 0;
  constructor(t: TestService, otherRegistrar: OtherRegistrar, other: string) {
    this.t = t;
    this.otherRegistrar = otherRegistrar;
    this.other = other;
  }

  static async open(): Promise<DeletionService> {
    // A request with the key of a just deleted account counts as a guess.
    guessLimits.perNetwork = 1_000_000;
    const t = await startTestService({ sandbox: true, env: { NAMEHOLD_THEFT_PROTECTION: 'off' } });
    const w = new DeletionService(
      t,
      openOtherRegistrar(t.service.credentials!.rival_registry_account!),
      await makeReseller(t, t.operator),
    );
    const form = { amount: '100000', description: 'start' };
    ok(await t.call('POST', '/v1/resellers/1000/transactions/fund', { as: t.operator, form }));
    const prices = ['create', 'renew', 'transfer'].map((action) => ({
      tld: 'com',
      action,
      years: 1,
      amount: '15.00',
      currency: 'USD',
    }));
    ok(await t.call('PUT', '/v1/account/price_list', { json: { target: 'customer', prices } }));
    ok(await t.call('PUT', '/v1/account/payment_providers/bank_transfer', { json: { details: 'Bank 1, 4711' } }));
    (t.ctx.providers as Map<string, PaymentProvider>).set(testCard.name, testCard);
    const card = { details: 'cards', secret: cardSecret };
    ok(await t.call('PUT', '/v1/account/payment_providers/test_card', { json: card }));
    for (let count = 0; count < 4; count += 1) await w.#registerElsewhere();
    // Registries transfer no domain that is younger than sixty days.
    t.moveClock('+70d');
    return w;
  }

  /** Domains of another registrar, ready to be transferred. */
  readonly transferable: string[] = [];
  async #registerElsewhere(): Promise<void> {
    const name = this.name();
    await this.otherRegistrar.hold(name, transferCode);
    this.transferable.push(name);
  }

  async close(): Promise<void> {
    try {
      await this.otherRegistrar.close();
      await this.acceptUncredited();
      expect(await this.orphans()).toEqual([]);
      await expectReconciled(this.t);
    } finally {
      guessLimits.perNetwork = perNetwork;
      await this.t.stop();
    }
  }

  /** An expected card payment of a customer; returns its reference. */
  async cardPayment(customerId: string): Promise<string> {
    const json = { customer_id: customerId, amount: '5', provider: testCard.name };
    return ok(await this.t.call('POST', '/v1/payments', { json })).body.reference as string;
  }

  /** A notice of the card provider about it. */
  async notice(type: 'paid' | 'charged_back', reference: string): Promise<Called> {
    const body = JSON.stringify({ id: `event-${this.next()}`, type, reference, amount: '5.00', currency: 'USD' });
    const headers = { 'Content-Type': 'application/json', 'X-Card-Signature': sign(cardSecret, body) };
    const answer = await fetch(`${this.t.url}/payments/test_card/1000`, { method: 'POST', headers, body });
    const text = await answer.text();
    return { status: answer.status, text, body: JSON.parse(text), headers: answer.headers } as unknown as Called;
  }

  /** Money for deleted customers: verify reports it after an hour, as it should. */
  async acceptUncredited(): Promise<void> {
    await this.t.ctx.db.transaction(allTenants, async (tx) => {
      await tx.run(sql`update statement_line set accepted_at = now() where fate = 'payer_deleted'`);
      await tx.run(sql`update payment set accepted_at = now() where fate = 'payer_deleted'`);
    });
  }

  /** Read directly from the tables. */
  async orphans(): Promise<object[]> {
    return this.t.ctx.db.as(allTenants).many(sql`
      select 'domain' as what, d.name as which from domain d join customer c on c.id = d.customer_id
      where d.state <> 'removed' and c.deleted_at is not null
      union all
      select 'domain by contact', d.name from domain d
        join contact k on k.id in (d.registrant_contact_id, d.admin_contact_id, d.tech_contact_id, d.billing_contact_id)
      where d.state <> 'removed' and k.deleted_at is not null
      union all
      select 'customer', c.id::text from customer c join reseller r on r.id = c.reseller_id where c.deleted_at is null and r.deleted_at is not null
      union all
      select 'contact', k.id::text from contact k join customer c on c.id = k.customer_id where k.deleted_at is null and c.deleted_at is not null
      union all
      select 'reseller', c.id::text from reseller c join reseller r on r.id = c.parent_id where c.deleted_at is null and r.deleted_at is not null
      union all
      select 'money', a.id::text from ledger_account a join reseller r on r.id = a.reseller_id left join customer c on c.id = a.customer_id
      where a.balance <> 0 and a.kind in ('available', 'held', 'customer') and coalesce(c.deleted_at, r.deleted_at) is not null`);
  }

  next(): string {
    this.#made += 1;
    return `${this.#made}`;
  }

  name(): string {
    return `deletion-${this.next()}.com`;
  }

  async customer(as?: string): Promise<{ id: string; contact: string }> {
    const id = await makeCustomer(this.t, as);
    return { id, contact: await makeContact(this.t, id, as) };
  }

  child(): Promise<string> {
    return makeReseller(this.t, this.t.demo);
  }

  person(): Record<string, string> {
    return person({ email: `deletion${this.next()}@made.example`, password });
  }

  order(
    name: string,
    { id, contact, ...roles }: { id: string; contact: string; admin?: string },
    more: Record<string, string> = {},
  ): Record<string, string> {
    return {
      domain_name: name,
      customer_id: id,
      registrant_contact_id: contact,
      admin_contact_id: roles.admin ?? contact,
      tech_contact_id: contact,
      billing_contact_id: contact,
      invoice_option: 'no_invoice',
      ...more,
    };
  }

  /** Registers a domain for a new customer; returns its name and that customer. */
  async bought(as?: string): Promise<{ name: string; owner: { id: string; contact: string } }> {
    const [name, owner] = [this.name(), await this.customer(as)];
    ok(await this.t.call('POST', '/v1/domains', { form: this.order(name, owner), ...(as ? { as } : {}) }));
    return { name, owner };
  }

  async funds(): Promise<string> {
    const { body } = await this.t.call('GET', '/v1/account/funds');
    return `${body.balance.amount} held ${body.held.amount}`;
  }

  /** A request that waits for a lock of another. */
  async waitForBlockedQuery(): Promise<void> {
    const waits = () =>
      this.t.ctx.db.as(allTenants).one<{ n: string }>(sql`
        select count(*) as n from pg_locks l join pg_stat_activity a on a.pid = l.pid
        where not l.granted and a.datname = current_database()`);
    await expect.poll(async () => Number((await waits()).n), { interval: 10 }).toBeGreaterThan(0);
  }
}

import { createServer } from 'node:net';
import { everyTenant, sql } from '@namehold/base';
import { expect, vi } from 'vitest';
import { connectRegistry } from '../../packages/server/src/core/registries/connect.ts';
import { loadCatalogue } from '../../packages/server/src/core/tlds/load.ts';
import { readProfileFile } from '../../packages/server/src/registries/read-profile.ts';
import { RealService } from '../support/process.ts';
import { type Called, startTestService, type TestService } from '../support/service.ts';

/** What the platform takes of the seller, and what the seller takes of its own resellers. */
const costs = { create: '10.40', renew: '10.60', transfer: '10.20', restore: '70.00' };
const prices = { create: '13.00', renew: '14.00', transfer: '12.00', restore: '90.00' };
const csv = (tld: string, list: Readonly<Record<string, string>>) =>
  [
    'tld,action,years,currency,amount',
    ...Object.entries(list).map(([action, amount]) => `${tld},${action},1,USD,${amount}`),
  ].join('\n');

export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  const { port } = server.address() as { port: number };
  await new Promise((resolve) => server.close(resolve));
  return port;
}

export interface Way {
  readonly port: number;
  readonly reseller: string;
  readonly key: string;
}

/** A service that sells names of an upstream platform, known by configuration alone. */
export class Seller {
  readonly t: TestService;
  private constructor(t: TestService) {
    this.t = t;
  }

  static async open(way: Way, tld: string, more: object = {}, env: Record<string, string> = {}): Promise<Seller> {
    const t = await startTestService({ env: { NAMEHOLD_THEFT_PROTECTION: 'off', ...env } });
    const seller = new Seller(t);
    await seller.connect(way, tld, more);
    const rules = { auto_renew: false, grace_days: { expired_hold: 30 } };
    await loadCatalogue(t.house, JSON.stringify([{ name: tld, registry: 'up', rules }]), 'up.json');
    await seller.#asOperator('/v1/account/price_list/import', { target: 'cost', csv: csv(tld, costs) });
    await seller.#asOperator('/v1/account/price_list/import', { target: 'reseller', csv: csv(tld, prices) });
    const fund = { amount: '5000.00', description: 'for names' };
    await seller.#asOperator('/v1/resellers/1000/transactions/fund', fund);
    return seller;
  }

  async connect(way: Way, tld: string, more: object = {}): Promise<void> {
    const profile = { kind: 'platform', customerId: '2001', currency: 'USD', transport: 'http', ...more };
    await connectRegistry(this.t.house, {
      id: 'up',
      profile: readProfileFile(JSON.stringify(profile), 'up') as never,
      host: '127.0.0.1',
      port: way.port,
      clientId: way.reseller,
      password: way.key,
      tlds: [tld],
    });
    await this.t.service.parts.registries.reload('up');
  }

  async #asOperator(path: string, json: object): Promise<void> {
    const called = await this.t.call('POST', path, { json, as: this.t.operator });
    expect(called.status, called.text).toBe(200);
  }

  order(name: string, more: Record<string, string> = {}, contact = '3001', wait = 60): Promise<Called> {
    const contacts = Object.fromEntries(
      ['registrant', 'admin', 'tech', 'billing'].map((role) => [`${role}_contact_id`, contact]),
    );
    const form = { domain_name: name, customer_id: '2001', ...contacts, invoice_option: 'no_invoice', ...more };
    const path = 'auth_code' in more ? '/v1/domains/transfer' : '/v1/domains';
    return this.t.call('POST', path, { form, headers: { Prefer: `wait=${wait}` } });
  }

  async renew(name: string, wait = 60): Promise<Called> {
    const { end_date } = await this.read(name);
    const form = { years: '1', current_date: end_date.slice(0, 10), invoice_option: 'no_invoice' };
    return this.t.call('POST', `/v1/domains/${name}/renew`, { form, headers: { Prefer: `wait=${wait}` } });
  }

  // biome-ignore lint/suspicious/noExplicitAny: a test reads whatever the answer holds
  async read(name: string): Promise<any> {
    return (await this.t.call('GET', `/v1/domains/${name}`)).body;
  }

  /** Waits for the end of an operation, and looks at it at once rather than when its time has come. */
  async settled(operation: string): Promise<string> {
    let state = '';
    await vi.waitFor(
      async () => {
        await this.t.house.db.transaction(everyTenant, (tx) =>
          tx.run(sql`update operation set due_at = now() where id = ${operation}`),
        );
        state = (await this.t.call('GET', `/v1/operations/${operation}`)).body.state;
        expect(['done', 'refused', 'action_required']).toContain(state);
      },
      { timeout: 300_000, interval: 200 },
    );
    return state;
  }

  /** What our resellers paid for a name, in cents. */
  async paid(name: string): Promise<number> {
    const { paid } = await this.t.house.db.as(everyTenant).one<{ paid: string }>(sql`
      select coalesce(sum(t.captured - t.refunded), 0) as paid from ledger_transaction t join domain d on d.id = t.domain_id
      where d.name = ${name} and t.type = 'domain' and t.reseller_id = 1000`);
    return Number(paid);
  }

  /** What our books say that we owe the upstream, in cents. */
  async owed(): Promise<number> {
    const { owed } = await this.t.house.db.as(everyTenant).one<{ owed: string }>(sql`
      select coalesce(sum(e.amount), 0) as owed from ledger_entry e join ledger_account a on a.id = e.account_id
      where a.kind = 'registry_payable'`);
    return Number(owed);
  }
}

/** The platform in the middle: a process of its own with a registry in a box, which tests may kill. */
export class Platform {
  readonly service: RealService;
  readonly port: number;
  private constructor(service: RealService, port: number) {
    this.service = service;
    this.port = port;
  }

  static async start(tld: string, faults: readonly string[] = []): Promise<Platform> {
    const port = await freePort();
    const service = await RealService.create({
      NAMEHOLD_PORT: String(port),
      NAMEHOLD_THEFT_PROTECTION: 'off',
    });
    await service.start(faults);
    const platform = new Platform(service, port);
    await platform.asOperator('POST', '/v1/account/price_list/import', { target: 'reseller', csv: csv(tld, costs) });
    return platform;
  }

  get way(): Way {
    const { reseller_id, api_key } = this.service.credentials;
    return { port: this.port, reseller: reseller_id, key: api_key };
  }

  // biome-ignore lint/suspicious/noExplicitAny: a test reads whatever the answer holds
  async asOperator(method: string, path: string, json: object): Promise<any> {
    const { operator } = this.service.credentials;
    const basic = Buffer.from(`${operator.reseller_id}:${operator.api_key}`).toString('base64');
    const called = await this.service.call(method, path, { json, headers: { Authorization: `Basic ${basic}` } });
    expect(called.status, JSON.stringify(called.body)).toBe(200);
    return called.body;
  }

  // biome-ignore lint/suspicious/noExplicitAny: a test reads whatever the answer holds
  async read(name: string): Promise<any> {
    return (await this.service.call('GET', `/v1/domains/details-by-name?domain_name=${name}&fields=domain_details`))
      .body;
  }

  /** Cents that the seller paid here, by the statement that the platform shows it. */
  async taken(): Promise<number> {
    let sum = 0;
    for (let page = 1; ; page += 1) {
      const path = `/v1/account/transactions?transaction_type=domain&limit=100&page_no=${page}`;
      const { body } = await this.service.call('GET', path);
      for (const row of body) {
        expect(row.status).not.toBe('pending');
        if (row.status === 'completed' || row.status === 'refunded')
          sum += Math.round(row.amount * 100) - Math.round(Number(row.refunded?.amount ?? 0) * 100);
      }
      if (body.length < 100) return sum;
    }
  }

  /** Charges of a name at the registry, as it says itself. */
  async charged(name: string): Promise<string[]> {
    const { statement } = await this.service.control('GET', `/domains/${name}`);
    // biome-ignore lint/suspicious/noExplicitAny: a test reads whatever the answer holds
    return statement.map((line: any) => `${line.kind} ${line.command}`);
  }
}

import { join } from 'node:path';
import { clockFromFile, parseDurationMs } from '@namehold/base';
import { allTenants, type Database, sql } from '@namehold/postgres';
import { expect, vi } from 'vitest';
import { connectRegistry, type NewRegistry } from '../../packages/server/src/core/registries/connect.ts';
import { loadCatalogue } from '../../packages/server/src/core/tlds/load.ts';
import { readProfileFile } from '../../packages/server/src/registries/read-profile.ts';
import { cents, type StatementLine } from '../faults/statement.ts';
import { openRestricted } from '../support/database.ts';
import { type OtherRegistrar, openOtherRegistrar } from '../support/other-registrar.ts';
import { freePort } from '../support/ports.ts';
import { RealService } from '../support/process.ts';
import { type Called, startTestService, type TestService } from '../support/service.ts';

type Prices = Readonly<Record<'create' | 'renew' | 'transfer' | 'restore', string>>;
/** The platform's prices for the seller, and the seller's prices for its resellers. */
const lists: Readonly<Record<string, { readonly costs: Prices; readonly prices: Prices }>> = {
  org: {
    costs: { create: '10.40', renew: '10.60', transfer: '10.20', restore: '70.00' },
    prices: { create: '13.00', renew: '14.00', transfer: '12.00', restore: '90.00' },
  },
  nl: {
    costs: { create: '4.50', renew: '4.50', transfer: '4.50', restore: '40.00' },
    prices: { create: '6.00', renew: '6.00', transfer: '6.00', restore: '60.00' },
  },
  shop: {
    costs: { create: '5.00', renew: '26.00', transfer: '26.00', restore: '85.00' },
    prices: { create: '6.00', renew: '30.00', transfer: '30.00', restore: '99.00' },
  },
};
/** Rate limits of an account are not tested here. */
export const quick = { sessions: 4, requestsPerMinute: 60_000 };

export const csv = (tlds: readonly string[], which: 'costs' | 'prices', more: Partial<Prices> = {}) =>
  [
    'tld,action,years,currency,amount',
    ...tlds.flatMap((tld) =>
      Object.entries({ ...lists[tld]![which], ...more }).map(([action, amount]) => `${tld},${action},1,USD,${amount}`),
    ),
  ].join('\n');

interface Way {
  readonly port: number;
  readonly reseller: string;
  readonly key: string;
}

/** Settings of a registry for an upstream platform. */
export function upstreamAt(way: Way, tlds: readonly string[], more: object = {}): NewRegistry {
  const profile = { kind: 'platform', customerId: '2001', currency: 'USD', transport: 'http', limits: quick, ...more };
  return {
    id: 'up',
    profile: readProfileFile(JSON.stringify(profile), 'up') as unknown as NewRegistry['profile'],
    host: '127.0.0.1',
    port: way.port,
    clientId: way.reseller,
    password: way.key,
    tlds,
    confirmsTlds: true,
  };
}

/** Configures a service as a seller of an upstream platform's domains. */
export async function equip(t: TestService, way: Way, tlds: readonly string[], more: object = {}): Promise<void> {
  await connectRegistry(t.ctx, upstreamAt(way, tlds, more));
  await t.service.parts.registries.reload('up');
  await offer(t, tlds, csv(tlds, 'costs'));
}

/** Rules and prices of TLDs of a connection, and money of the reseller. */
export async function offer(t: TestService, tlds: readonly string[], costs: string, registry = 'up'): Promise<void> {
  const asOperator = async (path: string, json: object, method = 'POST') => {
    const called = await t.call(method, path, { json, as: t.operator });
    expect(called.status, called.text).toBe(200);
  };
  const rules = { auto_renew: false, grace_days: { expired_hold: 30 } };
  const catalogue = tlds.map((name) => ({ name, registry, rules }));
  await loadCatalogue(t.ctx, JSON.stringify(catalogue), 'up.json');
  await asOperator('/v1/account/price_list/import', { target: 'cost', csv: costs });
  await asOperator('/v1/account/price_list/import', { target: 'reseller', csv: csv(tlds, 'prices') });
  // Premium domains follow the upstream's price.
  const margin = { audience: 'reseller', rules: [{ kind: 'percent', percent: '20' }] };
  await asOperator('/v1/account/price_rules', margin, 'PUT');
  await asOperator('/v1/resellers/1000/transactions/fund', { amount: '5000.00', description: 'for names' });
}

/** A service in this process that sells an upstream platform's domains. */
export class Seller {
  readonly t: TestService;
  private constructor(t: TestService) {
    this.t = t;
  }

  static async open(way: Way, tlds: readonly string[], more: object = {}, env = {}): Promise<Seller> {
    const t = await startTestService({ env: { NAMEHOLD_THEFT_PROTECTION: 'off', ...env } });
    await equip(t, way, tlds, more);
    return new Seller(t);
  }

  static of(t: TestService): Seller {
    return new Seller(t);
  }

  async connect(way: Way, tlds: readonly string[], more: object = {}): Promise<void> {
    await connectRegistry(this.t.ctx, upstreamAt(way, tlds, more));
    await this.t.service.parts.registries.reload('up');
  }

  order(name: string, more: Record<string, string> = {}, contact = '3001', wait = 60): Promise<Called> {
    const path = 'auth_code' in more ? '/v1/domains/transfer' : '/v1/domains';
    const form = { ...orderOf(name, contact), ...more };
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

  /** Waits for the operation and runs it at once instead of at its scheduled time. */
  async until(operation: string, wanted: readonly string[], meanwhile?: () => Promise<unknown>): Promise<string> {
    let state = '';
    await vi.waitFor(
      async () => {
        await meanwhile?.();
        await this.t.ctx.db.transaction(allTenants, (tx) =>
          tx.run(sql`update operation set due_at = now() where id = ${operation}`),
        );
        state = (await this.t.call('GET', `/v1/operations/${operation}`)).body.state;
        expect(wanted).toContain(state);
      },
      { timeout: 300_000, interval: 200 },
    );
    return state;
  }

  /** As if ordered long ago, so that a new charge at the upstream does not count as late. */
  async age(operation: string): Promise<void> {
    await this.t.ctx.db.transaction(allTenants, (tx) =>
      tx.run(sql`update operation set created_at = created_at - interval '2 days' where id = ${operation}`),
    );
  }

  settled(operation: string, meanwhile?: () => Promise<unknown>): Promise<string> {
    return this.until(operation, ['done', 'refused', 'cancelled', 'action_required'], meanwhile);
  }

  /** Payments of our resellers for a domain, in cents. */
  async paid(name: string): Promise<number> {
    const { paid } = await this.t.ctx.db.as(allTenants).one<{ paid: string }>(sql`
      select coalesce(sum(t.captured - t.refunded), 0) as paid from ledger_transaction t join domain d on d.id = t.domain_id
      where d.name = ${name} and t.type = 'domain' and t.reseller_id = 1000`);
    return Number(paid);
  }

  /** Our debt to the upstream by our ledger, in cents. */
  owed(): Promise<number> {
    return owedIn(this.t.ctx.db);
  }
}

/** Debt of a service for its domains by its own ledger, in cents. */
export async function owedIn(db: Database): Promise<number> {
  const { owed } = await db.as(allTenants).one<{ owed: string }>(sql`
    select coalesce(sum(e.amount), 0) as owed from ledger_entry e join ledger_account a on a.id = e.account_id
    where a.kind = 'registry_payable'`);
  return Number(owed);
}

export const orderOf = (name: string, contact = '3001'): Record<string, string> => ({
  domain_name: name,
  customer_id: '2001',
  ...Object.fromEntries(['registrant', 'admin', 'tech', 'billing'].map((role) => [`${role}_contact_id`, contact])),
  invoice_option: 'no_invoice',
});

/** In this process or another: the business time of the service in a folder. */
export const moveClockIn = (folder: string, by: string): void =>
  clockFromFile(join(folder, 'clock')).move(parseDurationMs(by)!);

/** The platform in the middle: a separate process with a sandbox registry, which tests may kill. */
export class Platform {
  readonly service: RealService;
  readonly port: number;
  readonly db: Database;
  #asked = 0;
  private constructor(service: RealService, port: number, db: Database) {
    this.service = service;
    this.port = port;
    this.db = db;
  }

  static async start(tlds: readonly string[], faults: readonly string[] = []): Promise<Platform> {
    const port = await freePort();
    const service = await RealService.create({ NAMEHOLD_PORT: String(port), NAMEHOLD_THEFT_PROTECTION: 'off' });
    const db = await openRestricted(service.databaseUrl);
    await service.start(faults);
    const platform = new Platform(service, port, db);
    for (const tld of tlds) await platform.setPrices(tld);
    return platform;
  }

  async stop(): Promise<void> {
    await this.db.close();
    await this.service.dispose();
  }

  /** Sets the seller's prices. */
  async setPrices(tld: string, more: Partial<Prices> = {}): Promise<void> {
    const json = { target: 'reseller', csv: csv([tld], 'costs', more) };
    await this.asOperator('POST', '/v1/account/price_list/import', json);
  }

  /** The other registrar at the platform's registry, for as long as it acts. */
  async asOtherRegistrar<T>(act: (otherRegistrar: OtherRegistrar) => Promise<T>): Promise<T> {
    const otherRegistrar = openOtherRegistrar(this.service.credentials.rival_registry_account!);
    try {
      return await act(otherRegistrar);
    } finally {
      await otherRegistrar.close();
    }
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

  /** Any answer of the registry announces a waiting message, so a free name is queried there. */
  hearsNews(): Promise<unknown> {
    this.#asked += 1;
    return this.service.call('GET', `/v1/domains/availability?domain=nobody-asked-${this.#asked}.com`);
  }

  /** Charges of the seller for this domain, in cents, from the platform's statement. */
  async taken(): Promise<number> {
    let sum = 0;
    for (let page = 1; page < 1_000; page += 1) {
      const path = `/v1/account/transactions?transaction_type=domain&limit=100&page_no=${page}`;
      const { body } = await this.service.call('GET', path);
      for (const row of body) {
        expect(row.status).not.toBe('pending');
        if (row.status === 'completed' || row.status === 'refunded')
          sum += Math.round(row.amount * 100) - Math.round(Number(row.refunded?.amount ?? 0) * 100);
      }
      if (body.length < 100) return sum;
    }
    throw new Error('the transactions have no last page');
  }

  /** Charges of a domain at the registry, from its own statement. */
  async charged(name: string): Promise<string[]> {
    // For a removed domain there is no other source.
    const { entries } = await this.service.control('GET', `/statement?client=namehold&domain=${name}`);
    return (entries as StatementLine[]).map(({ kind, command }) => `${kind} ${command}`);
  }

  /** The platform's ledger against the statement of its registry, to the cent. */
  async owesWhatWasTaken(): Promise<void> {
    let sum = 0n;
    for (let after = 0, left = true; left; ) {
      const { entries } = await this.service.control('GET', `/statement?client=namehold&limit=400&after=${after}`);
      for (const { id, kind, amount } of entries as StatementLine[]) {
        after = id;
        sum += kind === 'charge' ? cents(amount) : kind === 'refund' ? -cents(amount) : 0n;
      }
      left = entries.length === 400;
    }
    expect(await owedIn(this.db), 'the platform owes its registry').toBe(Number(sum));
  }
}

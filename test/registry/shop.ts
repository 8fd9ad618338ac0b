import { parseDurationMs } from '@namehold/base';
import { allTenants, sql } from '@namehold/postgres';
import { expect, vi } from 'vitest';
import { connectRegistry } from '../../packages/server/src/core/registries/connect.ts';
import { loadCatalogue } from '../../packages/server/src/core/tlds/load.ts';
import { readProfile } from '../../packages/server/src/registries/read-profile.ts';
import { pollAfresh } from '../support/poll.ts';
import { expectReconciled } from '../support/reconciliation.ts';
import { type Called, startTestService, type TestService } from '../support/service.ts';
import { accounts, FarRegistry } from './far-registry.ts';

const ietf = 'urn:ietf:params:xml:ns';

/** The profile file of the far registry, as an operator would write it from the registry's manual. */
const profileOf = (far: FarRegistry, limits: object, { namespaces, rules, ...more }: Manner['profile'] = {}): string =>
  JSON.stringify({
    ...more,
    namespaces: {
      epp: `${ietf}:epp-1.0`,
      domain: `${ietf}:domain-1.0`,
      contact: `${ietf}:contact-1.0`,
      secDNS: `${ietf}:secDNS-1.1`,
      rgp: `${ietf}:rgp-1.0`,
      fee: `${ietf}:epp:fee-1.0`,
      ...namespaces,
    },
    rules: {
      hostModel: 'attributes',
      dataModel: 'maximum',
      requiredContacts: ['admin', 'tech'],
      authInfoMinLength: 8,
      authInfoMaxLength: 16,
      authInfoLength: 16,
      authInfoClasses: ['lower', 'digit', 'symbol'],
      ...rules,
    },
    limits: { sessions: 3, commandsPerSecond: 200, maxNamesPerCheck: 10, ...limits },
    timeouts: { queryMs: 60_000 },
    holdings_url: `${far.controlUrl}/holdings`,
  });

const catalogue = (rules: object = { auth_code: { min_length: 8, max_length: 16, secure: false } }) =>
  JSON.stringify([{ name: 'far', registry: 'far', rules: { nameservers: { host_model: 'attributes' }, ...rules } }]);

/** The differences of this registry from the default one, and its operator's settings for it. */
interface Manner {
  readonly capabilities?: Record<string, string | number | boolean>;
  readonly profile?: {
    readonly namespaces?: object;
    readonly rules?: object;
    readonly contacts?: object;
    readonly currency?: string;
  };
  /** `registry add --currency`. */
  readonly currency?: string;
  /** Rules of the TLD catalogue. */
  readonly rules?: object;
  /** The list of costs, if it is not the default one. */
  readonly costs?: string;
}

/** The registry's prices (its own list, money.py) and the resellers' prices. */
const costs =
  'tld,action,years,currency,amount\nfar,create,1,USD,8.10\nfar,renew,1,USD,9.35\nfar,transfer,1,USD,8.90\nfar,restore,1,USD,44.00';
const prices =
  'tld,action,years,currency,amount\nfar,create,1,USD,10.00\nfar,renew,1,USD,12.00\nfar,transfer,1,USD,11.00\nfar,restore,1,USD,60.00';

/** A service that sells only domains of the far registry. */
export class Shop {
  readonly t: TestService;
  readonly far: FarRegistry;
  /** Our login at the registry. */
  password = accounts.ours.password;

  manner: Manner;

  private constructor(t: TestService, far: FarRegistry, manner: Manner) {
    this.t = t;
    this.far = far;
    this.manner = manner;
  }

  static async open(env: Record<string, string> = {}, manner: Manner = {}): Promise<Shop> {
    const far = await FarRegistry.start(['far'], manner.capabilities);
    const t = await startTestService({ env });
    const shop = new Shop(t, far, manner);
    await shop.connect(accounts.ours.password);
    await t.service.parts.registries.reload('far');
    await loadCatalogue(t.ctx, catalogue(manner.rules), 'far.json');
    const asOperator = async (method: string, path: string, json: unknown) => {
      const called = await t.call(method, path, { json, as: t.operator });
      expect(called.status, called.text).toBe(200);
    };
    await asOperator('POST', '/v1/account/price_list/import', { target: 'cost', csv: manner.costs ?? costs });
    await asOperator('POST', '/v1/account/price_list/import', { target: 'reseller', csv: prices });
    // Premium domains follow the registry's fee.
    await asOperator('PUT', '/v1/account/price_rules', {
      audience: 'reseller',
      rules: [{ kind: 'percent', percent: '10' }],
    });
    await asOperator('POST', '/v1/resellers/1000/transactions/fund', { amount: '20000.00', description: 'for names' });
    return shop;
  }

  /** Imports the list of costs like `price import --target cost`. */
  importCosts(currency: string): Promise<Called> {
    const csv = (this.manner.costs ?? costs).replaceAll('USD', currency);
    return this.t.call('POST', '/v1/account/price_list/import', { json: { target: 'cost', csv }, as: this.t.operator });
  }

  /** Like `registry add`. */
  async connect(password: string, limits: object = {}): Promise<void> {
    await connectRegistry(this.t.ctx, {
      id: 'far',
      profile: readProfile(profileOf(this.far, limits, this.manner.profile), 'far'),
      host: '127.0.0.1',
      port: this.far.port,
      serverName: 'localhost',
      clientId: accounts.ours.id,
      password,
      caPem: this.far.ca,
      tlds: ['far'],
      currency: this.manner.currency,
    });
  }

  order(name: string, more: Record<string, string> = {}): Promise<Called> {
    const contacts = Object.fromEntries(
      ['registrant', 'admin', 'tech', 'billing'].map((role) => [`${role}_contact_id`, '3001']),
    );
    const form = { domain_name: name, customer_id: '2001', ...contacts, invoice_option: 'no_invoice', ...more };
    if ('auth_code' in more) return this.t.call('POST', '/v1/domains/transfer', { form });
    // A busy machine takes longer than the usual ten seconds.
    return this.t.call('POST', '/v1/domains', { form, headers: { Prefer: 'wait=60' } });
  }

  async buy(name: string, more: Record<string, string> = {}): Promise<string> {
    const called = await this.order(name, more);
    expect(called.status, called.text).toBe(200);
    return called.body.domain_id as string;
  }

  // biome-ignore lint/suspicious/noExplicitAny: a test reads whatever the answer holds
  async read(name: string): Promise<any> {
    return (await this.t.call('GET', `/v1/domains/${name}`)).body;
  }

  row(name: string): Promise<{ registry_expires_at: Date }> {
    return this.t.ctx.db
      .as(allTenants)
      .one(sql`select registry_expires_at from domain where name = ${name} order by id desc limit 1`);
  }

  /** Cents on hold for open orders. */
  async held(): Promise<number> {
    const { held } = await this.t.ctx.db
      .as(allTenants)
      .one<{ held: string }>(sql`select coalesce(sum(balance), 0) as held from ledger_account where kind = 'held'`);
    return Number(held);
  }

  /** `+30d`, for service and registry. */
  async moveClock(by: string): Promise<void> {
    this.t.moveClock(by);
    await this.far.moveClock(parseDurationMs(by)!);
  }

  async poll(): Promise<void> {
    await pollAfresh(this.t.ctx, 'far');
  }

  until(check: () => Promise<void>): Promise<void> {
    return vi.waitFor(check, { timeout: 300_000, interval: 50 });
  }

  /** As if an order were due to run. */
  async makeDue(operation: string): Promise<void> {
    await this.t.ctx.db.transaction(allTenants, (tx) =>
      tx.run(sql`update operation set due_at = now() where id = ${operation}`),
    );
  }

  async settled(operation: string): Promise<string> {
    let state = '';
    await this.until(async () => {
      state = (await this.t.call('GET', `/v1/operations/${operation}`)).body.state;
      expect(['done', 'refused', 'action_required']).toContain(state);
    });
    return state;
  }

  /** The registry's charges for a domain of ours, from its statement. */
  async charged(name: string): Promise<string[]> {
    const lines = await this.far.statement(accounts.ours.id);
    return lines.filter((line) => line.domain === name).map((line) => `${line.kind} ${line.command} ${line.cents}`);
  }

  /** Bytes of the answer to a create, including the frame header. */
  async lengthOfCreated(name: string): Promise<number> {
    const logged = (await this.far.log()).find(
      ({ way, frame }) => way === 'out' && frame.includes('creData') && frame.includes(`>${name}<`),
    );
    return Buffer.byteLength(logged!.frame) + 4;
  }

  /** Our debt to the registry by our own ledger, in cents. */
  async owed(): Promise<number> {
    const { owed } = await this.t.ctx.db.as(allTenants).one<{ owed: string }>(sql`
      select coalesce(sum(e.amount), 0) as owed from ledger_entry e join ledger_account a on a.id = e.account_id
      where a.kind = 'registry_payable'`);
    return Number(owed);
  }

  /** The registry's charges, from its statement, in cents. */
  async taken(): Promise<number> {
    return (await this.far.statement(accounts.ours.id))
      .map(({ kind, cents }) => (kind === 'charge' ? cents : kind === 'refund' ? -cents : 0))
      .reduce((sum, each) => sum + each, 0);
  }

  /** To the cent; then all reconciliation sources, domain by domain. */
  async agree(): Promise<void> {
    expect(await this.owed(), 'our ledger against the statement of the registry').toBe(await this.taken());
    await expectReconciled(this.t);
  }

  async close(): Promise<void> {
    await this.t.stop();
    await this.far.stop();
  }
}

import { allTenants, sql } from '@namehold/postgres';
import { makeContact, makeCustomer } from '../../../../test/support/parties.ts';
import { expectReconciled } from '../../../../test/support/reconciliation.ts';
import { type Called, startTestService, type TestService } from '../../../../test/support/service.ts';
import { systemActor } from '../../src/core/actors.ts';
import { openAlarms } from '../../src/core/alarms/alarm.ts';
import { fundReseller } from '../../src/core/ledger/fund.ts';
import { setPrices } from '../../src/core/pricing/set-price.ts';
import { setRules } from '../../src/core/pricing/set-rules.ts';
import { connectRegistry, type NewRegistry } from '../../src/core/registries/connect.ts';
import { loadCatalogue } from '../../src/core/tlds/load.ts';
import { readProfile } from '../../src/registries/read-profile.ts';
import { type UnusualRegistry, unusualRegistry } from './unusual-registry.ts';

export const unusualProfile = {
  rules: { hostModel: 'attributes', maxPeriodYears: 3 },
  contacts: { withheld: ['street', 'sp', 'voice', 'fax'] },
  limits: { commandsPerSecond: 10_000 },
};

interface Placed {
  readonly id: string;
  readonly state: string;
  readonly attention: { readonly choices: string[]; readonly why: string } | null;
}

/** A service that sells domains of a registry with only RFC 5730 to 5734, by a minimal profile. */
export class UnusualRegistryService {
  readonly t: TestService;
  readonly there: UnusualRegistry;
  parties: Record<string, string> = {};

  private constructor(t: TestService, there: UnusualRegistry) {
    this.t = t;
    this.there = there;
  }

  static async open(): Promise<UnusualRegistryService> {
    const there = await unusualRegistry();
    const t = await startTestService();
    const shop = new UnusualRegistryService(t, there);
    await shop.connect(unusualProfile);
    await loadCatalogue(t.ctx, JSON.stringify([{ name: 'odd', rules: { nameservers: { min: 2 } } }]), 'file');
    const price = { tld: 'odd', years: 1, currency: 'USD' };
    const actions = ['create', 'renew', 'transfer', 'restore'];
    for (const [list, amount] of [
      ['cost', '5.00'],
      ['reseller', '7.00'],
    ] as const)
      await setPrices(
        t.ctx,
        systemActor,
        list,
        actions.map((action) => ({ ...price, action, amount })),
      );
    await fundReseller(t.ctx, systemActor, t.demo.split(':')[0]!, { amount: '1000.00', description: 'for tests' });
    await setRules(t.ctx, systemActor, 'reseller', [{ kind: 'percent', percent: '15' }]);
    const customer = await makeCustomer(t);
    const contact = await makeContact(t, customer);
    shop.parties = {
      customer_id: customer,
      registrant_contact_id: contact,
      admin_contact_id: contact,
      tech_contact_id: contact,
      billing_contact_id: contact,
      invoice_option: 'no_invoice',
    };
    return shop;
  }

  /** Like `registry add`. */
  async connect(file: object): Promise<void> {
    await connectRegistry(this.t.ctx, {
      id: 'strange',
      profile: readProfile(JSON.stringify(file), 'strange') as unknown as NewRegistry['profile'],
      host: '127.0.0.1',
      port: this.there.port,
      serverName: 'registry.test',
      caPem: this.there.ca,
      clientId: 'us',
      password: 'a-password',
      tlds: ['odd'],
    });
  }

  order(name: string, more: Record<string, string> = {}): Promise<Called> {
    return this.t.call('POST', '/v1/domains', {
      form: { domain_name: name, ...this.parties, ns: 'ns1.host.test,ns2.host.test', ...more },
    });
  }

  /** Cents on hold for orders in progress. */
  async held(): Promise<number> {
    const { held } = await this.t.ctx.db
      .as(allTenants)
      .one<{ held: string }>(sql`select coalesce(sum(balance), 0) as held from ledger_account where kind = 'held'`);
    return Number(held);
  }

  /** Extensions are announced in the greeting, so open sessions do not know later changes. */
  reconnect(): Promise<void> {
    return this.t.service.parts.registries.reload('strange');
  }

  operationOf(name: string): Promise<Placed> {
    return this.t.ctx.db
      .as(allTenants)
      .one<Placed>(
        sql`select o.id, o.state, o.attention from operation o join domain d on d.id = o.domain_id where d.name = ${name} order by o.id desc limit 1`,
      );
  }

  /** As if it were due, after this number of failed attempts. */
  async tryAgain(id: string, setbacks: number): Promise<void> {
    await this.t.ctx.db
      .autocommit(allTenants)
      .run(sql`update operation set setbacks = ${setbacks}, due_at = now() where id = ${id}`);
    await this.t.ctx.engine.start(id);
  }

  /** Between check and create another registrar registers it. */
  takenMeanwhile(name: string): void {
    this.there.capabilities.meddle = (command) => {
      if (command.object === 'domain' && command.verb === 'create' && command.name === name) this.there.give(name);
      return undefined;
    };
  }

  /** Keys of open alarms with this prefix. */
  async alarms(start: string): Promise<string[]> {
    return (await openAlarms(this.t.ctx)).map(({ key }) => key).filter((key) => key.startsWith(start));
  }

  async close(): Promise<void> {
    await expectReconciled(this.t, ['entries', 'operations', 'domains']);
    await this.t.stop();
    await this.there.close();
  }
}

import { allTenants, sql } from '@namehold/postgres';
import { makeContact, makeCustomer } from '../support/parties.ts';
import { makeReseller } from '../support/resellers.ts';
import type { TestService } from '../support/service.ts';

interface MadeDomain {
  readonly id: string;
  readonly name: string;
}

/** The objects of the sample calls: those of the demo reseller, created through the API as needed. */
export class SampleObjects {
  readonly t: TestService;
  readonly customer = '2001';
  readonly contact = '3001';
  #made = 0;
  #domain: Promise<MadeDomain> | undefined;
  #otherCustomer: Promise<string> | undefined;

  constructor(t: TestService) {
    this.t = t;
  }

  unique(prefix: string): string {
    this.#made += 1;
    return `${prefix}${this.#made}`;
  }

  newCustomer(): Promise<string> {
    return makeCustomer(this.t);
  }

  newContact(customer: string): Promise<string> {
    return makeContact(this.t, customer);
  }

  /** Id of an empty child of the demo reseller. */
  async newChild(): Promise<string> {
    return (await makeReseller(this.t, this.t.demo)).split(':')[0]!;
  }

  order(name: string): Record<string, string> {
    return {
      domain_name: name,
      customer_id: this.customer,
      registrant_contact_id: this.contact,
      admin_contact_id: this.contact,
      tech_contact_id: this.contact,
      billing_contact_id: this.contact,
      invoice_option: 'no_invoice',
    };
  }

  async must(method: string, path: string, form: Record<string, string> = {}): Promise<Record<string, unknown>> {
    const called = await this.t.call(method, `/v1${path}`, { form });
    if (called.status >= 300) throw new Error(`${method} ${path}: ${called.text}`);
    return called.body as Record<string, unknown>;
  }

  async newDomain(tld = 'com', more: Record<string, string> = {}): Promise<MadeDomain> {
    const name = `${this.unique('contract')}.${tld}`;
    const made = await this.must('POST', '/domains', { ...this.order(name), ...more });
    return { id: String(made.domain_id), name };
  }

  /** A domain that calls only read: with a nameserver below it, and signed. */
  domain(): Promise<MadeDomain> {
    this.#domain ??= (async () => {
      const made = await this.newDomain();
      await this.must('POST', `/domains/${made.id}/childns`, {
        hostname: `ns1.${made.name}`,
        ip_address: '192.0.2.53',
      });
      const ds = { keytag: '12345', algorithm: '13', digesttype: '2', digest: 'ab'.repeat(32) };
      await this.must('POST', `/domains/${made.id}/dnssec`, ds);
      return made;
    })();
    return this.#domain;
  }

  /** A customer without objects. */
  otherCustomer(): Promise<string> {
    this.#otherCustomer ??= this.newCustomer();
    return this.#otherCustomer;
  }

  /** The customer of the domains. */
  async emails(): Promise<Record<string, string>> {
    const emailOf = async (path: string) => (await this.t.call('GET', `/v1${path}`)).body.email as string;
    return {
      customer_email: await emailOf(`/customers/${this.customer}`),
      reseller_email: await emailOf('/account/profile'),
    };
  }

  async expiryOf(domainId: string): Promise<string> {
    const { end } = await this.t.ctx.db
      .as(allTenants)
      .one<{ end: Date }>(sql`select end_date as end from domain where id = ${domainId}`);
    return end.toISOString().slice(0, 19).replace('T', ' ');
  }

  /** A domain at another registrar, and its auth code. */
  async foreignName(): Promise<{ name: string; authCode: string }> {
    const { id, name } = await this.newDomain();
    const authCode = `Code-${this.unique('x')}-4f7Qm2Zr9`;
    const { body } = await this.t.control('GET', '/accounts');
    const accounts = (body as { accounts: { client_id: string }[] }).accounts.map((account) => account.client_id);
    const { body: dump } = await this.t.control('GET', `/domains/${name}`);
    const own = JSON.stringify(dump);
    const other = accounts.find((account) => !own.includes(`"${account}"`));
    const moved = await this.t.control('POST', `/domains/${name}/tamper`, {
      sponsor: other,
      auth_info: authCode,
      rem_statuses: ['clientTransferProhibited'],
    });
    if (moved.status >= 300) throw new Error(moved.text);
    await this.t.ctx.db.transaction(allTenants, (tx) =>
      tx.run(sql`
        update domain set state = 'removed', removed_reason = 'transferred_away', removed_at = ${this.t.ctx.clock.now()}
        where id = ${id}`),
    );
    return { name, authCode };
  }
}

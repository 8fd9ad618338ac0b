import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import { setTimeout as sleep } from 'node:timers/promises';

/**
 * A platform with the contract only: no Idempotency-Key, no events, no operations; ids as text, times without a zone,
 * money as numbers, flat errors. It refuses fields outside the contract, and records its actions.
 */
interface Name {
  readonly id: string;
  readonly name: string;
  /** The status in the contract's terms. */
  status: 'Live' | 'Deleted' | 'Cancelled' | 'Pending Transfer' | 'Transferred Away' | 'Pending Delete Restorable';
  created: Date;
  /** Null: not here yet. */
  expires: Date | null;
  ns: string[];
  contacts: Record<string, string>;
  theft: boolean;
  locked: boolean;
  hosts: { readonly hostname: string; readonly ip: string }[];
}

interface Posting {
  readonly transaction_id: string;
  readonly amount: number;
  readonly description: string;
  status: string;
  date: string;
}

/**
 * `late`: done, and answered after the caller's timeout. `cut`: done, and the connection is closed. `lost`: the connection is closed
 * before. `twice`: done twice, and the second answer is sent.
 */
export type Habit = 'late' | 'cut' | 'lost' | 'twice' | 'broken';

type Fields = Record<string, string>;
type Route = [string, RegExp, (parts: string[], fields: Fields) => unknown];

class No extends Error {
  readonly status: number;
  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
}

const stamp = (at: Date): string => at.toISOString().slice(0, 19).replace('T', ' ');
const isHeld = ({ status }: Name): boolean => status === 'Live' || status === 'Pending Delete Restorable';
const isAnothers = (name: string): boolean => name.startsWith('taken') || name.startsWith('foreign');
const yearLater = (at: Date, years: number): Date => {
  const later = new Date(at);
  later.setUTCFullYear(at.getUTCFullYear() + years);
  return later;
};

export class StrictUpstream {
  readonly credentials = { reseller: '77', key: 'k'.repeat(32) };
  readonly names: Name[] = [];
  readonly postings: Posting[] = [];
  readonly contacts = new Map<string, Fields>([['501', { name: 'Our own' }]]);
  /** Requests with their headers: no secret of ours may be in a path. */
  readonly seen: {
    readonly method: string;
    readonly url: string;
    readonly headers: IncomingMessage['headers'];
    readonly at: number;
  }[] = [];
  /** By method and path; each fault applies to one request. */
  readonly capabilities: { readonly of: string; readonly habit: Habit }[] = [];
  balance = 1_000;
  lateMs = 3_000;
  /** Added to every price. */
  surcharge = 0;
  /** Whether a delete is refunded. */
  givesBack = true;
  /** The maximum number of concurrent requests. */
  mostAtOnce = 0;
  #atOnce = 0;
  /** Answers with this status, while it is set. */
  refusal: { status: number; headers?: Record<string, string>; location?: string; message?: string } | undefined;
  /** TLDs that the account may sell; undefined: all. */
  soldTlds: readonly string[] | undefined;
  /** Domains that it sells in its panel only. */
  readonly premium = new Set<string>();
  /** How far its clock is wrong. */
  skewMs = 0;
  readonly #server: Server;
  #next = 1_000;

  private constructor(tls: { readonly key: string; readonly cert: string } | undefined) {
    const serve = (request: IncomingMessage, response: ServerResponse) => void this.#count(request, response);
    this.#server = tls ? createTlsServer(tls, serve) : createServer(serve);
  }

  /** Over TLS if it has a certificate. */
  static async start(tls?: { readonly key: string; readonly cert: string }): Promise<StrictUpstream> {
    const upstream = new StrictUpstream(tls);
    await new Promise<void>((resolve) => upstream.#server.listen(0, '127.0.0.1', resolve));
    return upstream;
  }

  get port(): number {
    return (this.#server.address() as { port: number }).port;
  }

  async stop(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  holding(name: string): Name[] {
    return this.names.filter((each) => each.name === name && isHeld(each));
  }

  /** Completes or rejects a pending transfer in. */
  decide(name: string, hasCome: boolean): void {
    const found = this.names.find((each) => each.name === name && each.status === 'Pending Transfer')!;
    const posting = this.postings.findLast(({ description }) => description.includes(name))!;
    found.status = hasCome ? 'Live' : 'Cancelled';
    found.expires = hasCome ? yearLater(new Date(), 2) : null;
    posting.status = hasCome ? 'completed' : 'cancelled';
    if (!hasCome) this.balance += posting.amount;
  }

  charges(name: string): number[] {
    return this.postings.filter(({ description }) => description.includes(name)).map(({ amount }) => amount);
  }

  async #count(request: IncomingMessage, response: ServerResponse): Promise<void> {
    this.#atOnce += 1;
    this.mostAtOnce = Math.max(this.mostAtOnce, this.#atOnce);
    await this.#serve(request, response).finally(() => {
      this.#atOnce -= 1;
    });
  }

  async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { method = '', url = '' } = request;
    this.seen.push({ method, url, headers: request.headers, at: performance.now() });
    let body = '';
    for await (const part of request) body += part;
    const { pathname, searchParams } = new URL(url, 'http://upstream');
    const place = this.capabilities.findIndex(({ of }) => `${method} ${pathname}` === of);
    const habit = place === -1 ? undefined : this.capabilities.splice(place, 1)[0]!.habit;
    if (habit === 'lost') return void request.socket.destroy();
    const fields = Object.fromEntries([...searchParams, ...new URLSearchParams(body)]);
    let answer = this.#answer(request, pathname, fields);
    if (habit === 'twice') answer = this.#answer(request, pathname, fields);
    if (habit === 'cut') return void request.socket.destroy();
    if (habit === 'late') await sleep(this.lateMs);
    if (habit === 'broken')
      return void response.writeHead(200, { 'Content-Type': 'application/json' }).end('{"domain_id":');
    response.writeHead(answer.status, { 'Content-Type': 'application/json', ...this.refusal?.headers });
    response.end(JSON.stringify(answer.body));
  }

  #answer(request: IncomingMessage, path: string, fields: Fields): { status: number; body: unknown } {
    const { reseller, key } = this.credentials;
    const basic = `Basic ${Buffer.from(`${reseller}:${key}`).toString('base64')}`;
    try {
      if (this.refusal) throw new No(this.refusal.status, this.refusal.message ?? 'not now');
      if (request.headers.authorization !== basic) throw new No(401, 'wrong key');
      for (const [method, pattern, act] of this.#routes) {
        const found = request.method === method && pattern.exec(path);
        if (found) return { status: 200, body: act(found.slice(1).map(decodeURIComponent), fields) };
      }
      throw new No(404, `no such call: ${request.method} ${path}`);
    } catch (error) {
      if (!(error instanceof No)) throw error;
      const type = error.status === 401 ? 'unauthorized' : error.status === 402 ? 'card_error' : 'invalid_request';
      return { status: error.status, body: { type, message: error.message } };
    }
  }

  readonly #routes: readonly Route[] = [
    ['GET', /^\/v1\/account\/balance$/, () => this.balance],
    ['GET', /^\/v1\/account\/transactions$/, (_, { page_no = '1', limit = '10' }) => this.#page(page_no, limit)],
    ['GET', /^\/v1\/account\/transactions\/(\d+)$/, ([id]) => this.#posting(id!)],
    ['GET', /^\/v1\/customers\/9$/, () => ({ customer_id: '9', status: 'Active' })],
    ['POST', /^\/v1\/customers\/9\/contacts$/, (_, fields) => this.#makeContact(fields)],
    ['GET', /^\/v1\/customers\/9\/contacts\/default$/, () => this.#defaults()],
    ['GET', /^\/v1\/customers\/9\/contacts\/(\d+)$/, ([id]) => this.#contact(id!)],
    ['PUT', /^\/v1\/customers\/9\/contacts\/(\d+)$/, ([id], fields) => this.#changeContact(id!, fields)],
    ['GET', /^\/v1\/domains\/availability$/, (_, { domain = '' }) => this.#check(domain)],
    ['GET', /^\/v1\/domains\/details-by-name$/, (_, { domain_name = '' }) => this.#byName(domain_name)],
    ['POST', /^\/v1\/domains$/, (_, fields) => this.#register(fields)],
    ['POST', /^\/v1\/domains\/transfer\/validity$/, (_, fields) => this.#mayCome(fields)],
    ['POST', /^\/v1\/domains\/transfer$/, (_, fields) => this.#transfer(fields)],
    ['POST', /^\/v1\/domains\/(\d+)\/restore$/, ([id]) => this.#restore(id!)],
    ['PUT', /^\/v1\/domains\/(\d+)\/contacts$/, ([id], fields) => this.#setContacts(id!, fields)],
    ['POST', /^\/v1\/domains\/(\d+)\/renew$/, ([id], fields) => this.#renew(id!, fields)],
    ['PUT', /^\/v1\/domains\/(\d+)\/ns$/, ([id], { ns = '' }) => this.#setNs(id!, ns)],
    ['PUT', /^\/v1\/domains\/(\d+)\/theft_protection$/, ([id]) => this.#protect(id!, true)],
    ['DELETE', /^\/v1\/domains\/(\d+)\/theft_protection$/, ([id]) => this.#protect(id!, false)],
    ['POST', /^\/v1\/domains\/(\d+)\/childns$/, ([id], fields) => this.#addHost(id!, fields)],
    [
      'DELETE',
      /^\/v1\/domains\/(\d+)\/childns\/([^/]+)\/([^/]+)$/,
      ([id, host, ip]) => this.#dropHost(id!, host!, ip!),
    ],
    ['DELETE', /^\/v1\/domains\/(\d+)$/, ([id]) => this.#remove(id!)],
  ];

  /** Returns true, or another form of it. */
  #mayCome({ domain_name = '', auth_code = 'a-long-auth-code-4711' }: Fields): unknown {
    if (domain_name.includes('kept')) return {};
    return auth_code === 'a-long-auth-code-4711';
  }

  #now(): Date {
    return new Date(Date.now() + this.skewMs);
  }

  #id(): string {
    this.#next += 1;
    return String(this.#next);
  }

  #page(page: string, limit: string): Posting[] {
    const size = Number(limit);
    return this.postings.slice((Number(page) - 1) * size, Number(page) * size);
  }

  #posting(id: string): Posting {
    const found = this.postings.find(({ transaction_id }) => transaction_id === id);
    if (!found) throw new No(404, 'transaction not found');
    return found;
  }

  #charge(price: number, description: string, status = 'completed'): string {
    const amount = price + this.surcharge;
    if (this.balance < amount) throw new No(402, 'insufficient balance');
    this.balance -= amount;
    const transaction_id = this.#id();
    this.postings.push({ transaction_id, amount, description, status, date: stamp(this.#now()) });
    return transaction_id;
  }

  #makeContact(fields: Fields): object {
    for (const field of [
      'name',
      'company',
      'email',
      'address_line_1',
      'city',
      'country_code',
      'zipcode',
      'tel_cc_no',
      'tel_no',
    ])
      if (!fields[field]) throw new No(400, `${field} is required`);
    const contact_id = this.#id();
    this.contacts.set(contact_id, fields);
    return { contact_id, ...fields };
  }

  #contact(id: string): object {
    const found = this.contacts.get(id);
    if (!found) throw new No(404, 'contact not found');
    return { contact_id: id, ...found };
  }

  #changeContact(id: string, fields: Fields): object {
    this.#contact(id);
    this.contacts.set(id, fields);
    return this.#contact(id);
  }

  #check(asked: string): object[] {
    return asked.split(',').map((name) => {
      const status =
        this.holding(name.toLowerCase()).length > 0
          ? 'regthroughus'
          : isAnothers(name)
            ? 'regthroughothers'
            : 'available';
      return { [name]: { status } };
    });
  }

  #byName(name: string): object {
    const found = this.holding(name.toLowerCase())[0] ?? this.names.findLast((each) => each.name === name);
    if (!found) throw new No(400, `${name} not found`);
    return this.#show(found);
  }

  #byId(id: string): Name {
    const found = this.names.find((each) => each.id === id && isHeld(each));
    if (!found) throw new No(404, 'domain not found');
    return found;
  }

  #show(each: Name): object {
    return {
      domain_id: each.id,
      domain_name: each.name,
      order_status: each.status,
      customer_id: '9',
      creation_time: stamp(each.created),
      end_date: each.expires && stamp(each.expires),
      expiry_date: each.expires && stamp(each.expires),
      locked: each.locked,
      suspended: false,
      theft_protection: String(each.theft),
      ...each.contacts,
      ...Object.fromEntries(each.ns.map((host, at) => [`ns${at + 1}`, host])),
      cns: each.hosts,
      dnssec: [],
      auth_code: null,
    };
  }

  #register(fields: Fields): object {
    const { domain_name: name = '', years = '1', ns = '', customer_id, invoice_option } = fields;
    if (customer_id !== '9' || invoice_option !== 'no_invoice')
      throw new No(400, 'customer_id and invoice_option are required');
    const contacts = this.#roles(fields);
    const tld = name.slice(name.indexOf('.') + 1);
    if (this.soldTlds && !this.soldTlds.includes(tld)) throw new No(400, `.${tld} is not in your contract`);
    if (this.premium.has(name)) throw new No(400, `${name} is a premium domain`);
    if (isAnothers(name) || this.holding(name).length > 0) throw new No(400, `${name} cannot be registered`);
    const transaction_id = this.#charge(10.4 * Number(years), `Registration of ${name}`);
    const expires = yearLater(this.#now(), Number(years));
    const hosts = ns === '' ? [] : ns.split(',');
    return { domain_id: this.#enter({ name, status: 'Live', expires, ns: hosts, contacts }), transaction_id };
  }

  /** Like a platform without operations: accepted, and the answer contains nothing else. */
  #transfer(fields: Fields): object {
    const { domain_name: name = '', auth_code: code = '' } = fields;
    const contacts = this.#roles(fields);
    if (!isAnothers(name) || this.names.some((each) => each.name === name && each.status === 'Pending Transfer'))
      throw new No(400, `${name} cannot be transferred`);
    if (code === '') throw new No(400, 'auth_code is required');
    const transaction_id = this.#charge(10.2, `Transfer of ${name}`, 'pending');
    const ns = ['ns1.before.example', 'ns2.before.example'];
    const domain_id = this.#enter({ name, status: 'Pending Transfer', expires: null, ns, contacts });
    return { domain_id, transaction_id };
  }

  #restore(id: string): object {
    const found = this.#byId(id);
    if (found.status !== 'Pending Delete Restorable') throw new No(400, 'domain is not deleted');
    const transaction_id = this.#charge(70, `Restore of ${found.name}`);
    found.status = 'Live';
    return { domain_id: id, transaction_id };
  }

  #enter(name: Pick<Name, 'name' | 'status' | 'expires' | 'ns' | 'contacts'>): string {
    const id = this.#id();
    this.names.push({ id, created: this.#now(), theft: false, locked: false, hosts: [], ...name });
    return id;
  }

  #roles(fields: Fields): Record<string, string> {
    const contacts = Object.fromEntries(
      ['registrant', 'admin', 'tech', 'billing'].map((role) => [
        `${role}_contact_id`,
        fields[`${role}_contact_id`] ?? '',
      ]),
    );
    for (const id of Object.values(contacts))
      if (!this.contacts.has(id)) throw new No(400, `contact ${id} is not valid`);
    return contacts;
  }

  #defaults(): object {
    const own = { contact_id: '501', ...this.contacts.get('501') };
    return { registrant_contact: own, admin_contact: own, tech_contact: own, billing_contact: own };
  }

  #setContacts(id: string, fields: Fields): object {
    this.#byId(id).contacts = this.#roles(fields);
    return { domain_id: id };
  }

  #renew(id: string, { current_date = '', years = '' }: Fields): object {
    const found = this.#byId(id);
    if (!found.expires) throw new No(400, 'domain has no end yet');
    if (current_date.slice(0, 10) !== stamp(found.expires).slice(0, 10))
      throw new No(400, `current_date must be ${stamp(found.expires)}`);
    const transaction_id = this.#charge(10.6 * Number(years), `Renewal of ${found.name}`);
    found.expires = yearLater(found.expires, Number(years));
    return { domain_id: id, transaction_id, expiry_date: stamp(found.expires) };
  }

  #setNs(id: string, ns: string): object {
    this.#byId(id).ns = ns.split(',');
    return Object.fromEntries(this.#byId(id).ns.map((host, at) => [`ns${at + 1}`, host]));
  }

  #protect(id: string, on: boolean): object {
    this.#byId(id).theft = on;
    return { theft_protection: String(on) };
  }

  #addHost(id: string, { hostname = '', ip_address: ip = '' }: Fields): object {
    this.#byId(id).hosts.push({ hostname, ip });
    return { hostname, ip };
  }

  #dropHost(id: string, hostname: string, ip: string): object {
    const found = this.#byId(id);
    found.hosts = found.hosts.filter((host) => host.hostname !== hostname || host.ip !== ip);
    return { hostname };
  }

  #remove(id: string): object {
    const found = this.#byId(id);
    found.status = 'Deleted';
    if (this.givesBack) this.giveBack(found.name);
    return { deleted: true };
  }

  /** All charges of a domain. */
  giveBack(name: string): void {
    for (const posting of this.postings) {
      if (!posting.description.includes(name) || posting.status !== 'completed') continue;
      posting.status = 'refunded';
      this.balance += posting.amount;
    }
  }
}

import { setTimeout as sleep } from 'node:timers/promises';
import type { Credentials } from '../../packages/server/src/embedded/data-folder.ts';
import { basic } from '../http/stage.ts';

const answerLimitMs = 30_000;
const inFlight = 20;
const tickMs = 20;
const roles = ['registrant', 'admin', 'tech', 'billing'];

/** Calls of shops, panels, browsers and unknown clients, in turn. */
export class MixedLoad {
  calls = 0;
  failed = 0;
  readonly #credentials: Credentials;
  readonly #kinds: readonly (() => Promise<void>)[];
  #open = 0;

  private constructor(credentials: Credentials) {
    this.#credentials = credentials;
    const get = (path: string) => () => this.#call('GET', path);
    this.#kinds = [
      get('/v1/account/profile'),
      get('/v1/domains?limit=50'),
      get('/v1/customers?limit=50'),
      get('/v1/account/price_list'),
      get('/v1/events?limit=50'),
      () => this.#register(),
      () => this.#changeZone(),
      () => this.#customer(),
      () => this.#stream(),
      () => this.#call('GET', `/v1/domains/availability?domain=free-${this.calls}.com,free-${this.calls}.net`),
      () => this.#call('POST', '/v1/quotes', { action: 'create', domain_name: `quoted-${this.calls}.com`, years: 1 }),
      () =>
        this.#call('POST', '/v1/session', { email: `nobody${this.calls}@stranger.example`, password: 'wrong' }, null),
      () => this.#call('GET', '/v1/account/profile', undefined, `Basic ${btoa(`1000:wrong-${this.calls}`)}`),
      () => this.#call('POST', '/v1/domains', { domain_name: 'not a domain' }),
      get('/app'),
      get('/openapi.json'),
    ];
  }

  static async open(credentials: Credentials): Promise<MixedLoad> {
    const load = new MixedLoad(credentials);
    await load.#call('POST', '/v1/domains', load.#order('memory-zone.com'));
    return load;
  }

  /** Starts calls at this rate for the given time, with at most `inFlight` at once; ends when all are answered. */
  async run(forMs: number, perSecond: number): Promise<void> {
    const endAt = performance.now() + forMs;
    const began = performance.now();
    for (let begun = 0; performance.now() < endAt; ) {
      const due = ((performance.now() - began) / 1_000) * perSecond;
      for (; begun < due && this.#open < inFlight; begun += 1) void this.#one(this.#kinds[begun % this.#kinds.length]!);
      if (begun < due - inFlight) begun = Math.floor(due);
      await sleep(tickMs);
    }
    while (this.#open > 0) await sleep(tickMs);
  }

  async #one(kind: () => Promise<void>): Promise<void> {
    this.#open += 1;
    await kind().catch(() => {
      this.failed += 1;
    });
    this.#open -= 1;
  }

  #order(name: string): object {
    const contacts = Object.fromEntries(roles.map((role) => [`${role}_contact_id`, '3001']));
    return { domain_name: name, customer_id: '2001', invoice_option: 'no_invoice', ...contacts };
  }

  async #call(
    method: string,
    path: string,
    json?: object,
    as: string | null = basic(this.#credentials),
  ): Promise<void> {
    this.calls += 1;
    const answer = await fetch(`${this.#credentials.base_url}${path}`, {
      method,
      headers: { ...(as ? { Authorization: as } : {}), ...(json ? { 'Content-Type': 'application/json' } : {}) },
      ...(json ? { body: JSON.stringify(json) } : {}),
      signal: AbortSignal.timeout(answerLimitMs),
    });
    await answer.arrayBuffer();
    if (answer.status >= 500) throw new Error(`${method} ${path}: ${answer.status}`);
  }

  async #register(): Promise<void> {
    await this.#call('POST', '/v1/domains', this.#order(`memory-${this.calls}.com`));
  }

  async #changeZone(): Promise<void> {
    const rrsets = [{ name: `h${this.calls % 500}`, type: 'A', ttl: 300, records: ['192.0.2.1'] }];
    await this.#call('PATCH', '/v1/domains/memory-zone.com/zone/rrsets', { rrsets });
  }

  async #customer(): Promise<void> {
    const email = `c${this.calls}@memory.example`;
    await this.#call('POST', '/v1/customers', {
      ...{ email, name: 'Memory', company: 'Memory', password: 'a long enough one' },
      ...{ address_line_1: 'Street 1', city: 'Jakarta', state: 'DKI', country_code: 'ID', zipcode: '10110' },
      ...{ tel_cc_no: '62', tel_no: '2150001000' },
    });
  }

  /** Opened, read for a moment, and closed, like browsers do. */
  async #stream(): Promise<void> {
    this.calls += 1;
    const left = new AbortController();
    const answer = await fetch(`${this.#credentials.base_url}/v1/events/stream`, {
      headers: { Authorization: basic(this.#credentials) },
      signal: left.signal,
    });
    await sleep(tickMs);
    left.abort();
    if (answer.status >= 500) throw new Error(`stream: ${answer.status}`);
  }
}

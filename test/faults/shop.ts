import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'vitest';
import type { Installation, InstallationCall } from './world.ts';

const buyers = 3;
/** An order without an answer for this long counts as failed. */
const timeoutMs = 600_000;
const pauseMs = 150;
const linesPerPage = 400;

/** Buyers that order one name after another, each with its key until it is accepted, and a reader that queries a domain repeatedly. */
export class Shop {
  /** Answers that neither accept an order nor request a retry. */
  readonly unexpected: string[] = [];
  readonly #installation: Installation;
  readonly #accepted: string[] = [];
  readonly #times = { writes: [] as number[], reads: [] as number[] };
  #isOpen = true;
  #rests = false;
  #ordering = 0;
  #work: Promise<unknown>;

  private constructor(installation: Installation) {
    this.#installation = installation;
    this.#work = Promise.all([this.#look(), ...Array.from({ length: buyers }, (_, buyer) => this.#buy(buyer))]);
  }

  static async open(installation: Installation): Promise<Shop> {
    const { status, body } = await installation.call('POST', '/v1/resellers/1000/transactions/fund', {
      form: { amount: '1000000.00', description: 'for many names' },
      headers: { 'Idempotency-Key': 'for-many-names' },
      as: 'operator',
    });
    expect(status, JSON.stringify(body)).toBe(200);
    return new Shop(installation);
  }

  /** Whether an order and a read that start now succeed. */
  async goesOn(): Promise<void> {
    this.#rests = false;
    const since = performance.now();
    const isDone = () => Object.values(this.#times).every((times) => (times.at(-1) ?? 0) > since);
    for (let waited = 0; !isDone(); waited += 50) {
      if (waited > timeoutMs) throw new Error('the service does not go on');
      await sleep(50);
    }
  }

  acceptedSince(since: number): number {
    return this.#times.writes.filter((time) => time > since).length;
  }

  /** The longest time from one success to the next, in milliseconds. */
  longestPause(what: 'writes' | 'reads', since: number): number {
    const times = this.#times[what];
    return Math.max(...times.map((time, i) => (time > since ? time - (times[i - 1] ?? time) : 0)));
  }

  /** Waits until every open order is accepted and returns all names so far. Buyers continue with the next call of `goesOn`. */
  async rest(): Promise<readonly string[]> {
    this.#rests = true;
    for (let waited = 0; this.#ordering > 0; waited += 50) {
      if (waited > timeoutMs) throw new Error('an order is not accepted');
      await sleep(50);
    }
    return this.#accepted;
  }

  async close(): Promise<void> {
    this.#isOpen = false;
    await this.#work;
  }

  async #buy(buyer: number): Promise<void> {
    for (let number = 0; this.#isOpen; await sleep(pauseMs)) {
      if (this.#rests) continue;
      this.#ordering += 1;
      await this.#order(`order-${buyer}-${number++}.com`);
      this.#ordering -= 1;
    }
  }

  async #order(name: string): Promise<void> {
    for (; this.#isOpen; await sleep(pauseMs)) {
      const called = await this.#installation.call('POST', '/v1/domains', {
        form: {
          domain_name: name,
          customer_id: '2001',
          registrant_contact_id: '3001',
          admin_contact_id: '3001',
          tech_contact_id: '3002',
          billing_contact_id: '3001',
          invoice_option: 'no_invoice',
        },
        headers: { 'Idempotency-Key': `key-of-${name}` },
        timeoutMs: 60_000,
      });
      if (called.status === 200 || called.status === 202) {
        this.#accepted.push(name);
        this.#times.writes.push(performance.now());
        return;
      }
      this.#note(`POST ${name}`, called);
    }
  }

  async #look(): Promise<void> {
    for (; this.#isOpen; await sleep(pauseMs)) {
      const called = await this.#installation.call('GET', '/v1/domains?limit=10', { timeoutMs: 60_000 });
      if (called.status === 200) this.#times.reads.push(performance.now());
      else this.#note('GET', called);
    }
  }

  #note(what: string, { status, body, error }: InstallationCall): void {
    // 409: the first call with this key is still running.
    const isAgain = status === 503 || (status === 409 && /idempotency/.test(String(body?.code)));
    if (!isAgain) this.unexpected.push(`${what}: ${status} ${error ?? JSON.stringify(body)}`);
  }
}

/** The names that the registry has charged for, one line each time. */
export async function readCreates(installation: Installation): Promise<string[]> {
  const names: string[] = [];
  for (let after = 0; ; ) {
    const { entries } = (await installation.control(
      'GET',
      `/statement?client=namehold&limit=${linesPerPage}&after=${after}`,
    )) as { entries: { id: number; kind: string; command: string; domain: string }[] };
    for (const { kind, command, domain } of entries)
      if (kind === 'charge' && command === 'create' && domain.startsWith('order-')) names.push(domain);
    if (entries.length < linesPerPage) return names;
    after = entries.at(-1)!.id;
  }
}

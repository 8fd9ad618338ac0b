import { setTimeout as sleep } from 'node:timers/promises';
import { allTenants, type Database, sql } from '@namehold/postgres';
import { expect } from 'vitest';
import { openRestricted } from '../support/database.ts';
import { RealService } from '../support/process.ts';
import { expectConsistent, type Statement, waitUntilSettled } from './settled.ts';
import type { ServiceProcess } from './world/service-process.ts';

/** An order without acceptance for this long counts as failed. */
const timeoutMs = 600_000;
const pauseMs = 100;

/** Several processes on one database, with fewer registry sessions than they could use. */
export class Crowd {
  readonly processes: readonly ServiceProcess[];
  readonly #service: RealService;
  readonly #db: Database;

  private constructor(service: RealService, db: Database, processes: readonly ServiceProcess[]) {
    this.#service = service;
    this.#db = db;
    this.processes = processes;
  }

  static async open(count: number, leaseMs: number): Promise<Crowd> {
    const service = await RealService.create({ NAMEHOLD_LEASE_MS: String(leaseMs), NAMEHOLD_WAIT_MS: '1500' });
    const indexes = Array.from({ length: count }, (_, index) => index);
    const processes = await Promise.all(indexes.map((index) => service.process(index)));
    // The first process starts the registry.
    await processes[0]!.start();
    await Promise.all(processes.slice(1).map((each) => each.start()));
    return new Crowd(service, await openRestricted(service.databaseUrl, 4), processes);
  }

  get databaseUrl(): string {
    return this.#service.databaseUrl;
  }

  async close(): Promise<void> {
    await Promise.all(this.processes.map((each) => each.kill()));
    await this.#db.close();
    await this.#service.dispose();
  }

  /** Limits the number of sessions; the registry refuses further ones and counts the attempts. */
  async allow(sessions: number): Promise<void> {
    await this.#service.control('DELETE', '/faults');
    await this.#db.transaction(allTenants, async (tx) => {
      await tx.run(
        sql`update registry set profile = jsonb_set(profile, '{limits,sessions}', ${String(sessions)}::jsonb) where id = 'sandbox'`,
      );
      // Processes with a session lose it.
      await tx.run(sql`delete from registry_slot where registry_id = 'sandbox'`);
    });
    const open = async () => (await this.#service.control('GET', '/stats')).sessions as number;
    await expect.poll(open).toBe(0);
    await this.#service.control('POST', '/faults', { kind: 'session-limit', sessions });
    await this.#db.transaction(allTenants, (tx) =>
      tx.run(
        sql`insert into registry_slot (registry_id, slot) select 'sandbox', s from generate_series(1, ${sessions}::int) s`,
      ),
    );
  }

  async triedTooMany(): Promise<number> {
    const { faults } = await this.#service.control('GET', '/faults');
    return faults[0].struck;
  }

  /** Ordered at this process with a key, and at the others while it is unavailable. */
  async #order(name: string, at: number): Promise<void> {
    const { reseller_id, api_key } = this.#service.credentials;
    for (let tried = 0, since = performance.now(); ; tried += 1) {
      const process = this.processes[(at + tried) % this.processes.length]!;
      const status = await fetch(`${process.baseUrl}/v1/domains`, {
        method: 'POST',
        headers: {
          Authorization: `Basic ${Buffer.from(`${reseller_id}:${api_key}`).toString('base64')}`,
          'Idempotency-Key': `key-of-${name}`,
          Prefer: 'respond-async',
        },
        body: new URLSearchParams({
          domain_name: name,
          customer_id: '2001',
          registrant_contact_id: '3001',
          admin_contact_id: '3001',
          tech_contact_id: '3002',
          billing_contact_id: '3001',
          invoice_option: 'no_invoice',
        }),
        signal: AbortSignal.timeout(10_000),
      }).then(
        (response) => response.status,
        () => 0,
      );
      if (status === 200 || status === 202) return;
      expect([0, 409, 503], `the order of ${name}`).toContain(status);
      if (performance.now() - since > timeoutMs) throw new Error(`the order of ${name} is not accepted`);
      await sleep(pauseMs);
    }
  }

  /** A buyer of this process orders one name after another. */
  async buy(mark: string, at: number, count: number): Promise<string[]> {
    const names = Array.from({ length: count }, (_, n) => `${mark}-${at}-${n}.com`);
    for (const name of names) await this.#order(name, at);
    return names;
  }

  /** Every order succeeded, was charged once here and at the registry, and none waited for long. */
  async endsWell(mark: string, names: readonly string[]): Promise<void> {
    await waitUntilSettled(this.#db);
    const orders = await this.#db.as(allTenants).many<{ name: string; state: string; seconds: number }>(sql`
      select request->>'name' as name, state, extract(epoch from finished_at - created_at)::float8 as seconds from operation
      where kind = 'register' and request->>'name' like ${`${mark}-%`}`);
    const wanted = [...names].sort();
    expect(
      orders
        .filter(({ state }) => state === 'done')
        .map(({ name }) => name)
        .sort(),
    ).toEqual(wanted);
    const { entries } = (await this.#service.control('GET', '/statement?client=namehold&limit=400')) as Statement;
    const charged = entries.filter(({ kind, command, domain }) => {
      return kind === 'charge' && command === 'create' && domain?.startsWith(`${mark}-`);
    });
    expect(charged.map(({ domain }) => domain).sort()).toEqual(wanted);
    await expectConsistent(this.#db);
    expect(Math.max(...orders.map(({ seconds }) => seconds)), 'seconds of the slowest order').toBeLessThan(300);
  }

  async expectReconciled(): Promise<void> {
    const { code, output } = await this.#service.namehold(['verify']);
    expect(code, output).toBe(0);
  }
}

import { setTimeout as sleep } from 'node:timers/promises';
import { allTenants, sql } from '@namehold/postgres';
import { expect } from 'vitest';
import { type Pooler, startPgBouncer } from '../../packages/server/test/request-pipeline/support/pgbouncer.ts';
import { openTcpProxy, type TcpProxy } from '../../packages/server/test/request-pipeline/support/tcp-proxy.ts';
import {
  demoOf,
  type Exit,
  newFolder,
  type RunningService,
  removeFolder,
  runNamehold,
  startProcess,
} from '../../packages/server/test/support/process.ts';
import { bringCertificates } from '../support/certificates.ts';
import { openRestricted, registryDatabase } from '../support/database.ts';
import { freePort } from '../support/ports.ts';
import { resume, suspend } from '../support/suspend.ts';
import { expectConsistent, waitUntilSettled } from './settled.ts';
import { type FragileDatabase, openFragileDatabase } from './world/database.ts';

/** How the service reaches its database: by the addresses of several hosts, one of which answers, or through PgBouncer. */
type Connection = 'hosts' | 'pooler';

const buyers = 12;
const pauseMs = 50;
/** Orders are accepted again within this time of the server's return. */
const recoveryMs = 120_000;
/** A stop ends within this time, whatever the database does. */
const stopLimitMs = 35_000;

/** Resources of a test, in the order in which they are closed. */
interface Opened {
  readonly folder: string;
  readonly env: Record<string, string>;
  readonly database: FragileDatabase;
  readonly pooler: Pooler;
  readonly proxy: TcpProxy;
  readonly dropRegistry: () => Promise<void>;
}

async function open(connection: Connection): Promise<Opened> {
  const folder = newFolder();
  await bringCertificates(folder);
  const [database, registry] = [await openFragileDatabase(newFolder(), 'namehold'), await registryDatabase()];
  const socketFolder = new URL(database.url).searchParams.get('host')!;
  const [pooler, proxy] = [await startPgBouncer(socketFolder, 'session'), await openTcpProxy({ socketFolder })];
  const hosts = connection === 'pooler' ? pooler.host : `127.0.0.1:${await freePort()},${proxy.host}`;
  const env = {
    DATABASE_URL: `postgresql://postgres@${hosts}/namehold`,
    NAMEHOLD_SANDBOX_DATABASE_URL: registry.url,
    NAMEHOLD_RATE_LIMIT_PER_MINUTE: '1000000',
    NAMEHOLD_COST_LIMIT_PER_MINUTE: '1000000',
    NAMEHOLD_LEASE_MS: '2000',
    NAMEHOLD_VERIFY_REGISTRANTS: 'off',
  };
  return { folder, env, database, pooler, proxy, dropRegistry: registry.drop };
}

/** A service under a load of orders, on a PostgreSQL and a PgBouncer that can be frozen. */
export class SilentDatabase {
  readonly #opened: Opened;
  #service: RunningService;
  readonly #accepted: string[] = [];
  #ordered = 0;
  #isBuying = true;
  #buying: Promise<unknown>;

  private constructor(opened: Opened, service: RunningService) {
    this.#opened = opened;
    this.#service = service;
    this.#buying = this.#buyAll();
  }

  static async open(connection: Connection): Promise<SilentDatabase> {
    const opened = await open(connection);
    const { folder, env } = opened;
    return new SilentDatabase(opened, await startProcess({ folder, env }));
  }

  #buyAll(): Promise<unknown> {
    return Promise.all(Array.from({ length: buyers }, () => this.#buy()));
  }

  async #buy(): Promise<void> {
    while (this.#isBuying) {
      this.#ordered += 1;
      const name = `silent-${this.#ordered}.com`;
      const status = await this.#order(name);
      if (status === 200 || status === 202) this.#accepted.push(name);
      else await sleep(pauseMs);
    }
  }

  /** 0: the connection broke, or nothing was answered. */
  #order(name: string): Promise<number> {
    return fetch(`${this.#service.url}/v1/domains`, {
      method: 'POST',
      headers: {
        Authorization: `Basic ${Buffer.from(demoOf(this.#service)).toString('base64')}`,
        'Idempotency-Key': `key-of-${name}`,
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
      signal: AbortSignal.timeout(20_000),
    }).then(
      async (response) => {
        await response.text();
        return response.status;
      },
      () => 0,
    );
  }

  get accepted(): number {
    return this.#accepted.length;
  }

  freeze(what: 'database' | 'pooler'): void {
    if (what === 'database') this.#opened.database.freeze();
    else suspend(this.#opened.pooler.pid);
  }

  #thaw(what: 'database' | 'pooler'): void {
    if (what === 'database') this.#opened.database.thaw();
    else resume(this.#opened.pooler.pid);
  }

  isReady = (): Promise<boolean> =>
    fetch(`${this.#service.url}/readyz`, { signal: AbortSignal.timeout(5_000) }).then(
      ({ status }) => status === 200,
      () => false,
    );

  /** Orders continue soon after its return. */
  async recovers(from: 'database' | 'pooler'): Promise<void> {
    this.#thaw(from);
    const before = this.accepted;
    await expect.poll(this.isReady, { timeout: recoveryMs }).toBe(true);
    await expect.poll(() => this.accepted, { timeout: recoveryMs }).toBeGreaterThan(before);
  }

  /** Stops the service during its orders and returns the log of the stop. */
  async stops(): Promise<string> {
    const since = performance.now();
    const length = this.#service.output().length;
    const exit = await this.#service.end();
    const output = this.#service.output().slice(length);
    expect(exit, output).toEqual({ code: 0, signal: null });
    expect(performance.now() - since).toBeLessThan(stopLimitMs);
    await this.#stopBuying();
    return output;
  }

  async #stopBuying(): Promise<void> {
    this.#isBuying = false;
    await this.#buying;
  }

  async startAgain(more: Record<string, string> = {}): Promise<void> {
    this.#opened.database.thaw();
    resume(this.#opened.pooler.pid);
    const { folder, env } = this.#opened;
    this.#service = await startProcess({ folder, env: { ...env, ...more } });
    this.#isBuying = true;
    this.#buying = this.#buyAll();
  }

  /** Waits until the service exits. */
  async ends(): Promise<{ exit: Exit; output: string }> {
    const exit = await this.#service.exited;
    await this.#stopBuying();
    return { exit, output: this.#service.output() };
  }

  /** Every accepted order was executed and charged once. */
  async endsWell(): Promise<void> {
    await this.#stopBuying();
    const { folder, env, database } = this.#opened;
    const db = await openRestricted(database.url, 4);
    try {
      await waitUntilSettled(db);
      const rows = await db.as(allTenants).many<{ name: string }>(sql`
        select request->>'name' as name from operation where kind = 'register' and state = 'done'`);
      const done = new Set(rows.map(({ name }) => name));
      expect(this.#accepted.filter((name) => !done.has(name))).toEqual([]);
      await expectConsistent(db);
    } finally {
      await db.close();
    }
    const { code, stdout, stderr } = await runNamehold(['verify'], { folder, env });
    expect(code, stdout + stderr).toBe(0);
  }

  async close(): Promise<void> {
    const { folder, database, pooler, proxy, dropRegistry } = this.#opened;
    this.#isBuying = false;
    await this.#service.end('SIGKILL');
    await this.#buying;
    await pooler.stop();
    proxy.close();
    await database.dispose();
    await dropRegistry();
    removeFolder(folder);
  }
}

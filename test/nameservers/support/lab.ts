import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { allTenants, sql } from '@namehold/postgres';
import { cliActor } from '../../../packages/server/src/cli/command.ts';
import { readConfig } from '../../../packages/server/src/config.ts';
import type { Actor, AppContext } from '../../../packages/server/src/core/app-context.ts';
import { requireDomain } from '../../../packages/server/src/core/domains/find.ts';
import { patchRRsets } from '../../../packages/server/src/core/zones/rrsets/patch-rrsets.ts';
import { readNameserver } from '../../../packages/server/src/embedded/nameserver-process.ts';
import { createLogger } from '../../../packages/server/src/logger.ts';
import { openParts, type Parts } from '../../../packages/server/src/parts.ts';
import { ServiceProcess } from './service-process.ts';

export interface LabDomain {
  readonly id: string;
  readonly name: string;
}

/** One RRset as the API accepts it. */
export interface Edit {
  readonly name: string;
  readonly type: string;
  readonly ttl?: number;
  readonly records?: readonly string[];
  readonly action?: 'replace' | 'delete' | 'add' | 'remove';
}

/** The service as a process, with a reseller that has domains; zones are changed through its HTTP API. */
export class Lab {
  readonly service: ServiceProcess;
  /** Direct access to the same database, for changes that the API does not offer. */
  readonly parts: Parts;
  readonly #customerId: string;

  private constructor(service: ServiceProcess, parts: Parts, customerId: string) {
    this.service = service;
    this.parts = parts;
    this.#customerId = customerId;
  }

  static async start(databaseUrl: string, more: Record<string, string> = {}): Promise<Lab> {
    const folder = mkdtempSync(join(tmpdir(), 'namehold-lab-'));
    const env = {
      NAMEHOLD_DATA_DIR: folder,
      NAMEHOLD_PORT: '0',
      NAMEHOLD_DNS_PORT: '0',
      NAMEHOLD_PRIMARY_PORT: '0',
      NAMEHOLD_REDIRECT_PORT: 'off',
      NAMEHOLD_SANDBOX_SMTP_PORT: 'off',
      NAMEHOLD_LOG_LEVEL: process.env.TEST_LOG_LEVEL ?? 'error',
      NAMEHOLD_DATABASE_CONNECTIONS: '12',
      NAMEHOLD_RATE_LIMIT_PER_MINUTE: '1000000',
      NAMEHOLD_ADDRESS_RATE_LIMIT_PER_MINUTE: '1000000',
      DATABASE_URL: databaseUrl,
      ...more,
    };
    const service = new ServiceProcess(folder, env);
    await service.start();
    const parts = await openParts(readConfig({ ...env, NAMEHOLD_LOG_LEVEL: 'silent' }), createLogger('silent'));
    const resellerId = service.credentials.reseller_id;
    const { db } = parts.ctx;
    const customer = await db
      .as(allTenants)
      .one<{ id: string }>(sql`select id from customer where reseller_id = ${resellerId} limit 1`);
    await db.transaction(allTenants, (tx) =>
      tx.run(sql`
        insert into registry (id, profile, host, port, client_id, secrets_sealed, created_at)
        values ('lab', '{}', '127.0.0.1', 1, 'lab', '', now())`),
    );
    return new Lab(service, parts, customer.id);
  }

  get ctx(): AppContext {
    return this.parts.ctx;
  }

  get actor(): Actor {
    return cliActor(this.service.credentials.reseller_id);
  }

  get folder(): string {
    return this.service.folder;
  }

  /** The embedded nameserver of the service. */
  get embedded(): { id: string; address: string; port: number } {
    return { id: 'embedded', address: '127.0.0.1', port: this.service.credentials.dns!.port };
  }

  /** Live domains as rows; no registry is queried. */
  async domains(names: readonly string[]): Promise<LabDomain[]> {
    const { resellerId } = this.actor;
    return this.ctx.db.transaction(allTenants, (tx) =>
      tx.many<LabDomain>(sql`
        insert into domain (reseller_id, customer_id, name, tld, registry_id, state, end_date, created_at, updated_at)
        select ${resellerId}, ${this.#customerId}, n, 'example', 'lab', 'live', now() + interval '1 year', now(), now()
        from unnest(${names}::text[]) as n
        returning id, name`),
    );
  }

  async domain(name: string): Promise<LabDomain> {
    return (await this.domains([name]))[0]!;
  }

  // biome-ignore lint/suspicious/noExplicitAny: a test reads whatever the answer holds
  async call(method: string, path: string, json?: unknown, more: Record<string, string> = {}): Promise<any> {
    const { base_url, reseller_id, api_key } = this.service.credentials;
    const response = await fetch(`${base_url}/v1${path}`, {
      method,
      headers: {
        ...more,
        Authorization: `Basic ${Buffer.from(`${reseller_id}:${api_key}`).toString('base64')}`,
        ...(json === undefined ? {} : { 'Content-Type': 'application/json' }),
      },
      ...(json === undefined ? {} : { body: JSON.stringify(json) }),
    });
    const text = await response.text();
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${text.slice(0, 500)}`);
    return JSON.parse(text);
  }

  /** Changes the zone of a domain, which is created on first use; returns the serial. */
  async patch(domain: LabDomain, rrsets: readonly Edit[]): Promise<number> {
    return (await this.call('PATCH', `/domains/${domain.id}/zone/rrsets`, { rrsets })).serial;
  }

  /** The same while the service is dead, as another process of it would. */
  async patchBeside(domain: LabDomain, rrsets: readonly Edit[]): Promise<number> {
    const full = await requireDomain(this.ctx, this.actor, domain.id);
    return (await patchRRsets(this.ctx, this.actor, full, { rrsets })).zone.serial;
  }

  async deleteZone(domain: LabDomain): Promise<void> {
    await this.call('DELETE', `/domains/${domain.id}/zone?confirm=true`);
  }

  async rollback(domain: LabDomain, serial: number): Promise<number> {
    return (await this.call('POST', `/domains/${domain.id}/zone/rollback`, { serial })).serial;
  }

  /** The process of the embedded nameserver. */
  get nameserverPid(): number {
    return readNameserver(join(this.folder, 'nameserver'))!.pid;
  }

  async close(): Promise<void> {
    await this.service.stop();
    // A killed service has left it behind.
    const left = readNameserver(join(this.folder, 'nameserver'));
    if (left) process.kill(left.pid, 'SIGKILL');
    await this.parts.close();
    rmSync(this.folder, { recursive: true, force: true });
  }
}

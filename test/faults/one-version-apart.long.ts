import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { migrate } from '@namehold/postgres';
import { expect, test } from 'vitest';
import { schemaFolder } from '../../packages/server/src/parts.ts';
import { release } from '../../packages/server/src/release.ts';
import {
  demoOf,
  newFolder,
  type RunningService,
  removeFolder,
  runNamehold,
  startProcess,
  until,
} from '../../packages/server/test/support/process.ts';
import { emptyDatabase, registryDatabase } from '../support/database.ts';
import { makeContact, makeCustomer } from '../support/parties.ts';
import { type Called, type CallOptions, send } from '../support/service.ts';

/**
 * A rolling update: the older release serves, the database is migrated, the newer one starts beside it and takes over, and the older one
 * is stopped. `OLDER_CODE` names a checkout of an earlier commit. Without it this code is the older release, and an additional migration
 * that only adds columns is applied.
 */
const older = process.env.OLDER_CODE;
const phaseMs = Number(process.env.PHASE_MS ?? 8_000);

async function migrateToNewer(url: string): Promise<string[]> {
  if (older) return migrate({ url, folder: schemaFolder, release });
  const folder = mkdtempSync(join(tmpdir(), 'namehold-tomorrow-'));
  cpSync(schemaFolder, folder, { recursive: true });
  const lines = [
    `-- oldest release: ${release}`,
    'create table of_tomorrow (id bigint primary key, domain_id bigint references domain (id));',
    `alter table domain add column of_tomorrow text not null default '';`,
    'alter table customer add column of_tomorrow jsonb;',
    `alter table operation add column of_tomorrow integer not null default 7;`,
    'create index customer_of_tomorrow on customer (of_tomorrow);',
  ];
  mkdirSync(join(folder, 'migrations'), { recursive: true });
  writeFileSync(join(folder, 'migrations/9000_tomorrow.sql'), `${lines.join('\n')}\n`);
  return migrate({ url, folder, release }).finally(() => rmSync(folder, { recursive: true, force: true }));
}

interface Load {
  readonly counts: Record<string, number>;
  readonly failed: string[];
  /** New requests go to these from now on. */
  at: RunningService[];
  under: number;
  isOver: boolean;
}

async function one(load: Load, number: number, ids: { customer: string; contact: string }): Promise<void> {
  const service = load.at[number % load.at.length]!;
  const call = async (method: string, path: string, options: CallOptions = {}): Promise<Called> => {
    const what = `${method} ${path.replace(/\d+/g, 'N')}`;
    const called = await send(service.url, method, path, demoOf(service), options).catch(
      (error: Error) => ({ status: 0, text: String(error.cause ?? error), body: undefined }) as unknown as Called,
    );
    load.counts[what] = (load.counts[what] ?? 0) + 1;
    if (called.status !== 200 && called.status !== 202)
      load.failed.push(`${what}: ${called.status} ${called.text.slice(0, 300)}`);
    return called;
  };
  if (number % 3 !== 0) {
    await call('GET', number % 2 ? '/v1/customers?limit=5' : '/v1/domains?limit=5');
    return;
  }
  const name = `apart-${number}.com`;
  const roles = ['registrant', 'admin', 'tech', 'billing'].map((role) => [`${role}_contact_id`, ids.contact]);
  const form = { domain_name: name, customer_id: ids.customer, years: '1', invoice_option: 'no_invoice' };
  const bought = await call('POST', '/v1/domains', { form: { ...form, ...Object.fromEntries(roles) } });
  // An open order is read, not changed.
  if (bought.status !== 200) return void (await call('GET', `/v1/operations/${bought.body?.operation_id}`));
  await call('PATCH', `/v1/domains/${name}/zone/rrsets`, {
    json: { rrsets: [{ name: 'www', type: 'A', records: ['192.0.2.1'] }] },
  });
  await call('PUT', `/v1/domains/${name}/ns`, { form: { ns: 'ns1.elsewhere.example,ns2.elsewhere.example' } });
  await call('GET', `/v1/domains/${name}`);
}

test('serves every request while code and schema are one version apart, without a difference', async () => {
  const [database, registry] = [await emptyDatabase(), await registryDatabase()];
  const folder = newFolder();
  const env = {
    DATABASE_URL: database.url,
    NAMEHOLD_SANDBOX_DATABASE_URL: registry.url,
    NAMEHOLD_LOG_LEVEL: 'error',
    NAMEHOLD_RATE_LIMIT_PER_MINUTE: '1000000',
    NAMEHOLD_COST_LIMIT_PER_MINUTE: '1000000',
    NAMEHOLD_ADDRESS_RATE_LIMIT_PER_MINUTE: '1000000',
    NAMEHOLD_SHED_WAIT_MS: '0',
    NAMEHOLD_SHED_MEMORY_MB: '0',
  };
  const running: RunningService[] = [];
  try {
    const first = await startProcess({ folder, env, ...(older ? { code: older } : {}) });
    running.push(first);
    const t = {
      call: (method: string, path: string, options: CallOptions = {}) =>
        send(first.url, method, path, demoOf(first), options),
    };
    const customer = await makeCustomer(t);
    const ids = { customer, contact: await makeContact(t, customer) };
    const load: Load = { counts: {}, failed: [], at: [first], under: 0, isOver: false };
    let next = 0;
    const clients = Array.from({ length: 4 }, async () => {
      while (!load.isOver) {
        load.under += 1;
        await one(load, next++, ids);
        load.under -= 1;
      }
    });
    await sleep(phaseMs);
    const applied = await migrateToNewer(database.url);
    expect(applied.length).toBeGreaterThan(0);
    await sleep(phaseMs);
    const second = await startProcess({ folder, env });
    running.push(second);
    load.at = [first, second];
    await sleep(phaseMs);
    load.at = [second];
    // Requests that began at the older release end there, as with a load balancer.
    const seen = next;
    await until(() => next > seen + clients.length * 2);
    expect((await first.end()).code).toBe(0);
    await sleep(phaseMs);
    load.isOver = true;
    await Promise.all(clients);
    const total = Object.values(load.counts).reduce((sum, n) => sum + n, 0);
    console.log(
      `one version apart: ${applied.join(', ')}; ${total} requests, ${load.failed.length} failed`,
      load.counts,
    );
    expect(load.failed).toEqual([]);
    expect(total).toBeGreaterThan(50);
    const verified = await runNamehold(['verify'], { folder, env });
    expect(verified.code, verified.stdout).toBe(0);
  } finally {
    for (const service of running) await service.end();
    await database.drop();
    await registry.drop();
    removeFolder(folder);
  }
});

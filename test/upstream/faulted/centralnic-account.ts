import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { allTenants, type Database, openDatabase, sql } from '@namehold/postgres';
import { type Sandbox, startSandbox } from '@namehold/sandbox';
import { readSettings } from '@namehold/sandbox/settings';
import { connectRegistry } from '../../../packages/server/src/core/registries/connect.ts';
import { cents, type StatementLine } from '../../faults/statement.ts';
import { offer } from '../../namehold-upstream/chain.ts';
import { bringCertificates } from '../../support/certificates.ts';
import { registryDatabase } from '../../support/database.ts';
import type { TestService } from '../../support/service.ts';
import { sweep } from '../../support/sweep.ts';
import { centralNicConnection, centralNicCosts, sandboxControl } from '../centralnic-upstream.ts';
import type { FaultKind } from '../simulators/faults.ts';
import { authCode, type OrderVerb } from '../simulators/upstreams.ts';
import type {
  AccountFault,
  AccountOptions,
  CarriedOut,
  ChargedVerb,
  Disturbance,
  HeldDomain,
  Link,
  Nudge,
  UpstreamAccount,
} from './account.ts';

const client = 'nh-reseller';

/** Longer than the timeout of an order. */
const delayMs = 1_000;
const latestMs = 5_000;
/** Longer than the longest pause of the circuit breaker. */
const healLimitMs = 60_000;

/** The faults of EPP that have the same effect on an order, or else one that HTTP does not have. */
const faultsOfEpp: Readonly<Record<FaultKind, object>> = {
  lost_before: { kind: 'drop-before', how: 'close' },
  lost_after: { kind: 'drop-after-commit', how: 'close' },
  cut: { kind: 'cut', bytes: 40 },
  delayed: { kind: 'delay', ms: delayMs },
  // Carried out after the service has looked for it, and perhaps sent it again.
  doubled: { kind: 'held', how: 'close', until: 'question', ms: latestMs },
  error_before: { kind: '2400', when: 'before' },
  error_after: { kind: '2400', when: 'after' },
  refused: { kind: '2502' },
  maintenance: { kind: 'maintenance' },
  numbers_as_text: { kind: 'other-dates' },
  missing_fields: { kind: 'half-frame' },
  saved: { kind: 'held', how: 'close', until: 'time', ms: delayMs },
  in_doubt: { kind: 'drop-after-commit', how: 'silent' },
  fails_later: { kind: '2500', when: 'either' },
  stale: { kind: 'lagging-info', ms: delayMs },
};

const commands: Readonly<Record<OrderVerb, string>> = {
  register: 'domain:create',
  renew: 'domain:renew',
  transfer: 'domain:transfer:request',
  restore: 'domain:update',
  delete: 'domain:delete',
  contact: 'domain:update',
};

const queryFaults: readonly FaultKind[] = ['lost_before', 'lost_after', 'error_before', 'maintenance', 'cut'];
const queryRate = 0.02;

const verbOf: Readonly<Record<string, ChargedVerb>> = {
  create: 'register',
  renew: 'renew',
  transfer: 'transfer',
  restore: 'restore',
};

/** In minor units. */
const balanceOf = async (sandbox: Sandbox): Promise<bigint> =>
  cents((await sandboxControl<{ balance: string }>(sandbox, 'GET', `/statement?client=${client}&limit=1`)).balance);

interface AppliedFault {
  readonly kind: string;
  readonly struck: number;
}

/** The account at the sandbox registry as CentralNic Reseller: EPP with the extension keysys. */
export class CentralNicAccount implements UpstreamAccount {
  readonly refusesRepeatedRenewal = true;
  readonly #sandbox: Sandbox;
  readonly #db: Database;
  readonly #openingBalance: bigint;
  readonly #remove: () => Promise<void>;
  readonly #applied = new Map<string, number>();

  private constructor(sandbox: Sandbox, db: Database, openingBalance: bigint, remove: () => Promise<void>) {
    this.#sandbox = sandbox;
    this.#db = db;
    this.#openingBalance = openingBalance;
    this.#remove = remove;
  }

  static async open({ now = Date.now }: AccountOptions = {}): Promise<CentralNicAccount> {
    const { url, drop } = await registryDatabase();
    const base = mkdtempSync(join(tmpdir(), 'namehold-upstream-'));
    await bringCertificates(base);
    const folder = join(base, 'sandbox');
    const { databaseUrl, chaosSeed } = readSettings({
      SANDBOX_DATABASE_URL: url,
      SANDBOX_DIR: folder,
      SANDBOX_CHAOS: process.env.SANDBOX_CHAOS,
    });
    const clock = {
      now: () => new Date(now()),
      offsetMs: () => 0,
      move: () => {
        throw new Error('the test moves this clock');
      },
    };
    const chaos = chaosSeed === undefined ? {} : { chaosSeed };
    const sandbox = await startSandbox({ databaseUrl, folder, clock, ...chaos });
    const db = openDatabase({ url, maxConnections: 2 });
    return new CentralNicAccount(sandbox, db, await balanceOf(sandbox), async () => {
      sweep([base]);
      await drop();
    });
  }

  async connect(t: TestService, { sessions, requestsPerMinute, timeouts }: Link): Promise<void> {
    const limits = { sessions, commandsPerSecond: requestsPerMinute / 60 };
    const more = { limits, side: { rowsPerPage: 1_000 }, ...(timeouts ? { timeouts } : {}) };
    await connectRegistry(t.ctx, centralNicConnection(this.#sandbox, ['org'], more));
    await t.service.parts.registries.reload('up');
    await offer(t, ['org'], centralNicCosts);
  }

  async inject({ kind, verb, domain: name, times: limit }: AccountFault): Promise<void> {
    await this.#fault({ ...faultsOfEpp[kind], commands: [commands[verb]], name, limit });
  }

  async disturb(what: Disturbance, seed: number): Promise<void> {
    if (what === 'block') await this.#fault({ kind: '2502' });
    if (what === 'outage') await this.#fault(faultsOfEpp.lost_before);
    if (what !== 'queries') return;
    // A lost login only costs its timeout.
    const some = { commands: ['domain', 'contact', 'host'], rate: queryRate / queryFaults.length };
    for (const [place, kind] of queryFaults.entries())
      await this.#fault({ ...faultsOfEpp[kind], ...some, seed: seed + place });
  }

  async heal(nudge: Nudge): Promise<void> {
    await this.#countApplied();
    await this.#control('DELETE', '/faults');
    const before = await this.requests();
    const deadline = performance.now() + healLimitMs;
    while ((await this.requests()) === before) {
      if (performance.now() > deadline) throw new Error('the service sends no request after the faults');
      await nudge();
      await sleep(100);
    }
  }

  async faultsApplied(): Promise<string> {
    await this.#countApplied();
    return [...this.#applied].map(([kind, count]) => `${kind} ${count}`).join(', ');
  }

  async settle(nudge: Nudge): Promise<boolean> {
    await this.#control('POST', '/held');
    for (const name of await this.#pendingTransfers()) await this.#asOtherRegistrar('approve', name);
    const { waiting } = await this.#db.as(allTenants).one<{ waiting: number }>(sql`
      select count(*)::int as waiting from poll_message where client_id = ${client}`);
    if (waiting > 0) await nudge();
    return waiting === 0;
  }

  async addElsewhere(name: string): Promise<void> {
    await this.#asOtherRegistrar('register', name);
  }

  async age(name: string, ms: number): Promise<void> {
    const by = sql`${ms}::float8 * interval '1 millisecond'`;
    await this.#db.transaction(allTenants, async (tx) => {
      await tx.run(sql`
        update domain set created_at = created_at - ${by}, expires_at = expires_at - ${by} where name = ${name}`);
      await tx.run(sql`
        update grace_period g set ends_at = g.ends_at - ${by} from domain d where d.id = g.domain_id and d.name = ${name}`);
    });
  }

  async domains(): Promise<HeldDomain[]> {
    const rows = await this.#db.as(allTenants).many<{ name: string; phase: string }>(sql`
      select name, phase from domain where sponsor = ${client} order by id`);
    return rows.map(({ name, phase }) => ({ name, status: phase === 'active' ? 'active' : 'redemption' }));
  }

  async contactsOf(name: string) {
    const { registrant, contacts } = await this.#control<{
      readonly registrant: string;
      readonly contacts: readonly { readonly type: string; readonly id: string }[];
    }>('GET', `/domains/${name}`);
    return { registrant, admin: contacts.find(({ type }) => type === 'admin')?.id };
  }

  async carriedOut(name?: string): Promise<CarriedOut[]> {
    return (await this.#statement(name)).flatMap(({ kind, command, domain }) => {
      const verb = verbOf[command];
      return kind === 'charge' && verb ? [{ verb, domain }] : [];
    });
  }

  async charged(name?: string): Promise<number> {
    const lines = await this.#statement(name);
    const signs = { charge: 1n, refund: -1n, deposit: 0n };
    return Number(lines.reduce((sum, { kind, amount }) => sum + signs[kind] * cents(amount), 0n));
  }

  async problems(): Promise<string[]> {
    const balance = await balanceOf(this.#sandbox);
    const wanted = this.#openingBalance - BigInt(await this.charged());
    return balance === wanted ? [] : [`the entries leave ${wanted}, and the balance is ${balance}`];
  }

  async requests(): Promise<number> {
    const { answers } = await this.#control<{ answers: Record<string, Record<string, number>> }>('GET', '/stats');
    return Object.values(answers)
      .flatMap((codes) => Object.values(codes))
      .reduce((sum, count) => sum + count, 0);
  }

  async stop(): Promise<void> {
    await this.#db.close();
    await this.#sandbox.stop();
    await this.#remove();
  }

  #control<T>(method: string, path: string, body?: object): Promise<T> {
    return sandboxControl<T>(this.#sandbox, method, path, body);
  }

  async #fault(fault: object): Promise<void> {
    await this.#control('POST', '/faults', { client, ...fault });
  }

  async #countApplied(): Promise<void> {
    const { faults } = await this.#control<{ faults: readonly AppliedFault[] }>('GET', '/faults');
    for (const { kind, struck } of faults)
      if (struck > 0) this.#applied.set(kind, (this.#applied.get(kind) ?? 0) + struck);
  }

  async #asOtherRegistrar(action: 'register' | 'approve', name: string): Promise<void> {
    await this.#control('POST', '/transfers', { action, name, auth_code: authCode });
  }

  async #pendingTransfers(): Promise<string[]> {
    const rows = await this.#db.as(allTenants).many<{ name: string }>(sql`
      select d.name from transfer t join domain d on d.id = t.object_id
      where t.object = 'domain' and t.state = 'pending' and t.requester = ${client} order by t.id`);
    return rows.map(({ name }) => name);
  }

  async #statement(name?: string): Promise<StatementLine[]> {
    const path = `/statement?client=${client}&limit=100000${name === undefined ? '' : `&domain=${name}`}`;
    return (await this.#control<{ entries: StatementLine[] }>('GET', path)).entries;
  }
}

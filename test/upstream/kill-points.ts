import { setTimeout as sleep } from 'node:timers/promises';
import { allTenants, type Database, sql } from '@namehold/postgres';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { expectConsistent } from '../faults/settled.ts';
import { orderOf, owedIn, quick } from '../namehold-upstream/chain.ts';
import { openRestricted } from '../support/database.ts';
import { type RealCall, RealService } from '../support/process.ts';
import { expectServiceReconciled } from '../support/reconciliation.ts';
import { startTestService } from '../support/service.ts';
import type { UpstreamAccount } from './faulted/account.ts';
import { accounts } from './faulted/accounts.ts';
import { authCode, type OrderVerb } from './simulators/upstreams.ts';

interface UpstreamPoint {
  readonly dialect: string;
  readonly verb: OrderVerb;
  /** Without the step or kind before it. */
  readonly at: string;
}

const settleLimitMs = 300_000;
const deathLimitMs = 120_000;
const stepMs = 100;
const tenDaysMs = 10 * 86_400_000;
const noInvoice = { invoice_option: 'no_invoice' };

/** A seller that is killed, at an upstream that is not. */
class Seller {
  readonly upstream: UpstreamAccount;
  readonly service: RealService;
  readonly db: Database;
  #nudges = 0;

  private constructor(upstream: UpstreamAccount, service: RealService, db: Database) {
    this.upstream = upstream;
    this.service = service;
    this.db = db;
  }

  static async open(dialect: string): Promise<Seller> {
    const upstream = await accounts[dialect]!();
    const service = await RealService.create({ NAMEHOLD_SANDBOX_DATABASE_URL: '', NAMEHOLD_THEFT_PROTECTION: 'off' });
    const { databaseUrl, folder } = service;
    const t = await startTestService({ databaseUrl, folder, env: { NAMEHOLD_THEFT_PROTECTION: 'off' } });
    await upstream.connect(t, { ...quick, visibleAfterSeconds: 1 });
    await t.stop();
    return new Seller(upstream, service, await openRestricted(databaseUrl));
  }

  async close(): Promise<void> {
    await this.db.close();
    await this.service.dispose();
    await this.upstream.stop();
  }

  /** Runs what waits, and ends what the upstream itself has not ended. */
  async advance(): Promise<void> {
    this.#nudges += 1;
    const query = `/v1/domains/availability?domain=nudge-${this.#nudges}.org`;
    await this.upstream.settle(() => this.service.call('GET', query));
    await this.db.transaction(allTenants, (tx) =>
      tx.run(sql`
        update operation set due_at = now() where state in ('unknown', 'waiting_registry') and due_at > now()`),
    );
  }

  /** The domain is older on both sides: an earlier expiry only there would count as an outdated answer. */
  async age(domain: string, ms: number): Promise<void> {
    await this.upstream.age(domain, ms);
    const by = sql`${ms}::float8 * interval '1 millisecond'`;
    await this.db.transaction(allTenants, (tx) =>
      tx.run(sql`
        update domain set end_date = end_date - ${by}, registry_expires_at = registry_expires_at - ${by},
          registry_created_at = registry_created_at - ${by}
        where name = ${domain}`),
    );
  }

  async settled(): Promise<void> {
    const open = sql`select id, kind, state, attempts from operation where state not in ('done', 'refused', 'cancelled')`;
    for (let waited = 0; waited < settleLimitMs; waited += 200) {
      await this.advance();
      const left = await this.db.as(allTenants).many(open);
      if (left.length === 0) return;
      expect(left).not.toContainEqual(expect.objectContaining({ state: 'action_required' }));
      await sleep(200);
    }
    expect(await this.db.as(allTenants).many(open)).toEqual([]);
  }
}

interface Verb {
  /** Of its operation, and of its command in the journal. */
  readonly kind: string;
  readonly points: readonly string[];
  prepare?(seller: Seller, domain: string): Promise<void>;
  call(seller: Seller, domain: string, headers: Record<string, string>): Promise<RealCall>;
  /** It contains its starting date: a repeat would be another request. */
  readonly isNewEachTime?: true;
  /** What the upstream carried out when it is done once. */
  readonly orders: readonly string[];
  check?(seller: Seller, domain: string): Promise<void>;
}

const ofKind = ['after-order', 'before-send', 'after-answer', 'before-settle', 'in-settle', 'after-settle'];
const ofStep = ['before-journal', 'after-journal', 'after-send', 'before-answered', 'after-answered'];
const all = [...ofKind, ...ofStep];

async function bought(seller: Seller, domain: string): Promise<void> {
  const called = await seller.service.call('POST', '/v1/domains', { form: orderOf(domain) });
  expect([200, 202], JSON.stringify(called.body)).toContain(called.status);
  await seller.settled();
}

const statusOf = async (upstream: UpstreamAccount, domain: string) =>
  (await upstream.domains()).find(({ name }) => name === domain)?.status;

const contactsOf = (admin: string) => ({
  registrant_contact_id: '3001',
  admin_contact_id: admin,
  tech_contact_id: '3001',
  billing_contact_id: '3001',
});

const verbs: Readonly<Record<OrderVerb, Verb>> = {
  register: {
    kind: 'register',
    points: all,
    call: ({ service }, domain, headers) => service.call('POST', '/v1/domains', { form: orderOf(domain), headers }),
    orders: ['register'],
  },
  renew: {
    kind: 'renew',
    points: all,
    prepare: bought,
    async call({ service }, domain, headers) {
      const { body } = await service.call('GET', `/v1/domains/${domain}`);
      const form = { years: '1', current_date: body.end_date, ...noInvoice };
      return service.call('POST', `/v1/domains/${domain}/renew`, { form, headers });
    },
    isNewEachTime: true,
    orders: ['register', 'renew'],
  },
  transfer: {
    kind: 'transfer',
    points: all,
    prepare: ({ upstream }, domain) => upstream.addElsewhere(domain),
    call: ({ service }, domain, headers) =>
      service.call('POST', '/v1/domains/transfer', { form: { ...orderOf(domain), auth_code: authCode }, headers }),
    orders: ['transfer'],
  },
  delete: {
    kind: 'delete',
    points: all,
    prepare: bought,
    call: ({ service }, domain, headers) => service.call('DELETE', `/v1/domains/${domain}`, { headers }),
    orders: ['register'],
    check: async ({ upstream }, domain) => expect(await statusOf(upstream, domain)).not.toBe('active'),
  },
  restore: {
    kind: 'restore',
    points: all,
    async prepare(seller, domain) {
      await bought(seller, domain);
      // Older than the days in which a delete is refunded.
      await seller.age(domain, tenDaysMs);
      const called = await seller.service.call('DELETE', `/v1/domains/${domain}`);
      expect([200, 202], JSON.stringify(called.body)).toContain(called.status);
      await seller.settled();
      expect(await statusOf(seller.upstream, domain)).toBe('redemption');
    },
    call: ({ service }, domain, headers) =>
      service.call('POST', `/v1/domains/${domain}/restore`, { form: noInvoice, headers }),
    orders: ['register', 'restore'],
  },
  contact: {
    kind: 'update',
    points: all,
    prepare: bought,
    call: ({ service }, domain, headers) =>
      service.call('PUT', `/v1/domains/${domain}/contacts`, { form: contactsOf('3002'), headers }),
    orders: ['register'],
    async check({ upstream }, domain) {
      const { admin, registrant } = await upstream.contactsOf(domain);
      expect(admin).toBeDefined();
      expect(admin).not.toEqual(registrant);
    },
  },
};

export const upstreamPoints: readonly UpstreamPoint[] = Object.keys(accounts).flatMap((dialect) =>
  (Object.keys(verbs) as OrderVerb[]).flatMap((verb) => verbs[verb].points.map((at) => ({ dialect, verb, at }))),
);

async function killedAt(seller: Seller, { verb: name, at }: UpstreamPoint): Promise<void> {
  const verb = verbs[name];
  const domain = `${name}-${at}.org`;
  const { service, upstream } = seller;
  await service.start();
  await verb.prepare?.(seller, domain);
  await service.start([`${verb.kind}:${at}`]);
  const headers = { 'Idempotency-Key': `kill-${domain}`, Prefer: 'wait=1' };
  const calling = verb.call(seller, domain, headers);
  for (let waited = 0; service.isAlive && waited < deathLimitMs; waited += stepMs) {
    await sleep(stepMs);
    await seller.advance();
  }
  expect(service.isAlive, `the service did not reach ${verb.kind}:${at}`).toBe(false);
  await calling;
  await service.start();
  await seller.settled();
  if (!verb.isNewEachTime) {
    // The same request with its key is the same order.
    const again = await verb.call(seller, domain, headers);
    expect([200, 202, 409], JSON.stringify(again.body)).toContain(again.status);
    await seller.settled();
  }
  expect((await upstream.carriedOut(domain)).map((order) => order.verb)).toEqual(verb.orders);
  await verb.check?.(seller, domain);
  const { owed } = await seller.db.as(allTenants).one<{ owed: string }>(sql`
    select coalesce(sum(e.amount), 0) as owed from ledger_entry e join ledger_account a on a.id = e.account_id and a.kind = 'registry_payable'
    join ledger_transaction t on t.id = e.transaction_id join domain d on d.id = t.domain_id where d.name = ${domain}`);
  expect(Number(owed), `owed for ${domain}, against the charges of the upstream`).toBe(await upstream.charged(domain));
}

/** One seller for each dialect dies at each of these failpoints in turn; at the end both sides agree. */
export function killAtEach(dialect: string, points: readonly UpstreamPoint[]): void {
  let seller: Seller;
  beforeAll(async () => {
    seller = await Seller.open(dialect);
  });
  afterAll(async () => {
    try {
      expect(await seller.upstream.problems()).toEqual([]);
      expect(await owedIn(seller.db)).toBe(await seller.upstream.charged());
      await expectConsistent(seller.db);
      await expectServiceReconciled(seller.service);
    } finally {
      await seller.close();
    }
  });
  test.each(points)('is carried out once when the process is killed at $verb:$at', (point) => killedAt(seller, point));
}

import { setTimeout as sleep } from 'node:timers/promises';
import { allTenants, type Database, sql } from '@namehold/postgres';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { expectConsistent, expectOwedAsCharged } from '../faults/settled.ts';
import { openRestricted } from '../support/database.ts';
import { done, type OtherRegistrar } from '../support/other-registrar.ts';
import { type RealCall, RealService } from '../support/process.ts';
import { expectServiceReconciled } from '../support/reconciliation.ts';
import { startTestService } from '../support/service.ts';
import { equip, moveClockIn, orderOf, owedIn, Platform } from './chain.ts';

type Victim = 'seller' | 'platform';
type VerbName = 'register' | 'renew' | 'transfer' | 'delete' | 'restore';

interface ChainPoint {
  readonly who: Victim;
  readonly verb: VerbName;
  readonly failpoint: string;
}

const code = 'a-long-auth-code-4711';
const settleLimitMs = 300_000;
const deathLimitMs = 120_000;
const tld = 'org';

/** A seller that can be killed, and its platform, which can be killed too. */
class Chain {
  readonly platform: Platform;
  readonly seller: RealService;
  readonly db: Database;
  private constructor(platform: Platform, seller: RealService, db: Database) {
    this.platform = platform;
    this.seller = seller;
    this.db = db;
  }

  static async open(): Promise<Chain> {
    const platform = await Platform.start([tld]);
    const seller = await RealService.create({
      NAMEHOLD_SANDBOX_DATABASE_URL: '',
      NAMEHOLD_THEFT_PROTECTION: 'off',
    });
    const { databaseUrl, folder } = seller;
    const t = await startTestService({ databaseUrl, folder });
    await equip(t, platform.way, [tld]);
    await t.stop();
    return new Chain(platform, seller, await openRestricted(databaseUrl));
  }

  async close(): Promise<void> {
    await this.db.close();
    await this.seller.dispose();
    await this.platform.stop();
  }

  processOf = (who: Victim): RealService => (who === 'seller' ? this.seller : this.platform.service);
  #armed = new Map<Victim, string>();

  /** Runs, and dies only at these failpoints. */
  async run(who: Victim, faults: readonly string[] = []): Promise<void> {
    const service = this.processOf(who);
    if (service.isAlive && this.#armed.get(who) === faults.join()) return;
    await service.start(faults);
    this.#armed.set(who, faults.join());
  }

  /** No order is open on either side; waiting ones are run now. */
  async settled(meanwhile: () => Promise<unknown>): Promise<void> {
    const open = sql`select id, kind, state, attempts from operation where state not in ('done', 'refused', 'cancelled')`;
    for (let waited = 0; waited < settleLimitMs; waited += 200) {
      await meanwhile();
      const left = [];
      for (const db of [this.db, this.platform.db]) {
        await db.transaction(allTenants, (tx) =>
          tx.run(
            sql`update operation set due_at = now() where state in ('unknown', 'waiting_registry') and due_at > now()`,
          ),
        );
        left.push(...(await db.as(allTenants).many(open)));
      }
      if (left.length === 0) return;
      expect(left).not.toContainEqual(expect.objectContaining({ state: 'action_required' }));
      await sleep(200);
    }
    expect([
      ...(await this.db.as(allTenants).many(open)),
      ...(await this.platform.db.as(allTenants).many(open)),
    ]).toEqual([]);
  }

  async timePasses(by: string): Promise<void> {
    moveClockIn(this.seller.folder, by);
    await this.platform.service.control('POST', '/clock', { move: by });
  }

  /** For one domain: our cost is the platform's charge, and its cost is the registry's charge. */
  async moneyAgrees(domain: string): Promise<void> {
    const { owed } = await this.db.as(allTenants).one<{ owed: string }>(sql`
      select coalesce(sum(e.amount), 0) as owed from ledger_entry e join ledger_account a on a.id = e.account_id and a.kind = 'registry_payable'
      join ledger_transaction t on t.id = e.transaction_id join domain d on d.id = t.domain_id where d.name = ${domain}`);
    const { taken } = await this.platform.db.as(allTenants).one<{ taken: string }>(sql`
      select coalesce(sum(t.captured - t.refunded), 0) as taken from ledger_transaction t join domain d on d.id = t.domain_id
      where d.name = ${domain} and t.type = 'domain' and t.reseller_id = 1000`);
    expect(Number(owed), `owed to the platform for ${domain}, against its charges`).toBe(Number(taken));
    await expectOwedAsCharged(this.platform.db, this.platform.service, domain);
  }
}

interface Verb {
  prepare?(chain: Chain, domain: string): Promise<void>;
  call(seller: RealService, domain: string, headers: Record<string, string>): Promise<RealCall>;
  /** External steps before it can end, repeated until it does. */
  meanwhile?(chain: Chain, domain: string): Promise<unknown>;
  /** It contains its starting date: a repeat would be another request. */
  readonly isNewEachTime?: true;
  /** The registry's statement when it is done once. */
  readonly charges: readonly string[];
}

const bought = async ({ seller }: Chain, domain: string) => {
  const called = await seller.call('POST', '/v1/domains', { form: orderOf(domain) });
  expect(called.status, JSON.stringify(called.body)).toBe(200);
};

const noInvoice = { invoice_option: 'no_invoice' };

const verbs: Readonly<Record<VerbName, Verb>> = {
  register: {
    call: (seller, domain, headers) => seller.call('POST', '/v1/domains', { form: orderOf(domain), headers }),
    charges: ['charge create'],
  },
  renew: {
    prepare: bought,
    async call(seller, domain, headers) {
      const { body } = await seller.call('GET', `/v1/domains/${domain}`);
      const form = { years: '1', current_date: body.end_date, ...noInvoice };
      return seller.call('POST', `/v1/domains/${domain}/renew`, { form, headers });
    },
    isNewEachTime: true,
    charges: ['charge create', 'charge renew'],
  },
  transfer: {
    async prepare(chain, domain) {
      await chain.platform.asOtherRegistrar((otherRegistrar) => otherRegistrar.hold(domain, code));
      await chain.timePasses('+61d');
    },
    call: (seller, domain, headers) =>
      seller.call('POST', '/v1/domains/transfer', { form: { ...orderOf(domain), auth_code: code }, headers }),
    async meanwhile({ platform }, domain) {
      const approve = async ({ registry }: OtherRegistrar) => {
        const latest = await registry.queryTransfer(domain);
        if (latest.kind === 'done' && latest.data?.status === 'pending')
          done(await registry.approveTransfer(domain, { priority: 'money' }));
      };
      await platform.asOtherRegistrar(approve);
      await platform.hearsNews();
    },
    charges: ['charge transfer'],
  },
  delete: {
    prepare: bought,
    call: (seller, domain, headers) => seller.call('DELETE', `/v1/domains/${domain}`, { headers }),
    charges: ['charge create', 'refund create'],
  },
  restore: {
    async prepare(chain, domain) {
      await bought(chain, domain);
      await chain.timePasses('+6d');
      const called = await chain.seller.call('DELETE', `/v1/domains/${domain}`);
      expect(called.status, JSON.stringify(called.body)).toBe(200);
    },
    call: (seller, domain, headers) =>
      seller.call('POST', `/v1/domains/${domain}/restore`, { form: noInvoice, headers }),
    charges: ['charge create', 'charge restore'],
  },
};

const ofKind = ['after-order', 'before-send', 'after-answer', 'before-settle', 'in-settle', 'after-settle'];
const ofStep = ['before-journal', 'after-journal', 'after-send', 'before-answered', 'after-answered'];
/** For verbs that differ only in their order: before sending, after sending, and before the commit. */
const few = ['after-journal', 'after-send', 'in-settle'];

/** Before sending, after sending, at the answer, at the commit; of the seller, and of the platform. */
export const chainPoints: readonly ChainPoint[] = (['seller', 'platform'] as const).flatMap((who) =>
  (Object.keys(verbs) as VerbName[]).flatMap((verb) => {
    const points = verb === 'register' || verb === 'renew' ? [...ofKind, ...ofStep] : few;
    return points.map((failpoint) => ({ who, verb, failpoint: `${verb}:${failpoint}` }));
  }),
);

async function killedAt(chain: Chain, { who, verb: name, failpoint }: ChainPoint): Promise<void> {
  const verb = verbs[name];
  const other = who === 'seller' ? 'platform' : 'seller';
  const domain = `${who}-${failpoint}`.replaceAll(/[^a-z0-9]+/g, '-').concat(`.${tld}`);
  await chain.run(other);
  if (verb.prepare) {
    await chain.run(who);
    await verb.prepare(chain, domain);
  }
  await chain.run(who, [failpoint]);
  const headers = { 'Idempotency-Key': `kill-${domain}`, Prefer: 'wait=1' };
  const calling = verb.call(chain.seller, domain, headers);
  const death = chain.processOf(who).died();
  expect(
    await Promise.race([death, sleep(deathLimitMs, 'alive')]),
    `${who} did not reach ${failpoint}`,
  ).toBeUndefined();
  await calling;
  await chain.run(who);
  const meanwhile = async () => verb.meanwhile?.(chain, domain);
  await chain.settled(meanwhile);
  // A repeat of the same order is the same order.
  if (!verb.isNewEachTime) {
    const again = await verb.call(chain.seller, domain, headers);
    expect([200, 202, 409], JSON.stringify(again.body)).toContain(again.status);
    await chain.settled(meanwhile);
  }
  expect(await chain.platform.charged(domain)).toEqual(verb.charges);
  await chain.moneyAgrees(domain);
}

/** One chain dies at each of these failpoints in turn; at the end its money is reconciled at all three levels. */
export function killAtEach(points: readonly ChainPoint[]): void {
  let chain: Chain;
  beforeAll(async () => {
    chain = await Chain.open();
  });
  afterAll(async () => {
    try {
      await chain.run('platform');
      await chain.run('seller');
      for (const db of [chain.db, chain.platform.db]) await expectConsistent(db);
      expect(await owedIn(chain.db), "the seller's debt equals the platform's charges").toBe(
        await chain.platform.taken(),
      );
      await chain.platform.owesWhatWasTaken();
      await expectServiceReconciled(chain.seller);
      await expectServiceReconciled(chain.platform.service);
    } finally {
      await chain.close();
    }
  });
  test.each(points)('is executed once at each level, or at none, when $who is killed at $failpoint', (failpoint) =>
    killedAt(chain, failpoint),
  );
}

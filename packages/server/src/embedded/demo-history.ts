import { dayMs, type MovableClock } from '@namehold/base';
import { systemActor } from '../core/actors.ts';
import { type Actor, type AppContext, writeAsService } from '../core/app-context.ts';
import { demoCustomer, type FirstAccounts } from '../core/composition/first-accounts.ts';
import { orderPurchase } from '../core/domains/buy/order-purchase.ts';
import { purchases } from '../core/domains/buy/purchases.ts';
import { verifyAddress } from '../core/verification/verify-address.ts';

interface OldName {
  readonly name: string;
  readonly years: number;
  readonly daysAgo: number;
}

/** Oldest first. Registered for a year, one year and ten days ago: expired. A year less twelve days ago: expires soon. */
const oldNames: readonly OldName[] = [
  { name: 'santoso-coffee.com', years: 3, daysAgo: 375 },
  { name: 'last-years-cafe.com', years: 1, daysAgo: 375 },
  { name: 'closed-cafe.net', years: 2, daysAgo: 375 },
  { name: 'leaving-cafe.net', years: 2, daysAgo: 375 },
  { name: 'santoso-roastery.com', years: 1, daysAgo: 353 },
  { name: 'kaffee-büro.com', years: 2, daysAgo: 200 },
  { name: 'unpaid-cafe.com', years: 1, daysAgo: 40 },
];

const oldestMs = Math.max(...oldNames.map(({ daysAgo }) => daysAgo)) * dayMs;
const timeoutMs = 20_000;

/**
 * A first start of a sandbox sets the clock back, registers domains, and returns to the present before it accepts requests. Background
 * jobs that became due run when the scheduler starts.
 */
export class DemoHistory {
  readonly #clock: MovableClock;
  #leftMs = 0;
  constructor(clock: MovableClock) {
    this.#clock = clock;
  }

  begin(): void {
    this.#move(-oldestMs);
  }

  async createDomains(ctx: AppContext, demo: FirstAccounts['demo']): Promise<void> {
    const actor: Actor = { ...systemActor, resellerId: demo.resellerId, requestId: 'first-start', isOperator: false };
    const confirmed = { reseller_id: demo.resellerId, address_key: demoCustomer.email };
    await writeAsService(ctx, actor, async (tx) => verifyAddress(ctx, tx, actor, confirmed));
    for (const daysAgo of new Set(oldNames.map((each) => each.daysAgo))) {
      this.#move(this.#leftMs - daysAgo * dayMs);
      await Promise.all(
        oldNames.filter((each) => each.daysAgo === daysAgo).map((each) => register(ctx, actor, demo, each)),
      );
    }
  }

  /** Also after a failure, because a clock that stays in the past would affect everything. */
  end(): void {
    this.#move(this.#leftMs);
  }

  #move(byMs: number): void {
    if (byMs !== 0) this.#clock.move(byMs);
    this.#leftMs -= byMs;
  }
}

async function register(ctx: AppContext, actor: Actor, demo: FirstAccounts['demo'], old: OldName): Promise<void> {
  const [registrant = '', technician = registrant] = demo.contactIds;
  const id = await orderPurchase(ctx, actor, purchases.register, {
    domainName: old.name,
    years: old.years,
    privacy: false,
    parties: {
      customerId: demo.customerId,
      contacts: { registrant, admin: registrant, tech: technician, billing: registrant },
      nameservers: undefined,
      extra: {},
    },
    guard: {},
  });
  await ctx.engine.startAndWait(demo.resellerId, id, timeoutMs);
}

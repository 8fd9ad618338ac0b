import { SANDBOX_TLD } from '@namehold/sandbox/tlds/index';
import type { Trader } from '../faults/traders.ts';

/** A small model of what must be true, kept by hand and by the registry's published rules; it knows nothing of our code. */

const dayMs = 86_400_000;
/** A name nobody renewed is deleted so long before its auto-renew grace ends (docs: follow-expiry). */
const deleteBeforeGraceEndDays = 5;

export interface Level {
  readonly resellerId: string;
  readonly amount: bigint;
}

/** Money that left the accounts of a chain for one order. */
export interface Purchase {
  readonly years: number;
  readonly levels: readonly Level[];
}

/** RFC 3915: while it is open, a delete gives these years back. */
interface Grace {
  readonly kind: 'add' | 'renew' | 'autoRenew';
  readonly years: number;
  readonly until: number;
  /** Who paid for them; nobody yet for a year that the registry added by itself. */
  purchase: Purchase | undefined;
}

export type NameState = 'free' | 'live' | 'redemption' | 'pending_delete';

export interface ModelName {
  readonly name: string;
  readonly tld: string;
  state: NameState;
  owner: Trader | undefined;
  /** What is paid for, and what the registry says. */
  paidUntil: number;
  registryUntil: number;
  redemptionUntil: number;
  graces: Grace[];
}

export const rulesOf = (tld: string) => {
  const found = SANDBOX_TLD.get(tld);
  if (!found) throw new Error(`the sandbox has no .${tld}`);
  return found;
};

export function addYears(at: number, years: number): number {
  const date = new Date(at);
  const day = date.getUTCDate();
  date.setUTCFullYear(date.getUTCFullYear() + years);
  if (date.getUTCDate() !== day) date.setUTCDate(0);
  return date.getTime();
}

export const newName = (name: string): ModelName => ({
  name,
  tld: name.slice(name.indexOf('.') + 1),
  state: 'free',
  owner: undefined,
  paidUntil: 0,
  registryUntil: 0,
  redemptionUntil: 0,
  graces: [],
});

export class Model {
  readonly names: ModelName[];
  /** Available money of every reseller, in cents. */
  readonly balances: Map<string, bigint>;

  constructor(names: readonly string[], balances: ReadonlyMap<string, bigint>) {
    this.names = names.map(newName);
    this.balances = new Map(balances);
  }

  canPay(levels: readonly Level[]): boolean {
    return levels.every(({ resellerId, amount }) => (this.balances.get(resellerId) ?? 0n) >= amount);
  }

  #pay(years: number, levels: readonly Level[]): Purchase {
    for (const { resellerId, amount } of levels) this.#move(resellerId, -amount);
    return { years, levels };
  }

  #move(resellerId: string, by: bigint): void {
    this.balances.set(resellerId, (this.balances.get(resellerId) ?? 0n) + by);
  }

  register(n: ModelName, owner: Trader, years: number, levels: readonly Level[], now: number): void {
    const purchase = this.#pay(years, levels);
    n.state = 'live';
    n.owner = owner;
    n.paidUntil = addYears(now, years);
    n.registryUntil = n.paidUntil;
    const days = rulesOf(n.tld).graceDays.add;
    n.graces = days > 0 ? [{ kind: 'add', years, until: now + days * dayMs, purchase }] : [];
  }

  /** RFC 5731 3.2.3: no more than ten years ahead. */
  canRenew(n: ModelName, years: number, now: number): boolean {
    const reached = Math.max(addYears(n.paidUntil, years), n.registryUntil);
    return reached <= addYears(now, rulesOf(n.tld).rules.maxPeriodYears);
  }

  renew(n: ModelName, years: number, levels: readonly Level[], now: number): void {
    const purchase = this.#pay(years, levels);
    const added = this.isRenewedUnpaid(n) ? 1 : 0;
    for (const grace of n.graces) if (grace.kind === 'autoRenew' && added > 0) grace.purchase ??= purchase;
    const sent = years - added;
    const days = rulesOf(n.tld).graceDays.renew;
    if (sent > 0 && days > 0) n.graces.push({ kind: 'renew', years: sent, until: now + days * dayMs, purchase });
    n.registryUntil = addYears(n.registryUntil, sent);
    n.paidUntil = n.registryUntil;
  }

  isRenewedUnpaid(n: ModelName): boolean {
    return n.registryUntil - n.paidUntil > 2 * dayMs;
  }

  remove(n: ModelName, now: number): void {
    const open = n.graces.filter((grace) => grace.until > now);
    const yearsBack = new Map<Purchase, number>();
    for (const { purchase, years } of open)
      if (purchase) yearsBack.set(purchase, (yearsBack.get(purchase) ?? 0) + years);
    for (const [purchase, years] of yearsBack) this.#giveBack(purchase, years);
    n.graces = [];
    if (open.some((grace) => grace.kind === 'add')) {
      n.state = 'free';
      n.owner = undefined;
      return;
    }
    n.registryUntil = addYears(n.registryUntil, -open.reduce((sum, grace) => sum + grace.years, 0));
    n.paidUntil = Math.min(n.paidUntil, n.registryUntil);
    n.state = 'redemption';
    n.redemptionUntil = now + rulesOf(n.tld).graceDays.redemption * dayMs;
  }

  /** The buyer gets its share of the years, rounded down; every level above follows in proportion, half-up. */
  #giveBack(purchase: Purchase, years: number): void {
    const paid = purchase.levels[0]!.amount;
    const back = (paid * BigInt(years)) / BigInt(purchase.years);
    for (const { resellerId, amount } of purchase.levels) {
      const share = back === paid || paid === 0n ? amount : (amount * back * 2n + paid) / (paid * 2n);
      this.#move(resellerId, share);
    }
  }

  restoreRenews(n: ModelName, now: number): boolean {
    return n.registryUntil <= now;
  }

  restore(n: ModelName, levels: readonly Level[], now: number): void {
    if (this.restoreRenews(n, now)) n.registryUntil = addYears(n.registryUntil, 1);
    this.#pay(1, levels);
    n.paidUntil = n.registryUntil;
    n.state = 'live';
  }

  /** What the passing of time does. */
  tick(now: number): void {
    for (const n of this.names) {
      if (n.state === 'live') this.#age(n, now);
      if (n.state === 'redemption' && n.redemptionUntil <= now) n.state = 'pending_delete';
      if (n.state === 'pending_delete' && dropAt(n) <= now) {
        n.state = 'free';
        n.owner = undefined;
      }
    }
  }

  #age(n: ModelName, now: number): void {
    while (n.registryUntil <= now) {
      const until = n.registryUntil + rulesOf(n.tld).graceDays.autoRenew * dayMs;
      n.graces.push({ kind: 'autoRenew', years: 1, until, purchase: undefined });
      n.registryUntil = addYears(n.registryUntil, 1);
    }
    n.graces = n.graces.filter((grace) => grace.until > now);
    if (this.isRenewedUnpaid(n) && deletedAt(n) <= now) this.remove(n, now);
  }

  /** Moments at which something happens by itself: nobody acts close to them, and none may be jumped over that must be acted on. */
  boundaries(): { at: number; latest: number }[] {
    return this.names.flatMap((n) => {
      const graces = n.graces.map((grace) => ({ at: grace.until, latest: Number.POSITIVE_INFINITY }));
      const open = (at: number) => ({ at, latest: Number.POSITIVE_INFINITY });
      if (n.state === 'live') {
        const latest = deletedAt(n) + (deleteBeforeGraceEndDays - 1) * dayMs;
        return [...graces, open(n.paidUntil), { at: deletedAt(n), latest }];
      }
      if (n.state === 'free') return [];
      return [open(n.redemptionUntil), open(dropAt(n)), open(n.registryUntil)];
    });
  }
}

const dropAt = (n: ModelName): number => n.redemptionUntil + rulesOf(n.tld).graceDays.pendingDelete * dayMs;

function deletedAt(n: ModelName): number {
  const grace = rulesOf(n.tld).graceDays.autoRenew;
  return n.paidUntil + (grace - Math.min(deleteBeforeGraceEndDays, Math.floor(grace / 2))) * dayMs;
}

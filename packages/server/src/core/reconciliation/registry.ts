import { allTenants, dayMs, formatMoney, money } from '@namehold/base';
import type { AppContext } from '../app-context.ts';
import { activeRegistries } from '../domains/compare/poll.sql.ts';
import type { Holding, Registry, Reply } from '../domains/registry/registry.ts';
import type { SliceResult } from '../ledger/slices.ts';
import { compareDomainStates, type Shown } from './compare-domain-states.ts';
import { type Difference, difference, type FoundRow, type Repair } from './difference.ts';
import { type OurName, ourName, ourNames, purchaseOfCost, underwayLimits, worstBalanceStep } from './registry.sql.ts';

const registryLimits = {
  namesPerPage: 1_000,
  /** Questions at once where a registry has no list. */
  atOnce: 4,
  /** Tombstones that are asked about where a registry has no list: as long as operations and entries are kept for sure. */
  tombstoneDays: 450,
};

const mends: Readonly<Record<string, Repair>> = {
  held_there_not_here: {
    act: 'adopt',
    words:
      'adopt the name for its last holder; the answer says who was charged for it. Only where nobody was, charge it with a debit note',
  },
  held_here_not_there: { act: 'reconcile', words: 'compare the name with the registry and take over what it says' },
  state_differs: { act: 'reconcile', words: 'compare the name with the registry and take over what it says' },
  expiry_differs: { act: 'reconcile', words: 'compare the name with the registry; then charge or give back the years' },
  payable_differs: {
    act: 'by_hand',
    words:
      'the registry took more than our books owe: compare its lines for this domain with the transactions. Where it charged too much, claim that from the registry; where an order or a renewal of its own is missing in our books, charge it with a debit note or bear it',
  },
  registry_gave_back: {
    act: 'by_hand',
    words:
      'the registry gave back what our books still owe it: find its refund in the statement, and give the transaction that is named here back to its reseller with a fund',
  },
  balance_differs: {
    act: 'by_hand',
    words: 'ask the registry for its statement and hold it against the transactions since the reading before',
  },
};

const tookTooLittle: Repair = {
  act: 'by_hand',
  words:
    'the registry took less than our books owe: compare its lines for this domain with the transactions. Where its charge is still to come, wait for it; where it did not carry out what was sold, give that transaction back to its reseller with a fund; where it charged too little, claim nothing and keep the amount for its correction',
};

const bookRepair: Repair = {
  act: 'book',
  words:
    "the domain has left: book what the registry's statement shows. What it charged and nobody paid is a cost of the operator; what it gave back goes to the buyer who had paid it, where one purchase is worth as much",
};

function repairOf({ rule, is_overdue, has_left, operation_id, amount }: FoundRow): Repair {
  if (is_overdue)
    return {
      act: 'ask_again',
      words: `operation ${operation_id} has been open for more than ${underwayLimits.minutes} minutes: the registry is asked again; where that does not end it, settle it (namehold operation settle)`,
    };
  if (has_left && (rule === 'payable_differs' || rule === 'registry_gave_back')) return bookRepair;
  if (rule === 'payable_differs' && amount?.startsWith('-')) return tookTooLittle;
  return mends[rule]!;
}

/** Why a registry could not be compared to the end. */
export interface Skipped {
  readonly registry_id: string;
  readonly why: string;
}

/** Which registry is compared, and after which of its names; null: all of them are. */
interface RegistryPlace {
  readonly registry: string;
  readonly after: string | null;
}

/** The fourth book: what each registry holds for us and took from us, against our names and what we owe. */
export async function* compareRegistries(
  ctx: AppContext,
  skip: (skipped: Skipped) => void,
  from?: string,
): AsyncGenerator<SliceResult<Difference>> {
  const begin = from === undefined ? undefined : (JSON.parse(from) as RegistryPlace);
  for (const { id } of await activeRegistries(ctx.db.as(allTenants))) {
    const isBegun = id === begin?.registry;
    if (begin && (isBegun ? begin.after === null : id < begin.registry)) continue;
    const sliceOf = (rows: readonly FoundRow[], after: string | null): SliceResult<Difference> => ({
      found: rows.map((row) => difference('registry', { ...row, registry_id: id }, repairOf(row))),
      place: JSON.stringify({ registry: id, after } satisfies RegistryPlace),
    });
    try {
      const registry = await ctx.registries.of(id);
      const after = (isBegun && begin.after) || '';
      const pages = registry.holdings ? mergeHoldings(ctx, registry, after) : walkNames(ctx, registry, after);
      for await (const { found, place } of pages) yield sliceOf(found, place);
      yield sliceOf(registry.holdings ? [] : await compareBalance(ctx, id), null);
    } catch (error) {
      // An error of our own with one of them says nothing about the others, and nobody may take it for a comparison.
      if (!(error instanceof NoAnswer)) ctx.log.error({ err: error, registry_id: id }, 'a registry was not compared');
      skip({ registry_id: id, why: (error as Error).message });
    }
  }
}

/** The registry does not tell: nothing is known, so nothing differs. */
export class NoAnswer extends Error {
  override name = 'NoAnswer';
}

function sliceOf<T>(reply: Reply<T>): T {
  if (reply.kind === 'done') return reply.data;
  throw new NoAnswer(reply.kind === 'refused' ? (reply.evidence.text ?? 'refused') : reply.why);
}

/** Two lists in one order, a page of each at a time. */
async function* mergeHoldings(
  ctx: AppContext,
  registry: Registry,
  from: string,
): AsyncGenerator<SliceResult<FoundRow>> {
  const limit = registryLimits.namesPerPage;
  const wanted = { registryId: registry.id, limit, removedSince: null };
  for (let after = from; ; ) {
    const theirs = sliceOf(await registry.holdings!({ after, limit }));
    const ours = await ourNames(ctx.db.as(allTenants), { ...wanted, after });
    const ends = [theirs, ours].flatMap((page) => (page.length < limit ? [] : [page.at(-1)!.name])).sort();
    const upTo = ends[0];
    const inSlice = (each: { name: string }) => upTo === undefined || each.name <= upTo;
    const here = new Map(ours.filter(inSlice).map((each) => [each.name, each]));
    const there = new Map(theirs.filter(inSlice).map((each) => [each.name, each]));
    for (const name of [...new Set([...here.keys(), ...there.keys()])].sort()) {
      const found = await readTwice(ctx, registry, name, there.get(name), here.get(name));
      // What is known counts, also where the registry falls silent after it.
      if (found.length > 0) yield { found, place: name };
    }
    if (upTo === undefined) return;
    yield { found: [], place: upTo };
    after = upTo;
  }
}

/** A registry without a list: every name that we hold, or held not long ago, is asked for. */
async function* walkNames(ctx: AppContext, registry: Registry, from: string): AsyncGenerator<SliceResult<FoundRow>> {
  const limit = registryLimits.namesPerPage;
  const removedSince = new Date(ctx.clock.now().getTime() - registryLimits.tombstoneDays * dayMs);
  for (let after = from; ; ) {
    const page = await ourNames(ctx.db.as(allTenants), { registryId: registry.id, after, limit, removedSince });
    for (let at = 0; at < page.length; at += registryLimits.atOnce) {
      const few = page.slice(at, at + registryLimits.atOnce);
      const shown = await Promise.all(few.map(({ name }) => queryHolding(registry, name)));
      for (const [place, ours] of few.entries()) {
        const found = await readTwice(ctx, registry, ours.name, shown[place], ours);
        if (found.length > 0) yield { found, place: ours.name };
      }
    }
    if (page.length < limit) return;
    after = page.at(-1)!.name;
    yield { found: [], place: after };
  }
}

/** One name alone, as it stands now. */
export async function compareRegistryDomain(ctx: AppContext, registryId: string, name: string): Promise<Difference[]> {
  const registry = await ctx.registries.of(registryId);
  const ours = await ourName(ctx.db.as(allTenants), registryId, name);
  const rows = await readTwice(ctx, registry, name, await queryHolding(registry, name), ours);
  return rows.map((row) => difference('registry', { ...row, registry_id: registryId }, repairOf(row)));
}

async function queryHolding(registry: Registry, name: string): Promise<Shown | undefined> {
  if (registry.holdings) return sliceOf<readonly Holding[]>(await registry.holdings({ name }))[0];
  const view = sliceOf(await registry.info(name, { lane: 'background' }));
  // Without a statement nobody tells what was taken for a name, also where it is gone.
  return { ...(view ?? { name, isOurs: false, expiresAt: null, statuses: [] }), lines: null };
}

/** The two books were read at two moments. What differs is read again, and counts only where nothing moved in between. */
async function readTwice(
  ctx: AppContext,
  registry: Registry,
  name: string,
  theirs: Shown | undefined,
  ours: OurName | undefined,
): Promise<FoundRow[]> {
  if (compareDomainStates(theirs, ours, ctx.clock.now()).length === 0) return [];
  const db = ctx.db.as(allTenants);
  const before = await ourName(db, registry.id, name);
  const again = await queryHolding(registry, name);
  const after = await ourName(db, registry.id, name);
  if (JSON.stringify(before) !== JSON.stringify(after)) return [];
  const rows = compareDomainStates(again, after, ctx.clock.now());
  return Promise.all(rows.map((row) => (row.rule === 'registry_gave_back' ? withPurchase(ctx, registry, row) : row)));
}

/** Which reseller is owed what, where the registry gave money back and we did not. */
async function withPurchase(ctx: AppContext, registry: Registry, row: FoundRow): Promise<FoundRow> {
  const cost = (-BigInt(row.amount!)).toString();
  const wanted = { registryId: registry.id, name: row.name!, cost, currency: row.currency! };
  const paid = await purchaseOfCost(ctx.db.as(allTenants), wanted);
  if (!paid) return { ...row, detail: `${row.detail}; no single purchase of it cost that` };
  const kept = `${formatMoney(money(BigInt(paid.kept), paid.currency))} ${paid.currency}`;
  const owed = `reseller ${paid.reseller_id} paid ${kept} for it with transaction ${paid.transaction_id} and got nothing back`;
  return { ...row, transaction_id: paid.transaction_id, detail: `${row.detail}; ${owed}` };
}

/** Without a statement: money that left our account there and that no order of ours explains. A deposit only ever adds. */
async function compareBalance(ctx: AppContext, registryId: string): Promise<FoundRow[]> {
  const step = await worstBalanceStep(ctx.db.as(allTenants), registryId);
  if (!step) return [];
  const unexplained = BigInt(step.left) - BigInt(step.booked) - BigInt(step.underway);
  if (unexplained <= 0n) return [];
  const show = (amount: string) => `${formatMoney(money(BigInt(amount), step.currency))} ${step.currency}`;
  const underway =
    step.underway === '0' ? '' : `, and ${show(step.underway)} may be of orders that were under way then`;
  return [
    {
      rule: 'balance_differs',
      subject: `registry ${registryId}`,
      detail: `its balance fell by ${show(step.left)} until ${step.at.toISOString()}, our books explain ${show(step.booked)}${underway}`,
      amount: unexplained.toString(),
      currency: step.currency,
    },
  ];
}

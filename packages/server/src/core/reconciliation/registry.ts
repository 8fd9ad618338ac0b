import { dayMs, formatMoney, money } from '@namehold/base';
import { allTenants } from '@namehold/postgres';
import type { AppContext } from '../app-context.ts';
import { activeRegistries } from '../domains/compare/poll.sql.ts';
import type { SliceResult } from '../ledger/slices.ts';
import type { Holding, Registry, Reply } from '../ports/registry.ts';
import { compareDomainStates, type Shown } from './compare-domain-states.ts';
import { type Difference, difference, type FoundRow, type Repair } from './difference.ts';
import { type OurName, ourName, ourNames, purchaseOfCost, underwayLimits, worstBalanceStep } from './registry.sql.ts';

const registryLimits = {
  namesPerPage: 1_000,
  /** Parallel queries to a registry without a list. */
  atOnce: 4,
  /** Age of tombstones that are queried at a registry without a list: operations and entries are kept for at least this long. */
  tombstoneDays: 450,
};

const repairs: Readonly<Record<string, Repair>> = {
  held_there_not_here: {
    action: 'adopt',
    message:
      'adopt the domain for its last owner; the answer names the account that was charged for it. If none was, charge it with a debit note',
  },
  held_here_not_there: { action: 'reconcile', message: 'compare the domain with the registry and take over its state' },
  state_differs: { action: 'reconcile', message: 'compare the domain with the registry and take over its state' },
  expiry_differs: {
    action: 'reconcile',
    message:
      'compare the domain with the registry. An earlier date there is taken over. A later date is not: charge the years with a debit note or have the registry refund them, and acknowledge the alarm',
  },
  payable_differs: {
    action: 'manual',
    message:
      'the registry charged more than the ledger owes: compare its lines for this domain with the transactions. If it charged too much, claim that from the registry; if an order or an auto-renewal is missing in the ledger, charge it with a debit note or bear it',
  },
  registry_gave_back: {
    action: 'manual',
    message:
      'the registry refunded a charge that the ledger still owes: find its refund in the statement, and refund the transaction that is named here to its reseller with a fund',
  },
  balance_differs: {
    action: 'manual',
    message: 'request a statement from the registry and compare it with the transactions since the previous reading',
  },
};

const tookTooLittle: Repair = {
  action: 'manual',
  message:
    'the registry charged less than the ledger owes: compare its lines for this domain with the transactions. If its charge is still to come, wait for it; if it did not carry out what was sold, refund that transaction to its reseller with a fund; if it charged too little, claim nothing and keep the amount for its correction',
};

const bookRepair: Repair = {
  action: 'book',
  message:
    "the domain has left: book what the registry's statement shows. An unpaid charge is a cost of the operator; a refund goes to the buyer, if one purchase has that amount",
};

function repairOf({ rule, is_overdue, has_left, operation_id, amount }: FoundRow): Repair {
  if (is_overdue)
    return {
      action: 'ask_again',
      message: `operation ${operation_id} has been open for more than ${underwayLimits.minutes} minutes: the registry is queried again; if that does not end it, settle it (namehold operation settle)`,
    };
  if (has_left && (rule === 'payable_differs' || rule === 'registry_gave_back')) return bookRepair;
  if (rule === 'payable_differs' && amount?.startsWith('-')) return tookTooLittle;
  return repairs[rule]!;
}

/** Why a registry could not be compared to the end. */
export interface Skipped {
  readonly registry_id: string;
  readonly why: string;
}

/** The registry that is compared, and the last domain compared there; null: the registry is finished. */
interface RegistryPlace {
  readonly registry: string;
  readonly after: string | null;
}

/** Compares what each registry holds for us and charged us with our domains and what we owe. */
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
      const isStated = registry.holdings && !registry.hasNoStatement;
      yield sliceOf(isStated ? [] : await compareBalance(ctx, id), null);
    } catch (error) {
      // An error with one registry must not stop the others, and the registry must not count as compared.
      if (!(error instanceof NoAnswer)) ctx.log.error({ err: error, registry_id: id }, 'registry comparison failed');
      skip({ registry_id: id, why: (error as Error).message });
    }
  }
}

/** The registry did not report: nothing is known, so nothing differs. */
export class NoAnswer extends Error {
  override name = 'NoAnswer';
}

function sliceOf<T>(reply: Reply<T>): T {
  if (reply.kind === 'done') return reply.data;
  throw new NoAnswer(reply.kind === 'refused' ? (reply.evidence.text ?? 'refused') : reply.why);
}

/** Merges two lists in one order, a page of each at a time. */
async function* mergeHoldings(
  ctx: AppContext,
  registry: Registry,
  from: string,
): AsyncGenerator<SliceResult<FoundRow>> {
  const limit = registryLimits.namesPerPage;
  const wanted = { registryId: registry.id, limit, removedSince: null };
  /** A page that is not full is the last one, and the registry is not queried after it. */
  let last: readonly Holding[] | undefined;
  for (let after = from; ; ) {
    const begin = after;
    const theirs = last?.filter(({ name }) => name > begin) ?? sliceOf(await registry.holdings!({ after, limit }));
    if (theirs.length < limit) last = theirs;
    const ours = await ourNames(ctx.db.as(allTenants), { ...wanted, after });
    const ends = [theirs, ours].flatMap((page) => (page.length < limit ? [] : [page.at(-1)!.name])).sort();
    const upTo = ends[0];
    const inSlice = (each: { name: string }) => upTo === undefined || each.name <= upTo;
    const here = new Map(ours.filter(inSlice).map((each) => [each.name, each]));
    const there = new Map(theirs.filter(inSlice).map((each) => [each.name, each]));
    for (const name of [...new Set([...here.keys(), ...there.keys()])].sort()) {
      const found = await readTwice(ctx, registry, name, there.get(name), here.get(name));
      // Each result is passed on at once: it counts even if the registry stops answering later.
      if (found.length > 0) yield { found, place: name };
    }
    if (upTo === undefined) return;
    yield { found: [], place: upTo };
    after = upTo;
  }
}

/** A registry without a list: queries every domain that we hold, or held not long ago. */
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

/** One domain alone, in its present state. */
export async function compareRegistryDomain(ctx: AppContext, registryId: string, name: string): Promise<Difference[]> {
  const registry = await ctx.registries.of(registryId);
  const ours = await ourName(ctx.db.as(allTenants), registryId, name);
  const rows = await readTwice(ctx, registry, name, await queryHolding(registry, name), ours);
  return rows.map((row) => difference('registry', { ...row, registry_id: registryId }, repairOf(row)));
}

async function queryHolding(registry: Registry, name: string): Promise<Shown | undefined> {
  const [holding] = registry.holdings ? sliceOf<readonly Holding[]>(await registry.holdings({ name })) : [];
  if (registry.holdings && holding?.statuses !== null) return holding;
  const view = sliceOf(await registry.info(name, { priority: 'background' }));
  // A list without statuses may also leave out deleted domains.
  if (holding) return { ...holding, isOurs: view?.isOurs ?? false, statuses: view?.statuses ?? [] };
  // Without a statement there is no record of what was charged for a domain, even if it has left.
  return { ...(view ?? { name, isOurs: false, expiresAt: null, statuses: [] }), lines: null };
}

/** The two sides were read at two moments. A difference is read again, and counts only if nothing changed in between. */
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

/** Adds the reseller and transaction that a refund of the registry belongs to. */
async function withPurchase(ctx: AppContext, registry: Registry, row: FoundRow): Promise<FoundRow> {
  const cost = (-BigInt(row.amount!)).toString();
  const wanted = { registryId: registry.id, name: row.name!, cost, currency: row.currency! };
  const paid = await purchaseOfCost(ctx.db.as(allTenants), wanted);
  if (!paid) return { ...row, detail: `${row.detail}; no single purchase of it cost that` };
  const kept = `${formatMoney(money(BigInt(paid.kept), paid.currency))} ${paid.currency}`;
  const owed = `reseller ${paid.reseller_id} paid ${kept} for it with transaction ${paid.transaction_id} and was not refunded`;
  return { ...row, transaction_id: paid.transaction_id, detail: `${row.detail}; ${owed}` };
}

/** Without a statement: money that left our account there and that no order explains. A deposit only adds. */
async function compareBalance(ctx: AppContext, registryId: string): Promise<FoundRow[]> {
  const step = await worstBalanceStep(ctx.db.as(allTenants), registryId);
  if (!step) return [];
  const unexplained = BigInt(step.left) - BigInt(step.booked) - BigInt(step.underway);
  if (unexplained <= 0n) return [];
  const show = (amount: string) => `${formatMoney(money(BigInt(amount), step.currency))} ${step.currency}`;
  const underway = step.underway === '0' ? '' : `, and ${show(step.underway)} may belong to orders that were open then`;
  return [
    {
      rule: 'balance_differs',
      subject: `registry ${registryId}`,
      detail: `its balance fell by ${show(step.left)} until ${step.at.toISOString()}, the ledger explains ${show(step.booked)}${underway}`,
      amount: unexplained.toString(),
      currency: step.currency,
    },
  ];
}

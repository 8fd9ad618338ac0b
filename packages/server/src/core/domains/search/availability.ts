import { type Money, NameError, normaliseName, splitName } from '@namehold/base';
import { allTenants, type Reader } from '@namehold/postgres';
import type { Actor, AppContext } from '../../app-context.ts';
import { Refusal } from '../../errors.ts';
import { withTax } from '../../invoices/customer-tax.ts';
import { feeMoney } from '../../model/fee-money.ts';
import type { Availability, FeeQuestion, Registry, Reply } from '../../ports/registry.ts';
import { customerTotal } from '../../pricing/customer-price.ts';
import { priceChain } from '../../pricing/price-of.ts';
import { sellingCurrencyOf } from '../../pricing/pricing.sql.ts';
import { currencyOfRegistry } from '../../registries/registry.sql.ts';
import { checkLabel } from '../buy/check-order.ts';
import { ownClass } from '../buy/premium-fee.ts';
import { alarmOrphan } from '../compare/orphan.ts';
import { namesInTree, namesOfCustomer, namesUnknownHere, offeredTlds, type ServedTld } from './availability.sql.ts';
import { inTime } from './refuse-taken.ts';

const availabilityLimits = {
  /** Clients wait at most eight seconds; if a registry has not answered by then, the status is `unknown`. */
  waitMs: 5_000,
};

/**
 * `regthroughus`: in the caller's own tree. `unknown`: the registry did not answer, or holds it for us as an orphaned domain. `error`:
 * it cannot be registered here.
 */
export type NameStatus = 'available' | 'regthroughus' | 'regthroughothers' | 'unknown' | 'error';

export interface CheckedName {
  /** In the form of the request. */
  readonly requested: string;
  readonly status: NameStatus;
  /** With `error`: why. The registry's own refusals have none. */
  readonly code?: 'invalid_name' | 'tld_not_offered';
  readonly reason?: string;
  /** The caller's price of the shortest registration; null: no price is set. */
  readonly price?: Money | null;
  readonly premiumClass?: string;
}

interface Candidate {
  readonly requested: string;
  readonly name: string;
  readonly tld: ServedTld;
}

/**
 * One answer per domain name, in the order of the request. Registries are queried in parallel, so an unreachable one does not delay the
 * others.
 */
export async function checkAvailability(
  ctx: AppContext,
  actor: Actor,
  requested: readonly string[],
): Promise<readonly CheckedName[]> {
  const wanted = [...new Set(requested.map((name) => name.trim()))];
  const read = await readNames(ctx, wanted);
  const candidates = read.flatMap((each) => ('name' in each ? [each] : []));
  const db = ctx.db.as(allTenants);
  const registries = [...new Set(candidates.map((each) => each.tld.registry_id))];
  const [ours, currency, billed] = await Promise.all([
    ownNames(
      db,
      actor,
      candidates.map((each) => each.name),
    ),
    sellingCurrencyOf(ctx.db.as(actor.resellerId), actor.resellerId),
    Promise.all(registries.map((id) => currencyOfRegistry(db, id))),
  ]);
  const currencyOf = (id: string) => billed[registries.indexOf(id)] ?? currency;
  const prices = priceLookup(ctx, actor);
  const checked = await Promise.all(
    read.map(async (each): Promise<CheckedName> => {
      if (!('name' in each)) return each;
      if (ours.has(each.name)) return { requested: each.requested, status: 'regthroughus' };
      const priced = await withPrice(each, await queryPrice(ctx, each, currencyOf(each.tld.registry_id)), prices);
      return actor.customerId === undefined ? priced : withoutRegistry(priced);
    }),
  );
  return findOwn(ctx, checked, candidates);
}

/** The registry's text is not shown to customers. */
const withoutRegistry = ({ reason, ...priced }: CheckedName): CheckedName =>
  priced.status === 'unknown' && reason !== undefined ? { ...priced, reason } : priced;

/** A customer sees only its own domains as such; domains of other customers of its reseller are shown like any registered domain. */
const ownNames = (db: Reader, { resellerId, customerId }: Actor, names: readonly string[]): Promise<Set<string>> =>
  customerId === undefined ? namesInTree(db, resellerId, names) : namesOfCustomer(db, customerId, names);

/** If a domain is registered and in no account here, the registry may hold it for us as an orphaned domain. */
async function findOwn(
  ctx: AppContext,
  checked: readonly CheckedName[],
  candidates: readonly Candidate[],
): Promise<readonly CheckedName[]> {
  const taken = candidates.filter((each) =>
    checked.some(({ requested, status }) => requested === each.requested && status === 'regthroughothers'),
  );
  if (taken.length === 0) return checked;
  const unknown = await namesUnknownHere(
    ctx.db.as(allTenants),
    taken.map((each) => each.name),
  );
  const orphans = new Map<string, string>();
  const query = async ({ requested, name, tld }: Candidate) => {
    const registry = await ctx.registries.of(tld.registry_id);
    const reply = await inTime(registry.info(name, { priority: 'interactive' }), availabilityLimits.waitMs);
    // RFC 5731 3.1.2: a registry always answers the sponsor, so a refusal means that another registrar sponsors it.
    if (reply.kind === 'refused' || (reply.kind === 'done' && !(reply.data?.isOurs && unknown.has(name)))) return;
    orphans.set(
      requested,
      reply.kind === 'done' ? 'the registry holds it, and your provider is investigating it' : reply.why,
    );
    if (reply.kind === 'done') await alarmOrphan(ctx, tld.registry_id, name);
  };
  // Domains of other accounts here are queried like all others, so that neither the response time nor a missing answer reveals them.
  await Promise.all(taken.map(query));
  return checked.map((each) => {
    const reason = orphans.get(each.requested);
    return reason === undefined ? each : { requested: each.requested, status: 'unknown', reason };
  });
}

async function readNames(ctx: AppContext, wanted: readonly string[]): Promise<(Candidate | CheckedName)[]> {
  const names = new Map<string, string | NameError>(wanted.map((requested) => [requested, normalised(requested)]));
  const suffixes = [...names.values()].flatMap((name) => (typeof name === 'string' ? suffixesOf(name) : []));
  const offered = await offeredTlds(ctx.db.as(allTenants), [...new Set(suffixes)]);
  return wanted.map((requested) => {
    const name = names.get(requested)!;
    if (name instanceof NameError) return { requested, status: 'error', code: 'invalid_name', reason: name.message };
    const split = splitName(name, offered);
    if (!split) return { requested, status: 'error', code: 'tld_not_offered', reason: 'The TLD is not offered.' };
    const tld = offered.get(split.tld)!;
    try {
      checkLabel(split.label, tld);
    } catch (error) {
      if (error instanceof Refusal)
        return {
          requested,
          status: 'error',
          code: 'invalid_name',
          reason: error.details.errors?.[0]?.message ?? error.message,
        };
      throw error;
    }
    return { requested, name, tld };
  });
}

function normalised(requested: string): string | NameError {
  try {
    return normaliseName(requested);
  } catch (error) {
    if (error instanceof NameError) return error;
    throw error;
  }
}

function suffixesOf(name: string): string[] {
  const labels = name.split('.');
  return labels.slice(1).map((_, index) => labels.slice(index + 1).join('.'));
}

/** Each domain name separately: the connection pool combines them into few commands and shares equal ones. */
async function queryPrice(
  ctx: AppContext,
  { name, tld }: Candidate,
  currency: string,
): Promise<Reply<readonly Availability[]>> {
  const years = tld.rules.periods.min_years;
  const registry = await ctx.registries.of(tld.registry_id);
  const fee = tld.rules.premium_names || registry.capabilitiesOf(name).supportsFees ? { currency, years } : undefined;
  return inTime(queryAgainIfReplaced(ctx, tld.registry_id, registry, name, fee), availabilityLimits.waitMs);
}

/** A change of a registry's settings replaces its connection: a query that waited for the old one is sent over the new one. */
async function queryAgainIfReplaced(
  ctx: AppContext,
  registryId: string,
  registry: Registry,
  name: string,
  fee: FeeQuestion | undefined,
): Promise<Reply<readonly Availability[]>> {
  const reply = await registry.check([name], fee);
  if (reply.kind !== 'unsent') return reply;
  const current = await ctx.registries.of(registryId);
  return current === registry ? reply : current.check([name], fee);
}

async function withPrice(
  { requested, tld }: Candidate,
  reply: Reply<readonly Availability[]>,
  prices: PriceLookup,
): Promise<CheckedName> {
  if (reply.kind === 'refused')
    return { requested, status: 'error', reason: reply.evidence.text ?? 'The registry refused the request.' };
  const found = reply.kind === 'done' ? reply.data[0] : undefined;
  if (!found) return { requested, status: 'unknown', reason: 'The registry cannot be queried at the moment.' };
  if (!found.available) {
    return { requested, status: 'regthroughothers', ...(found.reason ? { reason: found.reason } : {}) };
  }
  const { price, premiumClass, reason } = await prices(tld, found);
  return {
    requested,
    status: 'available',
    price,
    ...(premiumClass === undefined ? {} : { premiumClass }),
    ...(reason === undefined ? {} : { reason }),
  };
}

type PriceLookup = (
  tld: ServedTld,
  found: Availability,
) => Promise<{
  readonly price: Money | null;
  readonly premiumClass?: string | undefined;
  /** Why there is no price. */
  readonly reason?: string;
}>;

/** Standard domains of one TLD have one price, which is looked up once per call. */
function priceLookup(ctx: AppContext, actor: Actor): PriceLookup {
  const ordinary = new Map<string, Promise<Money | null>>();
  const priceOf = async (tld: ServedTld, premiumFee?: Money): Promise<Money | null> => {
    const years = tld.rules.periods.min_years;
    const thing = { tld: tld.name, action: 'create' as const, years, premiumFee };
    try {
      const question = { ...thing, resellerId: actor.resellerId, registryId: tld.registry_id, at: ctx.clock.now() };
      const db = ctx.db.as(actor.resellerId);
      if (actor.customerId === undefined) return (await priceChain(db, question)).total;
      return withTax(db, { ...question, customerId: actor.customerId }, await customerTotal(db, question, [thing]));
    } catch (error) {
      if (error instanceof Refusal) return null;
      throw error;
    }
  };
  return async (tld, found) => {
    let premiumClass: string | undefined;
    try {
      premiumClass = await ownClass(
        ctx,
        { tld: tld.name, registryId: tld.registry_id },
        found,
        'create',
        tld.rules.periods.min_years,
      );
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      return { price: null, reason: error.message };
    }
    if (premiumClass !== undefined && found.createFee)
      return { premiumClass, price: await priceOf(tld, feeMoney(found.createFee)) };
    let known = ordinary.get(tld.name);
    if (!known) {
      known = priceOf(tld);
      ordinary.set(tld.name, known);
    }
    return { price: await known };
  };
}

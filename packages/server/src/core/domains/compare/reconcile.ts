import { allTenants, type Tx } from '@namehold/postgres';
import type { AppContext } from '../../app-context.ts';
import type { Domain, DomainState, DriftField } from '../../model/domain.ts';
import type { TldRules } from '../../model/tld.ts';
import type { RegistryDomain } from '../../ports/registry.ts';
import type { Drift } from './drift.sql.ts';
import { alarmDrift, driftOfView, noteDrift, pointsElsewhere } from './note-drift.ts';
import { domainsAfter, domainsByName, markCompared } from './reconcile.sql.ts';
import { orderRepair, type RepairOutcome } from './repair.ts';
import { type SyncOptions, syncWith } from './sync.ts';

type Reconciled =
  | {
      readonly kind: 'compared';
      readonly state: DomainState;
      readonly drift: readonly Drift[];
      readonly repair?: RepairOutcome | undefined;
    }
  | { readonly kind: 'busy' | 'unreachable'; readonly why: string }
  | { readonly kind: 'missing'; readonly why: string; readonly againAt: Date };

interface ReconcileOptions extends SyncOptions {
  /** Also restores nameservers and DS data, which otherwise are only reported. */
  readonly repair?: boolean;
}

/**
 * Compares a domain with its registry: adopts the values for which the registry is authoritative, and repairs or reports the rest. A
 * difference counts only if a second read shows it too, because a read can fall between two changes of our own.
 */
export async function reconcileDomain(
  ctx: AppContext,
  domain: Domain,
  options: ReconcileOptions = {},
): Promise<Reconciled> {
  const compare = (isNoted: boolean) =>
    syncWith(
      ctx,
      domain,
      async (tx, present, view, life, rules) => {
        const found = life.state === 'live' ? await driftUnderLock(ctx, tx, present, view, rules, options) : [];
        if (isNoted) await noteDrift(ctx, tx, present, view, found);
        if (isNoted || found.length === 0) await markCompared(tx, present.id, ctx.clock.now());
        return found;
      },
      options,
    );
  const first = await compare(false);
  const synced = first.kind === 'synced' && first.more?.length ? await compare(true) : first;
  if (synced.kind !== 'synced') return synced;
  const drift = synced.more ?? [];
  await alarmDrift(ctx, domain, drift);
  const repairable = drift.filter((each) => each.action === 'repaired').map((each) => each.field as DriftField);
  const repair = repairable.length > 0 ? await orderRepair(ctx, domain, repairable) : undefined;
  return { kind: 'compared', state: synced.life.state, drift, repair };
}

async function driftUnderLock(
  ctx: AppContext,
  tx: Tx,
  domain: Domain,
  view: RegistryDomain,
  rules: TldRules,
  options: ReconcileOptions,
): Promise<Drift[]> {
  const found = await driftOfView(ctx, tx, domain, view, rules);
  return found.map((drift): Drift => {
    const isByRule = ctx.config.repair.some((field) => field === drift.field);
    const isRepaired = isByRule || (options.repair && pointsElsewhere(drift));
    return isRepaired ? { ...drift, action: 'repaired' } : drift;
  });
}

interface NameReport {
  readonly name: string;
  readonly outcome: string;
  readonly drift: readonly Drift[];
  /** The answer counts if a query after this time repeats it. */
  readonly againAt?: Date;
  /** What became of the repair of these differences. */
  readonly repair?: RepairOutcome;
}

const slice = 200;

/** `namehold reconcile [name...]`: the given domains, or all of them. */
export async function reconcileNames(
  ctx: AppContext,
  names?: readonly string[],
  options: ReconcileOptions = {},
): Promise<NameReport[]> {
  const db = ctx.db.as(allTenants);
  const reports: NameReport[] = [];
  if (names) {
    const domains = await domainsByName(db, names);
    for (const domain of domains) reports.push(await report(ctx, domain, options));
    const found = new Set(domains.map((domain) => domain.name));
    for (const name of names) if (!found.has(name)) reports.push({ name, outcome: 'not held here', drift: [] });
    return reports;
  }
  for (let after = '0'; ; ) {
    const domains = await domainsAfter(db, after, slice);
    for (const domain of domains) reports.push(await report(ctx, domain, options));
    const last = domains.at(-1);
    if (!last) return reports;
    after = last.id;
  }
}

async function report(ctx: AppContext, domain: Domain, options: ReconcileOptions): Promise<NameReport> {
  const done = await reconcileDomain(ctx, domain, options);
  const { name } = domain;
  if (done.kind === 'missing') return { name, outcome: `missing: ${done.why}`, drift: [], againAt: done.againAt };
  if (done.kind !== 'compared') return { name, outcome: `${done.kind}: ${done.why}`, drift: [] };
  return { name, outcome: done.state, drift: done.drift, ...(done.repair ? { repair: done.repair } : {}) };
}

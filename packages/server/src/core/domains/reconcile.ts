import { everyTenant, type Tx } from '@namehold/base';
import { clearAlarm, raiseAlarm } from '../alarms/alarm.ts';
import { appendEvent } from '../events/append.ts';
import type { House } from '../house.ts';
import type { TldRules } from '../tlds/tld.ts';
import { type DriftField, differences } from './compare.ts';
import { contactRoles, type Domain, type DomainState } from './domain.ts';
import { type Drift, recordDrift } from './drift.sql.ts';
import { hideBy } from './ensure-contacts.ts';
import { setEndDate } from './life.sql.ts';
import { lifeEvent } from './life-event.ts';
import { domainsAfter, domainsByName, knownHandles } from './reconcile.sql.ts';
import type { RegistryDomain } from './registry.ts';
import { orderRepair } from './repair.ts';
import { type SyncOptions, syncWith } from './sync.ts';

export type Reconciled =
  | { readonly kind: 'compared'; readonly state: DomainState; readonly drift: readonly Drift[] }
  | { readonly kind: 'busy' | 'unreachable' | 'missing'; readonly why: string };

export interface ReconcileOptions extends SyncOptions {
  /** Also brings back nameservers and DS data, which otherwise are only reported. */
  readonly repair?: boolean;
}

/** Compares a name with its registry: takes over what is the registry's to say, repairs or reports the rest. */
export async function reconcileDomain(
  house: House,
  domain: Domain,
  options: ReconcileOptions = {},
): Promise<Reconciled> {
  const synced = await syncWith(
    house,
    domain,
    (tx, present, view, life, rules) =>
      life.state === 'live' ? compareUnderLock(house, tx, present, view, rules, options) : Promise.resolve([]),
    options,
  );
  if (synced.kind !== 'synced') return synced;
  const drift = synced.more ?? [];
  await tellOperator(house, domain, drift);
  const repairable = drift.filter((each) => each.action === 'repaired').map((each) => each.field as DriftField);
  if (repairable.length > 0) await orderRepair(house, domain, repairable);
  return { kind: 'compared', state: synced.life.state, drift };
}

async function compareUnderLock(
  house: House,
  tx: Tx,
  domain: Domain,
  view: RegistryDomain,
  rules: TldRules,
  options: ReconcileOptions,
): Promise<Drift[]> {
  const ids = contactRoles.flatMap((role) => domain[`${role}_contact_id`] ?? []);
  const known = await knownHandles(tx, domain.registry_id, ids, hideBy(rules, domain.privacy_sent)?.method ?? 'plain');
  const handles = new Map(known.map((row) => [row.contact_id, row.handle]));
  const found = differences(domain, view, rules, handles).map((drift): Drift => {
    const isRepaired = options.repair && (drift.field === 'nameservers' || drift.field === 'ds');
    return isRepaired ? { ...drift, action: 'repaired' } : drift;
  });
  const fresh: Drift[] = [];
  for (const drift of found) {
    if (drift.field === 'expiry') await setEndDate(tx, domain.id, view.expiresAt, house.clock.now());
    if (await recordDrift(tx, domain, drift, house.clock.now())) fresh.push(drift);
  }
  if (fresh.length > 0) await appendEvent(house, tx, lifeEvent(domain, 'domain.drift', { drift: fresh }));
  return found;
}

const alarmKey = (domain: Domain): string => `drift:${domain.id}`;

async function tellOperator(house: House, domain: Domain, drift: readonly Drift[]): Promise<void> {
  const reported = drift.filter((each) => each.action === 'reported' || each.field === 'expiry');
  if (reported.length === 0) return clearAlarm(house, alarmKey(domain));
  await raiseAlarm(house, {
    key: alarmKey(domain),
    severity: 'critical',
    sentence: `${domain.name} differs at its registry from what we hold: ${reported.map((each) => each.field).join(', ')}`,
    facts: { domain_id: domain.id, drift: reported },
  });
}

export interface NameReport {
  readonly name: string;
  readonly outcome: string;
  readonly drift: readonly Drift[];
}

const slice = 200;

/** `namehold reconcile [name...]`: the given names, or every one. */
export async function reconcileNames(
  house: House,
  names?: readonly string[],
  options: ReconcileOptions = {},
): Promise<NameReport[]> {
  const db = house.db.as(everyTenant);
  const reports: NameReport[] = [];
  if (names) {
    const domains = await domainsByName(db, names);
    for (const domain of domains) reports.push(await report(house, domain, options));
    const found = new Set(domains.map((domain) => domain.name));
    for (const name of names) if (!found.has(name)) reports.push({ name, outcome: 'not held here', drift: [] });
    return reports;
  }
  for (let after = '0'; ; ) {
    const domains = await domainsAfter(db, after, slice);
    for (const domain of domains) reports.push(await report(house, domain, options));
    const last = domains.at(-1);
    if (!last) return reports;
    after = last.id;
  }
}

async function report(house: House, domain: Domain, options: ReconcileOptions): Promise<NameReport> {
  const done = await reconcileDomain(house, domain, options);
  if (done.kind !== 'compared') return { name: domain.name, outcome: `${done.kind}: ${done.why}`, drift: [] };
  return { name: domain.name, outcome: done.state, drift: done.drift };
}

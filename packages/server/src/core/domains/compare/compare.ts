import { clientStatuses, contactRoles, type Domain, type DriftField, wantedStatuses } from '../../model/domain.ts';
import { keepsContacts, type TldRules } from '../../model/tld.ts';
import type { DsRecord, RegistryCapabilities, RegistryDomain } from '../../ports/registry.ts';
import { lifePolicy } from '../lifecycle.ts';
import type { Drift, DriftAction } from './drift.sql.ts';

/** The action for each difference. A changed delegation is never reverted silently: the operator must examine it. */
const driftRules: Record<DriftField, DriftAction> = {
  /** The registry's date is authoritative. */
  expiry: 'adopted',
  /** A lock that was promised and is missing at the registry. */
  missing_statuses: 'repaired',
  foreign_statuses: 'reported',
  nameservers: 'reported',
  ds: 'reported',
  /** Both sides would renew the domain, so that one term is paid twice. */
  auto_renewal: 'repaired',
  registrant: 'reported',
  admin: 'reported',
  tech: 'reported',
  billing: 'reported',
};

/** Differences between our row of an active domain and the registry's view. */
export function differences(
  domain: Domain,
  view: RegistryDomain,
  rules: TldRules,
  handles: ReadonlyMap<string, string>,
  sentRoles?: RegistryCapabilities['sentRoles'],
): Drift[] {
  const found: Drift[] = [];
  const differ = (field: DriftField, ours: unknown, theirs: unknown) =>
    found.push({ field, ours, theirs, action: driftRules[field] });
  const [paid, held] = [domain.end_date, view.expiresAt];
  // A later date is an auto-renewal by the registry that is not paid yet; an earlier one removes paid time.
  if (paid && held && paid.getTime() - held.getTime() > lifePolicy.sameExpiryMs) {
    differ('expiry', paid.toISOString(), held.toISOString());
  }
  const wanted = wantedStatuses(domain);
  const missing = wanted.filter((status) => !view.statuses.includes(status));
  if (missing.length > 0) differ('missing_statuses', wanted.sort(), [...view.statuses].sort());
  const foreign = view.statuses.filter(
    (status) => clientStatuses.some((own) => own === status) && !wanted.includes(status),
  );
  if (foreign.length > 0) differ('foreign_statuses', wanted.sort(), foreign.sort());
  const [ourHosts, theirHosts] = [[...domain.nameservers].sort(), [...view.nameservers].sort()];
  if (ourHosts.join() !== theirHosts.join()) differ('nameservers', ourHosts, theirHosts);
  const [ourDs, theirDs] = [dsText(domain.ds), dsText(view.ds)];
  if (ourDs.join() !== theirDs.join()) differ('ds', ourDs, theirDs);
  if (view.autoRenew === true) differ('auto_renewal', false, true);
  if (keepsContacts(rules)) compareContacts(domain, view, rules, handles, differ, sentRoles ?? contactRoles);
  return found;
}

const dsText = (records: readonly DsRecord[]): string[] =>
  records.map((ds) => `${ds.keytag} ${ds.algorithm} ${ds.digesttype} ${ds.digest.toUpperCase()}`).sort();

function compareContacts(
  domain: Domain,
  view: RegistryDomain,
  rules: TldRules,
  handles: ReadonlyMap<string, string>,
  differ: (field: DriftField, ours: unknown, theirs: unknown) => void,
  sentRoles: NonNullable<RegistryCapabilities['sentRoles']>,
): void {
  // The registry cannot have a role that the profile never sends.
  for (const role of sentRoles) {
    const id = domain[`${role}_contact_id`];
    const ours = id === null ? undefined : handles.get(id);
    const theirs = role === 'registrant' ? view.registrant : view.contacts[role];
    // The contact has no handle at this registry, or the registry does not keep the role: nothing to compare.
    if (!ours || (!theirs && !rules.contacts.required.includes(role))) continue;
    if (ours !== theirs) differ(role, ours, theirs ?? null);
  }
}

import { keepsContacts, type TldRules } from '../../tlds/tld.ts';
import { clientStatuses, contactRoles, type Domain, wantedStatuses } from '../domain.ts';
import { lifePolicy } from '../lifecycle.ts';
import type { DsRecord, RegistryCapabilities, RegistryDomain } from '../registry/registry.ts';
import type { Drift, DriftAction } from './drift.sql.ts';

const driftFields = [
  'expiry',
  'missing_statuses',
  'foreign_statuses',
  'nameservers',
  'ds',
  'registrant',
  'admin',
  'tech',
  'billing',
] as const;
export type DriftField = (typeof driftFields)[number];

/** What becomes of a difference. What points a name elsewhere is never undone silently: somebody must look at it. */
const driftRules: Record<DriftField, DriftAction> = {
  /** The registry's date is the one that counts. */
  expiry: 'adopted',
  /** A lock that we promised and the registry lost. */
  missing_statuses: 'repaired',
  foreign_statuses: 'reported',
  nameservers: 'reported',
  ds: 'reported',
  registrant: 'reported',
  admin: 'reported',
  tech: 'reported',
  billing: 'reported',
};

/** Differences between a living name as we hold it and as the registry shows it. Pure. */
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
  // A later date is the registry's own renewal, which nobody has paid yet; an earlier one takes away what was paid.
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
  // A role that the profile never sends cannot be at the registry as we hold it.
  for (const role of sentRoles) {
    const id = domain[`${role}_contact_id`];
    const ours = id === null ? undefined : handles.get(id);
    const theirs = role === 'registrant' ? view.registrant : view.contacts[role];
    // Never sent there under a handle of ours, or a role that this registry does not keep: nothing to compare.
    if (!ours || (!theirs && !rules.contacts.required.includes(role))) continue;
    if (ours !== theirs) differ(role, ours, theirs ?? null);
  }
}

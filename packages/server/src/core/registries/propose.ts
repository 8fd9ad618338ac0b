import type { Tld } from '../model/tld.ts';
import type { OfferedTld } from '../ports/registry.ts';

type Entry = Pick<Tld, 'name' | 'registry' | 'is_offered' | 'rules'>;

/** In the form of a catalogue file, so that it can be edited and loaded. Rules from the registry profile are left out. */
export function catalogueEntry({ name, registry, is_offered, rules: { auth_code: _, ...rules } }: Entry): object {
  const { host_model: _hosts, ...nameservers } = rules.nameservers;
  const { model: _model, ...contacts } = rules.contacts;
  const { records: _records, ...dnssec } = rules.dnssec;
  return { name, registry, is_offered, rules: { ...rules, nameservers, contacts, dnssec } };
}

/**
 * A complete catalogue file: the present entries, and those of a new connection with the facts that the upstream reports. An entry that
 * the connection has already keeps its rules.
 */
export function proposeCatalogue(
  present: readonly Entry[],
  registryId: string,
  tlds: readonly string[],
  offered: readonly OfferedTld[] | null,
): string {
  const added = tlds.filter((tld) => !present.some(({ name, registry }) => name === tld && registry === registryId));
  const entries = [
    ...present.map(catalogueEntry),
    ...added.map((name) => ({
      name,
      registry: registryId,
      rules: proposedRules(offered?.find(({ tld }) => tld === name)),
    })),
  ];
  return `${JSON.stringify(entries, null, 2)}\n`;
}

const mostYears = 10;
const mostGraceDays = 400;

/** Only our service renews. Without a reported grace period, renewals end at the expiry date. */
function proposedRules(facts: OfferedTld | undefined): object {
  const { minYears, maxYears, transferYears, restoreYears, graceDays = 0 } = facts ?? {};
  const periods = {
    ...(minYears === undefined ? {} : { min_years: Math.min(Math.max(minYears, 1), mostYears) }),
    ...(maxYears === undefined ? {} : { max_years: Math.min(Math.max(maxYears, minYears ?? 1, 1), mostYears) }),
  };
  return {
    auto_renew: false,
    grace_days: { expired_hold: Math.min(graceDays, mostGraceDays) },
    ...(Object.keys(periods).length > 0 ? { periods } : {}),
    ...(transferYears === 0 || transferYears === 1 ? { transfer_years: transferYears } : {}),
    ...(restoreYears === 0 || restoreYears === 1 ? { restore_years: restoreYears } : {}),
  };
}

import type { Reader } from '@namehold/base';
import { badField } from '../errors.ts';
import { rulesOfNames } from './forwarding.sql.ts';
import { type Asked, cleanPath, cleanQuery, locationOf, RuleTable } from './location.ts';
import { forwardingLimits, hostBelow, type Rule } from './rule.ts';

interface Place {
  readonly table: RuleTable;
  readonly asked: Asked;
}

/**
 * Follows every rule from its target through our own rules, whoever set them. A target that leads back is refused; whose rules it passes is
 * not told. `rules`: of this name, as they would be. True: some lead to names of the house, so that another's rules could close a circle.
 */
export async function refuseLoops(db: Reader, name: string, rules: readonly Rule[]): Promise<boolean> {
  let leadsToUs = false;
  const known = new Map<string, RuleTable | undefined>([[name, new RuleTable(rules)]]);
  const place = async (location: string): Promise<Place | undefined> => {
    const url = new URL(location);
    const names = namesAbove(url.hostname);
    const unknown = names.filter((each) => !known.has(each));
    if (unknown.length > 0) {
      for (const each of unknown) known.set(each, undefined);
      for (const found of await rulesOfNames(db, unknown)) {
        leadsToUs = true;
        if (found.rules) known.set(found.name, new RuleTable(found.rules));
      }
    }
    const above = names.find((each) => known.get(each) !== undefined);
    if (above === undefined) return undefined;
    const asked = {
      host: hostBelow(url.hostname, above)!,
      path: cleanPath(url.pathname),
      query: cleanQuery(url.search.slice(1)),
    };
    return { table: known.get(above)!, asked };
  };
  for (const [at, rule] of rules.entries()) if (rule.enabled) await follow(rule, name, place, `rules.${at}.target`);
  return leadsToUs;
}

async function follow(
  rule: Rule,
  name: string,
  place: (location: string) => Promise<Place | undefined>,
  field: string,
): Promise<void> {
  // Any host will do for `*`.
  const host = rule.host === '*' ? 'any' : rule.host;
  const begun = new RuleTable([rule]);
  let at: Place | undefined = { table: begun, asked: { host, path: rule.path, query: '' } };
  const passed = new Set([`${host === '@' ? name : `${host}.${name}`}${rule.path}`]);
  for (let step = 0; step <= forwardingLimits.steps; step++) {
    const found = at.table.find(at.asked);
    if (!found) return;
    const location = locationOf(found, at.asked);
    at = await place(location);
    if (!at) return;
    const { hostname, pathname } = new URL(location);
    const here = `${hostname}${cleanPath(pathname)}`;
    if (passed.has(here)) throw badField(field, 'leads back here: requests would go round in a circle', 'loop');
    passed.add(here);
  }
  throw badField(field, `leads through more than ${forwardingLimits.steps} forwarded names`, 'loop');
}

/** The name itself and all above it, the longest first. */
function namesAbove(host: string): string[] {
  const labels = host.split('.');
  return labels.slice(0, -1).map((_, at) => labels.slice(at).join('.'));
}

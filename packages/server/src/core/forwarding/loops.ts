import { isDeepStrictEqual } from 'node:util';
import type { Reader } from '@namehold/postgres';
import { badField } from '../errors.ts';
import { rulesOfNames } from './forwarding.sql.ts';
import { cleanPath, cleanQuery, type ForwardedRequest, locationOf, RuleTable } from './location.ts';
import { forwardingLimits, hostBelow, keyOf, type Rule } from './rule.ts';

interface Place {
  readonly table: RuleTable;
  readonly request: ForwardedRequest;
}

interface Change {
  readonly before: readonly Rule[];
  /** The rules after the change. */
  readonly rules: readonly Rule[];
  /** Their positions in the call, by key. Omitted: as in `rules`. */
  readonly places?: ReadonlyMap<string, number> | undefined;
}

/**
 * Follows each rule from its target through the rules of all accounts and refuses a target that leads back, without naming other rules.
 * An unchanged rule is refused only if the change closes the loop. True: some rules target domains of this service, so other writers
 * could close a loop.
 */
export async function refuseLoops(db: Reader, name: string, change: Change): Promise<boolean> {
  const { before, rules, places } = change;
  const known = new Map(before.map((rule) => [keyOf(rule), rule]));
  const now = new Ways(db, name, rules);
  const all = rules.map((rule, at) => ({ rule, at, isChanged: !isDeepStrictEqual(known.get(keyOf(rule)), rule) }));
  // Rules of the call first, so that the error names a field of the call.
  for (const { rule, at, isChanged } of all.sort((a, b) => Number(b.isChanged) - Number(a.isChanged))) {
    const why = rule.enabled ? await now.follow(rule) : undefined;
    if (why === undefined) continue;
    if (!isChanged && (why === 'long' || (await new Ways(db, name, before).follow(rule)) === 'circle')) continue;
    const place = places ? places.get(keyOf(rule)) : at;
    if (place === undefined)
      throw badField(
        'rules',
        `The rule for ${rule.host} ${rule.path} would create a redirect loop: ${circle}.`,
        'loop',
      );
    const message =
      why === 'long'
        ? `Must not lead through more than ${forwardingLimits.steps} forwarded domains.`
        : `Creates a redirect loop: ${circle}.`;
    throw badField(`rules.${place}.target`, message, 'loop');
  }
  return now.leadsToUs;
}

const circle = 'redirect loop';

/** Destinations of rules: those of one domain as given, all others as stored. */
class Ways {
  leadsToUs = false;
  readonly #db: Reader;
  readonly #name: string;
  readonly #known: Map<string, RuleTable | undefined>;

  constructor(db: Reader, name: string, rules: readonly Rule[]) {
    this.#db = db;
    this.#name = name;
    this.#known = new Map([[name, new RuleTable(rules)]]);
  }

  async follow(rule: Rule): Promise<'circle' | 'long' | undefined> {
    // For `*` any host serves as an example.
    const host = rule.host === '*' ? 'any' : rule.host;
    let at: Place | undefined = { table: new RuleTable([rule]), request: { host, path: rule.path, query: '' } };
    const passed = new Set([`${host === '@' ? this.#name : `${host}.${this.#name}`}${rule.path}`]);
    for (let step = 0; step <= forwardingLimits.steps; step++) {
      const found = at.table.find(at.request);
      if (!found) return undefined;
      const location = locationOf(found, at.request);
      at = await this.#place(location);
      if (!at) return undefined;
      const { hostname, pathname } = new URL(location);
      const here = `${hostname}${cleanPath(pathname)}`;
      if (passed.has(here)) return 'circle';
      passed.add(here);
    }
    return 'long';
  }

  async #place(location: string): Promise<Place | undefined> {
    const url = new URL(location);
    const names = namesAbove(url.hostname);
    const unknown = names.filter((each) => !this.#known.has(each));
    if (unknown.length > 0) {
      for (const each of unknown) this.#known.set(each, undefined);
      for (const found of await rulesOfNames(this.#db, unknown)) {
        this.leadsToUs = true;
        if (found.rules) this.#known.set(found.name, new RuleTable(found.rules));
      }
    }
    const above = names.find((each) => this.#known.get(each) !== undefined);
    if (above === undefined) return undefined;
    const request = {
      host: hostBelow(url.hostname, above)!,
      path: cleanPath(url.pathname),
      query: cleanQuery(url.search.slice(1)),
    };
    return { table: this.#known.get(above)!, request };
  }
}

/** The name and all names above it, the longest first. */
function namesAbove(host: string): string[] {
  const labels = host.split('.');
  return labels.slice(0, -1).map((_, at) => labels.slice(at).join('.'));
}

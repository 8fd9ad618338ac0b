import { everyTenant } from '@namehold/base';
import { badField } from '../errors.ts';
import type { House } from '../house.ts';
import { registryOfTld } from '../registries/registry.sql.ts';
import { type CatalogueEntry, type LoadedCatalogue, seedCatalogue } from './seed.ts';
import type { TldRules } from './tld.ts';

/** What most generic TLDs ask; a catalogue file says only what differs. */
export const usualRules: TldRules = {
  periods: { min_years: 1, max_years: 10 },
  contacts: { model: 'maximum', required: ['registrant', 'admin', 'tech'], unused: ['billing'] },
  nameservers: { min: 0, max: 13, host_model: 'objects' },
  dnssec: { records: 'ds', max: 8 },
  extra_schema: null,
  grace_days: {
    add: 5,
    renew: 5,
    transfer: 5,
    auto_renew: 45,
    redemption: 30,
    pending_restore: 7,
    pending_delete: 5,
    pending_transfer: 5,
    expired_hold: 0,
  },
  auto_renew: true,
  names: { min_length: 1, max_length: 63, idn: true },
  review_days: null,
  privacy_offered: true,
  premium_names: false,
  auth_code: { min_length: 16, max_length: 64, secure: true },
};

/** These may be null by default and something else in a file. */
const nullable: Readonly<Record<string, string>> = { 'rules.extra_schema': 'string', 'rules.review_days': 'number' };

/** Makes a file the catalogue of TLDs on offer. What it leaves out is no longer on offer; its domains keep their rules. */
export async function loadCatalogue(house: House, json: string, source: string): Promise<LoadedCatalogue> {
  const entries = readCatalogue(json);
  for (const entry of entries) {
    const served = await registryOfTld(house.db.as(everyTenant), entry.name);
    if (!served)
      throw badField(entry.name, 'no connected registry serves it: name it in namehold registry add --tlds first');
  }
  return house.db.transaction(everyTenant, (tx) => seedCatalogue(house, tx, entries, source));
}

/** `[{"name": "com", "rules": {"premium_names": true}}, ...]` */
export function readCatalogue(json: string): CatalogueEntry[] {
  let parsed: unknown;
  try {
    parsed = JSON.parse(json);
  } catch (error) {
    throw badField('catalogue', `is not JSON: ${(error as Error).message}`);
  }
  if (!Array.isArray(parsed) || parsed.length === 0) throw badField('catalogue', 'must be a list of TLDs');
  return parsed.map((entry: unknown, index) => {
    const { name, registry, is_offered, rules, ...rest } = (entry ?? {}) as Record<string, unknown>;
    const [unknown] = Object.keys(rest);
    if (unknown) throw badField(`${index}.${unknown}`, 'is not a field of a TLD');
    if (typeof name !== 'string' || name === '') throw badField(`${index}.name`, 'must be a TLD such as com');
    return {
      name: name.replace(/^\./, '').toLowerCase(),
      registry: typeof registry === 'string' ? registry : null,
      is_offered: is_offered !== false,
      rules: over(usualRules, rules ?? {}, 'rules') as TldRules,
    };
  });
}

/** The given values over the usual ones; a field that is not known or of another kind is refused by its path. */
function over(usual: object, given: unknown, path: string): object {
  if (typeof given !== 'object' || given === null || Array.isArray(given)) throw badField(path, 'must be an object');
  const made: Record<string, unknown> = { ...usual };
  for (const [key, value] of Object.entries(given)) {
    const at = `${path}.${key}`;
    if (!Object.hasOwn(usual, key)) throw badField(at, 'is not a rule');
    const before = (usual as Record<string, unknown>)[key];
    made[key] =
      typeof before === 'object' && before !== null && !Array.isArray(before)
        ? over(before, value, at)
        : checked(before, value, at);
  }
  return made;
}

function checked(before: unknown, value: unknown, at: string): unknown {
  const kind = nullable[at] ?? (Array.isArray(before) ? 'array' : typeof before);
  if (value === null && at in nullable) return value;
  const isRight =
    kind === 'array' ? Array.isArray(value) && value.every((item) => typeof item === 'string') : typeof value === kind;
  if (!isRight) throw badField(at, kind === 'array' ? 'must be a list of words' : `must be a ${kind}`);
  return value;
}

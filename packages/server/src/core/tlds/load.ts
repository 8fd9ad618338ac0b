import { allTenants } from '@namehold/postgres';
import { z } from 'zod';
import type { AppContext } from '../app-context.ts';
import { badField } from '../errors.ts';
import type { TldRules } from '../model/tld.ts';
import { applyCapabilities } from './apply-capabilities.ts';
import { tldRulesSchema } from './rules-schema.ts';
import { type CatalogueEntry, type LoadedCatalogue, seedCatalogue } from './seed.ts';
import { type TldRoute, tldRoutes } from './tld.sql.ts';

/** The rules of most generic TLDs; a catalogue file has only the differences. */
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
  renewal_lead_days: 15,
  names: { min_length: 1, max_length: 63, idn: true },
  review_days: null,
  privacy_offered: true,
  privacy_method: 'disclose',
  privacy_proxy: null,
  premium_names: false,
  auth_code: { min_length: 16, max_length: 64, secure: true },
};

const entrySchema = z.strictObject({
  name: z.string().min(1).max(253),
  registry: z.string().max(40).nullish(),
  is_offered: z.boolean().optional(),
  rules: z.record(z.string(), z.unknown()).optional(),
});

/**
 * Makes a file the catalogue of offered TLDs. A TLD that it omits is no longer offered; its domains keep their rules. A TLD has an entry
 * for each registry that serves it; an entry without a registry is for the one of the route.
 */
export async function loadCatalogue(ctx: AppContext, json: string, source: string): Promise<LoadedCatalogue> {
  const routes = await tldRoutes(ctx.db.as(allTenants));
  const entries: CatalogueEntry[] = [];
  for (const entry of readCatalogue(json)) {
    const { registryId, isRoute } = registryOf(entry, routes.get(entry.name));
    const capabilities = (await ctx.registries.of(registryId)).capabilitiesOf(`any.${entry.name}`);
    checkFields(ctx, entry, capabilities.extensions);
    const rules = applyCapabilities(entry.name, entry.rules, entry.stated, capabilities);
    entries.push({ ...entry, rules, ...(isRoute ? { route: registryId } : {}) });
  }
  refuseUnequalFields(entries);
  refuseUnequalEntries(entries);
  return ctx.db.transaction(allTenants, (tx) => seedCatalogue(ctx, tx, entries, source));
}

function registryOf(
  { name, registry }: CatalogueEntry,
  route: TldRoute | undefined,
): { readonly registryId: string; readonly isRoute: boolean } {
  if (!route?.registry_id)
    throw badField(name, 'No connected registry serves this TLD. Add it with namehold registry add --tlds first.');
  const registryId = registry ?? route.registry_id;
  const isRoute = registryId === route.registry_id;
  if (isRoute || route.alternatives.includes(registryId)) return { registryId, isRoute };
  const serving = [route.registry_id, ...route.alternatives].join(', ');
  throw badField(name, `Registry ${registryId} does not serve this TLD, but ${serving} does.`);
}

/** One entry for each registry of a TLD, among them the one of the route. All say alike whether the TLD is offered. */
function refuseUnequalEntries(entries: readonly CatalogueEntry[]): void {
  for (const [name, of] of Map.groupBy(entries, (entry) => entry.name)) {
    const main = of.filter(({ route }) => route !== undefined);
    if (main.length === 0)
      throw badField(name, 'The catalogue needs an entry for the registry to which the route of this TLD leads.');
    const others = of.flatMap(({ route, registry }) => (route === undefined ? [registry] : []));
    if (main.length > 1 || new Set(others).size < others.length)
      throw badField(name, 'The catalogue has two entries for one registry of this TLD.');
    if (of.some(({ is_offered }) => is_offered !== main[0]!.is_offered))
      throw badField(name, 'All entries of a TLD must have the same is_offered.');
  }
}

/** The extension must exist, and the registry must be told that its namespace is used. */
function checkFields(ctx: AppContext, { name, rules }: CatalogueEntry, announced: readonly string[] | undefined): void {
  const fields = rules.extra_schema;
  const path = `${name}.rules.extra_schema`;
  const known = ctx.registries.tldFields.map((each) => each.name);
  if (typeof fields === 'string' && !known.includes(fields))
    throw badField(path, `There is no TLD extension ${fields}. There are ${known.join(', ')}.`);
  if (fields === null || typeof fields === 'string') return;
  if (known.includes(fields.name))
    throw badField(`${path}.name`, `${fields.name} is a TLD extension of this release. Choose another name.`);
  if (announced && !announced.includes(fields.namespace))
    throw badField(
      `${path}.namespace`,
      'The profile of its registry does not announce it. Add it to otherExtensionURIs of the profile.',
    );
}

/** Two TLDs may share fields; under one name they must be equal. */
function refuseUnequalFields(entries: readonly CatalogueEntry[]): void {
  const known = new Map<string, string>();
  for (const { name, rules } of entries) {
    const fields = rules.extra_schema;
    if (fields === null || typeof fields === 'string') continue;
    const text = JSON.stringify(fields);
    if ((known.get(fields.name) ?? text) !== text)
      throw badField(
        `${name}.rules.extra_schema.name`,
        `Another TLD states other fields with the name ${fields.name}.`,
      );
    known.set(fields.name, text);
  }
}

/** `[{"name": "com", "rules": {"premium_names": true}}, ...]` */
export function readCatalogue(json: string): (CatalogueEntry & { readonly stated: unknown })[] {
  let parsed: unknown;
  try {
    parsed = JSON.parse(json);
  } catch (error) {
    throw badField('catalogue', `This is not JSON: ${(error as Error).message}`);
  }
  if (!Array.isArray(parsed) || parsed.length === 0) throw badField('catalogue', 'Must be a list of TLDs.');
  return parsed.map((given: unknown, index) => {
    const entry = checked(entrySchema, given, `${index}`);
    return {
      name: entry.name.replace(/^\./, '').toLowerCase(),
      registry: entry.registry ?? null,
      is_offered: entry.is_offered !== false,
      stated: entry.rules,
      rules: checked(tldRulesSchema, over(usualRules, entry.rules ?? {}), `${index}.rules`),
    };
  });
}

/** The given values over the defaults. Unknown keys stay in, so that the schema refuses them by their path. */
function over(usual: object, given: unknown): unknown {
  if (!isRecord(given)) return given;
  const made: Record<string, unknown> = { ...usual };
  for (const [key, value] of Object.entries(given)) {
    const before = Object.hasOwn(usual, key) ? (usual as Record<string, unknown>)[key] : undefined;
    made[key] = isRecord(before) ? over(before, value) : value;
  }
  return made;
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

function checked<T>(schema: z.ZodType<T>, value: unknown, path: string): T {
  const result = schema.safeParse(value);
  if (result.success) return result.data;
  const [issue] = result.error.issues;
  const at = [path, ...issue!.path.map(String)];
  if (issue!.code === 'unrecognized_keys') throw badField([...at, issue!.keys[0]].join('.'), 'Unknown field.');
  throw badField(at.join('.'), issue!.message.replace(/^Invalid input: /, ''));
}

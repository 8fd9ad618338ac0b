import { createHash } from 'node:crypto';
import { displayName, normaliseName } from '@namehold/base';
import type { Tx } from '@namehold/postgres';
import type { AppContext } from '../app-context.ts';
import { Refusal } from '../errors.ts';
import type { TldRules } from '../model/tld.ts';
import { lockRoutes } from '../registries/route.sql.ts';
import {
  type AlternativeRules,
  insertCatalogue,
  lastChecksum,
  setAlternativeRules,
  type TldRoute,
  type TldRow,
  tldRoutes,
  upsertTlds,
  withdrawOthers,
} from './tld.sql.ts';

export interface CatalogueEntry {
  /** `com`, `co.id`. */
  readonly name: string;
  readonly registry: string | null;
  readonly is_offered?: boolean;
  readonly rules: TldRules;
  /** Where the route of an entry without a registry led when its rules were read. */
  readonly route?: string;
}

export interface LoadedCatalogue {
  /** Undefined: the same catalogue was loaded last, so nothing was done. */
  readonly version: number | undefined;
  readonly changed: number;
}

/** Of a catalogue that was not loaded by a user: the sandbox's own. */
export const sandboxSource = 'sandbox';

/** Makes these entries the catalogue. Loading the same again does nothing, so every start may call it. */
export async function seedCatalogue(
  ctx: AppContext,
  tx: Tx,
  entries: readonly CatalogueEntry[],
  source = sandboxSource,
): Promise<LoadedCatalogue> {
  await lockRoutes(tx, 'change');
  const { rows, alternatives } = rowsOf(entries, await tldRoutes(tx));
  const content = alternatives.length === 0 ? rows : { rows, alternatives };
  const checksum = createHash('sha256').update(JSON.stringify(content)).digest('hex');
  if ((await lastChecksum(tx)) === checksum) return { version: undefined, changed: 0 };
  const now = ctx.clock.now();
  const version = await insertCatalogue(tx, source, checksum, now);
  const changed = (await upsertTlds(tx, rows, version, now)) + (await setAlternativeRules(tx, alternatives));
  const names = rows.map((row) => row.name);
  return { version, changed: changed + (await withdrawOthers(tx, names, version, now)) };
}

/** Entries for the registries of the routes are the TLDs themselves, the others are alternatives. */
function rowsOf(entries: readonly CatalogueEntry[], routes: ReadonlyMap<string, TldRoute>) {
  const rows: TldRow[] = [];
  const alternatives: AlternativeRules[] = [];
  for (const { registry, is_offered = true, rules, ...entry } of entries) {
    const name = normaliseName(entry.name);
    const route = routes.get(name);
    if (entry.route !== undefined && entry.route !== route?.registry_id)
      throw new Refusal('conflict', `The route of .${name} was changed meanwhile. Load the catalogue again.`);
    if (registry !== null && route?.alternatives.includes(registry)) alternatives.push({ name, registry, rules });
    else rows.push({ name, label: `.${displayName(name)}`, registry, is_offered, rules });
  }
  const byName = (a: { name: string }, b: { name: string }) => (a.name < b.name ? -1 : 1);
  return { rows: rows.sort(byName), alternatives: alternatives.sort(byName) };
}

import { createHash } from 'node:crypto';
import { displayName, normaliseName } from '@namehold/base';
import type { Tx } from '@namehold/postgres';
import type { AppContext } from '../app-context.ts';
import type { TldRules } from '../model/tld.ts';
import { insertCatalogue, lockCatalogue, type TldRow, upsertTlds, withdrawOthers } from './tld.sql.ts';

export interface CatalogueEntry {
  /** `com`, `co.id`. */
  readonly name: string;
  readonly registry: string | null;
  readonly is_offered?: boolean;
  readonly rules: TldRules;
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
  const rows: TldRow[] = entries
    .map((entry) => {
      const name = normaliseName(entry.name);
      const label = `.${displayName(name)}`;
      return { name, label, registry: entry.registry, is_offered: entry.is_offered ?? true, rules: entry.rules };
    })
    .sort((a, b) => (a.name < b.name ? -1 : 1));
  const checksum = createHash('sha256').update(JSON.stringify(rows)).digest('hex');
  if ((await lockCatalogue(tx)) === checksum) return { version: undefined, changed: 0 };
  const now = ctx.clock.now();
  const version = await insertCatalogue(tx, source, checksum, now);
  const changed = await upsertTlds(tx, rows, version, now);
  const names = rows.map((row) => row.name);
  return { version, changed: changed + (await withdrawOthers(tx, names, version, now)) };
}

import { allTenants } from '@namehold/postgres';
import type { AppContext } from '../app-context.ts';
import type { Tld } from '../model/tld.ts';
import { listAlternatives, listTlds, tldRoutes } from './tld.sql.ts';

/** The same for every caller: the offer is no secret between resellers. */
export async function readTlds(ctx: AppContext): Promise<Tld[]> {
  return listTlds(ctx.db.as(allTenants));
}

/** All entries of the catalogue: one for each registry of a TLD, which is named. */
export async function readCatalogueEntries(ctx: AppContext): Promise<Tld[]> {
  const db = ctx.db.as(allTenants);
  const [tlds, alternatives, routes] = await Promise.all([listTlds(db), listAlternatives(db), tldRoutes(db)]);
  return tlds.flatMap((tld) => [
    { ...tld, registry: tld.registry ?? routes.get(tld.name)?.registry_id ?? null },
    ...alternatives.filter(({ name }) => name === tld.name).map(({ registry, rules }) => ({ ...tld, registry, rules })),
  ]);
}

import { allTenants } from '@namehold/postgres';
import type { AppContext } from '../app-context.ts';
import { badField } from '../errors.ts';
import { type RegistryOfTld, registriesOfTlds } from '../registries/route.sql.ts';
import type { PriceLine } from './pricing.sql.ts';

/** The registries of each TLD: the one of its route first. */
export type CostPlaces = ReadonlyMap<string, readonly RegistryOfTld[]>;

export const readCostPlaces = (ctx: AppContext): Promise<CostPlaces> => registriesOfTlds(ctx.db.as(allTenants));

/**
 * A cost with its place: the registry must serve the TLD and charge in this currency. Without a registry it is the
 * one of the route. A cost in another currency may be ended.
 */
export function placeCost(line: PriceLine, registry: string | undefined, places: CostPlaces): PriceLine {
  const serving = places.get(line.tld) ?? [];
  const place = serving.find(({ registry_id, is_route }) =>
    registry === undefined ? is_route : registry_id === registry,
  );
  if (registry !== undefined && !place)
    throw badField(
      'registry',
      `Registry ${registry.slice(0, 40)} does not serve .${line.tld}${serving.length > 0 ? `, but ${listed(serving)}` : ''}.`,
    );
  if (place?.currency && place.currency !== line.currency && line.amount !== null)
    throw badField('currency', `Registry ${place.registry_id} charges in ${place.currency}, not in ${line.currency}.`);
  return place?.is_route === false ? { ...line, alternative: place.registry_id } : line;
}

const listed = (places: readonly RegistryOfTld[]): string => places.map(({ registry_id }) => registry_id).join(', ');

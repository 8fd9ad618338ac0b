import { everyTenant } from '@namehold/base';
import type { House } from '../house.ts';
import { listTlds } from './tld.sql.ts';
import type { Tld } from './tld.ts';

/** The same for everybody: what is on offer is no secret between resellers. */
export async function readTlds(house: House): Promise<Tld[]> {
  return listTlds(house.db.as(everyTenant));
}

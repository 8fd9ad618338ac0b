import { allTenants } from '@namehold/postgres';
import type { AppContext } from '../app-context.ts';
import type { Tld } from '../model/tld.ts';
import { listTlds } from './tld.sql.ts';

/** The same for every caller: the offer is no secret between resellers. */
export async function readTlds(ctx: AppContext): Promise<Tld[]> {
  return listTlds(ctx.db.as(allTenants));
}

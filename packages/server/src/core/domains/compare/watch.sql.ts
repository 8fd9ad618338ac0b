import { sql, type Tx } from '@namehold/postgres';
import { holdsName } from '../../tables/domain.sql.ts';

export interface Watch {
  readonly id: string;
  readonly reseller_id: string;
  readonly name: string;
  readonly watched: boolean;
  readonly watched_by_operator: boolean;
}

const columns = sql.raw('id, reseller_id, name, watched, watched_by_operator');

export async function saveWatched(tx: Tx, resellerId: string, id: string, on: boolean): Promise<Watch> {
  return tx.one<Watch>(sql`
    update domain set watched = ${on} where id = ${id} and reseller_id = ${resellerId} returning ${columns}`);
}

export async function saveWatchedByOperator(tx: Tx, idOrName: string, on: boolean): Promise<Watch | undefined> {
  const which = /^\d{1,18}$/.test(idOrName) ? sql`id = ${idOrName}` : sql`name = ${idOrName.toLowerCase()}`;
  return tx.maybe<Watch>(sql`
    update domain set watched_by_operator = ${on} where ${which} and ${holdsName('domain')} returning ${columns}`);
}

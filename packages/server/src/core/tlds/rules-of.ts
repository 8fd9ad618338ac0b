import type { Reader } from '@namehold/postgres';
import type { TldRules } from '../model/tld.ts';
import { findTld } from './tld.sql.ts';

/** Inside a transaction it uses that transaction: a second connection could deadlock with the first. */
export async function rulesOf(db: Reader, tld: string): Promise<TldRules> {
  const found = await findTld(db, tld);
  if (!found) throw new Error(`no rules for .${tld}`);
  return found.rules;
}

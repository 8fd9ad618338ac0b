import type { Reader } from '@namehold/base';
import { findTld } from './tld.sql.ts';
import type { TldRules } from './tld.ts';

/** Inside a transaction through that very transaction: a second connection there could wait for the first for ever. */
export async function rulesOf(db: Reader, tld: string): Promise<TldRules> {
  const found = await findTld(db, tld);
  if (!found) throw new Error(`no rules for .${tld}`);
  return found.rules;
}

import type { Reader } from '@namehold/postgres';
import type { Domain } from '../model/domain.ts';
import type { TldRules } from '../model/tld.ts';
import { findRules } from './tld.sql.ts';

/** The rules of a domain's TLD at its registry. Inside a transaction it uses that transaction: a second connection could deadlock with the first. */
export async function rulesOf(db: Reader, domain: Pick<Domain, 'tld' | 'registry_id'>): Promise<TldRules> {
  const rules = await findRules(db, domain.tld, domain.registry_id);
  if (!rules) throw new Error(`no rules for .${domain.tld}`);
  return rules;
}

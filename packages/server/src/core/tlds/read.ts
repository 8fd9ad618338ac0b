import { everyTenant, NameError, normaliseName } from '@namehold/base';
import { notFound } from '../errors.ts';
import type { House } from '../house.ts';
import { findTld } from './tld.sql.ts';
import type { Tld } from './tld.ts';

/** `com`, `.com` and a name in its own script are all read. */
export function tldName(text: string): string | undefined {
  try {
    return normaliseName(text.replace(/^\./, ''));
  } catch (error) {
    if (error instanceof NameError) return undefined;
    throw error;
  }
}

export async function readTld(house: House, text: string): Promise<Tld> {
  const name = tldName(text);
  const tld = name ? await findTld(house.db.as(everyTenant), name) : undefined;
  if (!tld?.is_offered) throw notFound('TLD');
  return tld;
}

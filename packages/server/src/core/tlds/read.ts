import { NameError, normaliseName } from '@namehold/base';
import { allTenants } from '@namehold/postgres';
import type { AppContext } from '../app-context.ts';
import { notFound } from '../errors.ts';
import type { Tld } from '../model/tld.ts';
import { findTld } from './tld.sql.ts';

/** Accepts `com`, `.com` and internationalised TLDs. */
export function tldName(text: string): string | undefined {
  try {
    return normaliseName(text.replace(/^\./, ''));
  } catch (error) {
    if (error instanceof NameError) return undefined;
    throw error;
  }
}

export async function readTld(ctx: AppContext, text: string): Promise<Tld> {
  const name = tldName(text);
  const tld = name ? await findTld(ctx.db.as(allTenants), name) : undefined;
  if (!tld?.is_offered) throw notFound('TLD');
  return tld;
}

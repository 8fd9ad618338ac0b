import type { Money, Reader } from '@namehold/base';
import { readFacts } from './facts.ts';
import type { PriceAction } from './price.ts';
import { askedBy } from './reckon.ts';

/** What a reseller asks of its customers; undefined where it has no price of its own: what it pays itself is nobody's business. */
export async function customerPrice(
  db: Reader,
  asked: { readonly resellerId: string; readonly at: Date; readonly tld: string; readonly action: PriceAction },
): Promise<Money | undefined> {
  const facts = await readFacts(db, { ...asked, ownAudience: 'customer' });
  return askedBy(facts, 0, facts.levels[0]!.currency, { tld: asked.tld, action: asked.action, years: 1 });
}

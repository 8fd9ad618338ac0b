import type { Actor, AppContext } from '../../app-context.ts';
import { checkAvailability, type NameStatus } from './availability.ts';

export const suggestionLimits = {
  tlds: 20,
  /** The maximum number of domain names in one call, over all TLDs. */
  checks: 100,
  keywordLength: 50,
};

/** Words that are put before or after; `more` only if related names are requested too. */
const affixes = {
  usual: { before: ['my', 'get'], after: ['online', 'shop'] },
  more: { before: ['the', 'go', 'try'], after: ['web', 'site', 'store', 'hub', 'group', 'world', 'now', 'app'] },
};

interface SuggestionQuery {
  readonly keyword: string;
  readonly tlds: readonly string[];
  readonly limit: number;
  readonly hyphens: boolean;
  readonly related: boolean;
}

/** Variants of a word or phrase in a fixed order, so the same request always gives the same result. */
export function variantsOf({ keyword, hyphens, related }: Omit<SuggestionQuery, 'tlds' | 'limit'>): string[] {
  const keywords = keyword
    .toLowerCase()
    .normalize('NFC')
    .split(/[^\p{L}\p{M}\p{N}]+/u)
    .filter((word) => word !== '');
  if (keywords.length === 0) return [];
  const joined = keywords.join('');
  const made = [joined];
  if (hyphens && keywords.length > 1) made.push(keywords.join('-'));
  const sets = related ? [affixes.usual, affixes.more] : [affixes.usual];
  for (const { before, after } of sets) {
    for (const word of before) made.push(`${word}${joined}`, ...(hyphens ? [`${word}-${joined}`] : []));
    for (const word of after) made.push(`${joined}${word}`, ...(hyphens ? [`${joined}-${word}`] : []));
  }
  return [...new Set(made)];
}

type Suggestions = ReadonlyMap<string, ReadonlyMap<string, NameStatus>>;

/** Every variant under every TLD, with its availability. */
export async function suggestNames(ctx: AppContext, actor: Actor, wish: SuggestionQuery): Promise<Suggestions> {
  const perTld = Math.max(1, Math.floor(suggestionLimits.checks / wish.tlds.length));
  const words = variantsOf(wish).slice(0, Math.min(wish.limit, perTld));
  const names = words.flatMap((word) => wish.tlds.map((tld) => `${word}.${tld}`));
  const found = new Map((await checkAvailability(ctx, actor, names)).map((each) => [each.requested, each.status]));
  return new Map(
    words.map((word) => [word, new Map(wish.tlds.map((tld) => [tld, found.get(`${word}.${tld}`) ?? 'error']))]),
  );
}

import { z } from 'zod';
import { suggestionLimits, suggestNames, variantsOf } from '../../../../core/domains/search/suggest.ts';
import { badField } from '../../../../core/errors.ts';
import { flag, integer, list, text } from '../../../field.ts';
import { listLimits } from '../../../page.ts';
import { route } from '../../../route.ts';
import { nameStatus } from './availability.ts';

const tldList = (about: string) => list({ max: suggestionLimits.tlds, about, example: ['com', 'net'] }).optional();

export const suggestion = route({
  method: 'GET',
  path: '/domains/suggestion',
  customer: 'order',
  area: 'domains',
  style: 'contract',
  cost: 5,
  summary: 'Suggest domain names',
  description:
    'Variants of a word (joined, with hyphens if requested, with common words before and after it), each checked under every given TLD. Label and TLD of the keys are joined by a dot.',
  input: z.object({
    keyword: text({
      max: suggestionLimits.keywordLength,
      about: 'A word or phrase.',
      example: 'coffee',
    }),
    tlds: tldList('TLDs without dots.'),
    tld: tldList('The same, as spelled by an older client.'),
    limit: integer({ min: 1, max: listLimits.pageSizeMax, about: 'Number of variants.', example: 10 }).optional(),
    hyphen_allowed: flag('Include variants with hyphens. Default: false.').optional(),
    add_related: flag('Include variants with additional words. Default: false.').optional(),
  }),
  output: z.record(z.string(), z.record(z.string(), nameStatus)),
  errors: ['invalid_argument'],
  example: {
    input: { keyword: 'coffee', tlds: ['com', 'net'], limit: 10 },
    output: { coffee: { com: 'regthroughothers', net: 'available' } },
  },
  async answer(ctx, caller, input) {
    const tlds = (input.tlds ?? input.tld ?? []).map((tld) => tld.toLowerCase().replace(/^\./, ''));
    if (tlds.length === 0) throw badField('tlds', 'This field is required.', 'required');
    const wish = {
      keyword: input.keyword,
      tlds: [...new Set(tlds)],
      limit: input.limit ?? listLimits.pageSizeDefault,
      hyphens: input.hyphen_allowed ?? false,
      related: input.add_related ?? false,
    };
    if (variantsOf(wish).length === 0) throw badField('keyword', 'Must contain a letter or digit.');
    const found = await suggestNames(ctx, caller, wish);
    return Object.fromEntries([...found].map(([word, statuses]) => [word, Object.fromEntries(statuses)]));
  },
});
